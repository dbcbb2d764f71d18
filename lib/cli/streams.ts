import type { Readable, Writable } from 'node:stream';

/** Whether a stream is a terminal. */
export interface MaybeTerminal {
  readonly isTTY?: boolean;
}

// C0 and C1 controls and DEL, which terminals obey; other line ends; characters that change the direction of text.
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** `text` made safe for one line. File names may hold any character, and a terminal must not obey one. */
export function lineText(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** `text` made safe, with its line feeds kept. */
export function linesText(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );
}

/** `value` as JSON in one line, with the unsafe characters escaped. */
export function lineJson(value: unknown): string {
  return lineText(JSON.stringify(value));
}

/** The character as JSON's escape. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Where the command reads and writes: `process`, or what a test puts in its place. */
export interface Streams {
  readonly stdin: Readable & MaybeTerminal;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Colour only on a terminal that can, and never against NO_COLOR (https://no-color.org: any value but the empty one). */
export function wantsColor(stream: MaybeTerminal, env: Streams['env']): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
