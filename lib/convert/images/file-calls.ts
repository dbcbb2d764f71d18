/** Files through callbacks, on libuv's threads: promises would take most of the time of small files. */
import { close, constants, fstat, open, read, stat, type Stats } from 'node:fs';

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

/** What `paths` lead to; an error where that is not known. */
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

/** What reading a file found: the bytes that are in the memory, and the file as it was behind that. */
export interface FileRead {
  readonly length: number;
  readonly stats: Stats;
}

/**
 * Reads the file at `path` to `memory`, until that is full or the file ends. Pipes give nothing. `isOver`: true if nobody
 * waits for the rest.
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
    const leave = (result: FileRead | Error): void => {
      close(fd, () => {
        done(result);
      });
    };
    const look = (length: number): void => {
      fstat(fd, (error, stats) => {
        leave(error ?? { length, stats });
      });
    };
    const step = (length: number): void => {
      const wanted = Math.min(memory.length - length, READ_BYTES);
      if (wanted === 0) {
        look(length);
        return;
      }
      read(fd, memory, length, wanted, null, (error, count) => {
        if (error !== null) leave(error);
        else if (count === 0 || isOver()) look(length + count);
        else step(length + count);
      });
    };
    step(0);
  });
}
