/** The option `--header`: headers of the requests for `https:` and `http:` URLs. They may be secret, so no message shows them. */
import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';

import { remoteOptions } from '../io';
import { explain } from './terminal/reporter';

const FLAG = '--header <header>';

/** Adds the option to a command that reads files. */
export function addHeaders(command: Command): Command {
  return command.option(
    FLAG,
    'for http(s) URLs: send NAME:VALUE, or the lines of @FILE; may be repeated',
    (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
  );
}

/**
 * Sets the headers of `--header` for this run. Runs before the actions of all commands, because parsers of options cannot
 * await. @throws CommanderError for what is no header
 */
export async function sendHeaders(_program: Command, command: Command): Promise<void> {
  const given: unknown = command.getOptionValue('header');
  if (!Array.isArray(given)) return;
  const headers: Record<string, string> = {};
  for (const text of given.map(String)) {
    const [texts, from] = text.startsWith('@') ? [await linesOf(text.slice(1), command), text] : [[text], undefined];
    texts.forEach((line, i) => {
      const [name, value] = headerOf(line) ?? [];
      if (name === undefined || value === undefined) {
        fail(
          command,
          from === undefined ? 'expected NAME:VALUE or @FILE' : `line ${i + 1} of ${from} is not NAME:VALUE`,
        );
      }
      headers[name] = value;
    });
  }
  remoteOptions({ headers });
}

async function linesOf(file: string, command: Command): Promise<string[]> {
  try {
    return (await readFile(file, 'utf8')).trimEnd().split(/\r?\n/);
  } catch (error) {
    return fail(command, explain(error));
  }
}

/** Returns name and value of a header that HTTP allows; undefined for other text. */
function headerOf(line: string): readonly [name: string, value: string] | undefined {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : [name.toLowerCase(), value.trimEnd()];
}

/** Ends the command as for another invalid value, which is not shown. */
function fail(command: Command, reason: string): never {
  return command.error(`error: option '${FLAG}' argument is invalid: ${reason}`, { code: 'commander.invalidArgument' });
}
