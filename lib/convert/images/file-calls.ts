/** Files through callbacks, on libuv's threads: promises would take most of the time of small files. */
import { closeSync, constants, fstatSync, open, read, stat, type Stats } from 'node:fs';

/** Calls of the file system at a time: more than libuv has threads, so that none of them waits for JavaScript. */
const AT_A_TIME = 16;

/** Most bytes of one call, so that an abort need not wait for the end of a large file. */
const READ_BYTES = 16 * 1024 * 1024;

/** Works on `count` elements, some at a time. Resolves when all of them have called `done`. */
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

/** Stats of the files at `paths`; an error for each that has none. */
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

/** The result of reading a file: the number of bytes that came, and the file's stats after them. */
export interface FileRead {
  readonly length: number;
  readonly stats: Stats;
}

/**
 * Reads the file at `path`, which should have one byte less than `memory`, until that is full or the file ends. Pipes give
 * nothing. `isOver`: true if nobody waits for the rest.
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
    // Of an open file this needs no disk, and a thread would take ten times as long.
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
        // Nothing was written, so nothing is lost.
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
        // That the file has no more, its size says.
        const isAll = count === 0 || length + count === memory.length - 1;
        if (error !== null || isAll || isOver()) leave(error, length + count);
        else step(length + count);
      });
    };
    step(0);
  });
}
