/**
 * Shared by the scripts that run in child processes. Every script imports it first: it counts unhandled rejections, and
 * prints the count at exit as the last line.
 */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

let unhandled = 0;

// In a worker, an unhandled rejection is an 'error' event of the Worker instead.
if (isMainThread) {
  process.on('unhandledRejection', (reason) => {
    unhandled++;
    writeSync(2, `unhandled: ${String(reason)}\n`);
  });
  process.on('exit', () => say({ unhandled }));
}

/** Sends one JSON value to the test. Synchronous, so that a following `process.exit` loses nothing. */
export function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

/** Returns argument `index` of the script. */
export function argument(index: number): string {
  const value = process.argv[2 + index];
  if (value === undefined) throw new Error(`argument ${index} is missing`);
  return value;
}

/** Returns the same file so many times that no case reads to the end. */
export function endless(file: string): string[] {
  return Array<string>(2_000).fill(file);
}
