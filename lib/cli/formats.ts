/** The list of conversion formats, for options and help. */
import { InvalidArgumentError, Option } from 'commander';

import { isTFRecordName } from '../io';

/** Loads the formats when they are needed, because conversions load slowly. */
function conversions(): typeof import('../convert/formats') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- other commands start fast
  return require('../convert/formats') as typeof import('../convert/formats');
}

/** Returns the names of formats that can be read and written. */
export function writableNames(): readonly string[] {
  return conversions()
    .listFormats()
    .filter(({ isWritable }) => isWritable)
    .map(({ name }) => name);
}

/** Returns the names of formats of files, not folders, that can be read and written. */
export function fileNames(): readonly string[] {
  return conversions()
    .listFormats()
    .filter(({ isReadable, isWritable, isFolder }) => isReadable && isWritable && !isFolder)
    .map(({ name }) => name);
}

/** Returns the names of formats that can be read. */
export function readableNames(): readonly string[] {
  return conversions()
    .listFormats()
    .filter(({ isReadable }) => isReadable)
    .map(({ name }) => name);
}

/** Returns an option whose choices are `names`. Only help, completion and the use of the option call `names`. */
export function formatOption(flags: string, description: string, names: () => readonly string[]): Option {
  const option = new Option(flags, description).argParser((name: string) => {
    const choices = names();
    if (choices.includes(name)) return name;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  });
  return Object.defineProperty(option, 'argChoices', { get: names, enumerable: true });
}

/** True if the extension of `file` is that of a format, other than TFRecord, that can be read and written. */
export function isConvertible(file: string): boolean {
  if (isTFRecordName(file)) return false;
  const format = conversions().formatByName(file);
  return format !== undefined && fileNames().includes(format);
}

/** Returns the extensions of the formats for the help: `.jsonl and .ndjson are JSON Lines, .parquet Parquet`. */
export function extensionsHelp(): string {
  const titles = new Map<string, string[]>();
  for (const { title, extensions } of conversions().listFormats()) {
    if (title !== undefined) titles.set(title, [...(titles.get(title) ?? []), ...extensions]);
  }
  return [...titles]
    .map(([title, extensions], i) => `${extensions.join(' and ')} ${i === 0 ? 'are ' : ''}${title}`)
    .join(', ');
}

/** Wraps `text` into lines of at most `width` characters. */
export function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}
