/** The flags of `convert` about Hugging Face's `datasets`. */
import { InvalidArgumentError } from 'commander';
import { readFile } from 'node:fs/promises';

import { fromNodeError } from '../base';
import type { HuggingFaceOptions } from '../convert';
import { UsageError } from './terminal/reporter';
import { lineText } from './terminal/text';

/** Files with names of classes, by features. */
export type LabelFiles = ReadonlyMap<string, string>;

interface HuggingFaceFlags extends Pick<HuggingFaceOptions, 'images' | 'audio'> {
  readonly huggingface?: boolean;
  readonly labelFile?: LabelFiles;
}

/** Parses `FEATURE=FILE`, and adds it to `before`. @throws InvalidArgumentError */
export function addLabelFile(text: string, before: LabelFiles = new Map()): LabelFiles {
  // Names of features may have =, as may those of files; the first one divides.
  const [, feature, file] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (feature === undefined) throw new InvalidArgumentError('Expected a feature and a file, such as label=labels.txt.');
  if (before.has(feature)) throw new InvalidArgumentError(`The feature ${JSON.stringify(feature)} has two files.`);
  return new Map([...before, [feature, file!]]);
}

/** Returns the option of `convert`. @throws UsageError; the errors of reading files */
export async function huggingFaceOf(flags: HuggingFaceFlags): Promise<HuggingFaceOptions | undefined> {
  const { huggingface, images, audio, labelFile } = flags;
  if (huggingface !== true) {
    const given = Object.entries({ images, audio, 'label-file': labelFile }).find(([, value]) => value !== undefined);
    if (given !== undefined) throw new UsageError(`--${given[0]} needs --huggingface`);
    return undefined;
  }
  const classNames: [string, readonly string[]][] = [];
  for (const [feature, file] of labelFile ?? []) classNames.push([feature, await namesIn(file)]);
  return {
    ...(images === undefined ? {} : { images }),
    ...(audio === undefined ? {} : { audio }),
    ...(labelFile === undefined ? {} : { classNames: Object.fromEntries(classNames) }),
  };
}

/** The names in `file`, a line for each; empty lines are left out. */
async function namesIn(file: string): Promise<readonly string[]> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw fromNodeError(error, file);
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${lineText(file)} is not UTF-8: expected a name on each line`);
  }
  const names = text.split('\n').flatMap((line) => line.trim() || []);
  if (names.length === 0) throw new UsageError(`${lineText(file)} has no names: expected one on each line`);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new UsageError(`${lineText(file)} has the name ${lineText(twice)} twice`);
  return names;
}
