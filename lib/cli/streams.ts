import type { Readable, Writable } from 'node:stream';

/** Whether a stream is a terminal. */
export interface MaybeTerminal {
  readonly isTTY?: boolean;
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
