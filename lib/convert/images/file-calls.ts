/** Reads files by callbacks on libuv's threads: for small files, promises would take most of the time. */
import { closeSync, constants, fstatSync, open, read, stat, type Stats } from 'node:fs';

/** Number of parallel calls: more than libuv has threads, so that no thread waits for JavaScript. */
const AT_A_TIME = 16;

/** Maximum size of one read, so that an abort need not wait for the end of a large file. */
const READ_BYTES = 16 * 1024 * 1024;

/** Calls `work` for `count` elements, some of them in parallel. Resolves when all have called `done`. */
export function forAll(count: number, work: (i: number, done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (count === 0) resolve();
    let next = 0;
    let left = count;
    const start = (): void => {
      if (next < count) work(next++, done);
    };
    const done = (): void => {
      if (--left === 0) resolve();
      else start();
    };
    for (let i = Math.min(AT_A_TIME, count); i > 0; i--) start();
  });
}

/** Returns the stats of the files at `paths`, or an error for each file without any. */
export async function statAll(paths: readonly Buffer[]): Promise<(Stats | Error)[]> {
  const found: (Stats | Error)[] = [];
  await forAll(paths.length, (i, done) => {
    stat(paths[i]!, (error, stats) => {
      found[i] = error ?? stats;
      done();
    });
  });
  return found;
}

/** The result of reading a file: the number of bytes, and the file's stats after reading. */
export interface FileRead {
  readonly length: number;
  readonly stats: Stats;
}

/**
 * Reads the file at `path` until `memory` is full or the file ends. The file should have one byte less than `memory`.
 * Pipes deliver nothing. `isOver`: returns true if nobody waits for the rest.
 */
export function readInto(
  path: Buffer,
  memory: Uint8Array,
  isOver: () => boolean,
  done: (result: FileRead | Error) => void,
): void {
  open(path, constants.O_RDONLY | constants.O_NONBLOCK, (failed, fd) => {
    if (failed !== null) {
      done(failed);
      return;
    }
    // For an open file `fstatSync` needs no disk, and a thread would take ten times as long.
    const leave = (failure: Error | null, length: number): void => {
      let result: FileRead | Error;
      try {
        result = failure ?? { length, stats: fstatSync(fd) };
      } catch (error) {
        result = error as Error;
      }
      try {
        closeSync(fd);
      } catch {
        // The file was only read, so a failure to close it loses nothing.
      }
      done(result);
    };
    const step = (length: number): void => {
      const wanted = Math.min(memory.length - length, READ_BYTES);
      if (wanted === 0) {
        leave(null, length);
        return;
      }
      read(fd, memory, length, wanted, null, (error, count) => {
        // The size shows that the file has ended, which saves another read.
        const isAll = count === 0 || length + count === memory.length - 1;
        if (error !== null || isAll || isOver()) leave(error, length + count);
        else step(length + count);
      });
    };
    step(0);
  });
}
