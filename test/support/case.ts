/**
 * What the scripts in child processes share. Every script imports it first: it counts the rejections that nobody
 * handled and says the count at exit, as the last line.
 */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

let unhandled = 0;

// A worker's unhandled rejection is an 'error' event of the Worker instead.
if (isMainThread) {
  process.on('unhandledRejection', (reason) => {
    unhandled++;
    writeSync(2, `unhandled: ${String(reason)}\n`);
  });
  process.on('exit', () => say({ unhandled }));
}

/** Tells the test one JSON value. Synchronous: `process.exit` behind it loses nothing. */
export function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

/** Argument `index` of the script. */
export function argument(index: number): string {
  const value = process.argv[2 + index];
  if (value === undefined) throw new Error(`argument ${index} is missing`);
  return value;
}

/** The same file so often that no case reads to the end. */
export function endless(file: string): string[] {
  return Array<string>(2_000).fill(file);
}
