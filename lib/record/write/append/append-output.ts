import { stat, type FileHandle } from 'node:fs/promises';

import { fromNodeError, systemErrorOf } from '../../faults';
import type { Output } from '../write-target';

/** True if `path` leads to the file of `handle`. */
export async function hasName(handle: FileHandle, path: string): Promise<boolean> {
  const [own, named] = await Promise.all([
    handle.stat({ bigint: true }),
    stat(path, { bigint: true }).catch(() => undefined),
  ]);
  return own.dev === named?.dev && own.ino === named.ino;
}

/**
 * Writes behind the content of a file, in place. The handle has the file's lock, which other writers of this package heed.
 * Another program that writes the same file is noticed by the file's size, which it changes.
 */
export class AppendOutput implements Output {
  readonly #file: string;
  readonly #path: string;
  readonly #handle: FileHandle;
  /** The size to go back to. */
  #start = 0;
  #position = 0;
  readonly #takeAway: () => Promise<void>;
  /** The call under way. Never rejects. */
  #pending: Promise<unknown> = Promise.resolve();
  #over = false;

  /** `file`: the name of `path` in errors. `takeAway`: removes the file if it did not exist before. */
  constructor(file: string, path: string, handle: FileHandle, takeAway: () => Promise<void>) {
    this.#file = file;
    this.#path = path;
    this.#handle = handle;
    this.#takeAway = takeAway;
  }

  /** The file has `bytes` that stay, whatever happens. */
  startAt(bytes: number): void {
    this.#start = bytes;
    this.#position = bytes;
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#step(async () => {
      const { size } = await this.#handle.stat();
      if (size !== this.#position) {
        const found = `${size} bytes, found where ${this.#position} were written`;
        throw systemErrorOf('EBUSY', 'write', this.#file, `Another program writes the file, too: it has ${found}`);
      }
      for (let at = 0; at < chunk.length;) {
        const { bytesWritten } = await this.#handle.write(chunk, at, chunk.length - at, this.#position);
        at += bytesWritten;
        this.#position += bytesWritten;
      }
    });
  }

  flush(sync: boolean): Promise<void> {
    return this.#step(() => (sync ? this.#handle.sync() : Promise.resolve()));
  }

  /** @throws TFRecordError EBUSY if the file lost its name: nobody would find the records */
  async end(): Promise<void> {
    await this.#step(async () => {
      await this.#handle.sync();
      if (await hasName(this.#handle, this.#path)) return;
      throw systemErrorOf(
        'EBUSY',
        'close',
        this.#file,
        'Another writer replaced or removed the file: write the records again',
      );
    });
    await this.close();
  }

  /** Gives the appended bytes up: the file gets its former length, or goes away. */
  async abort(): Promise<void> {
    if (this.#over) return;
    await this.#pending;
    try {
      // Another program may have added bytes, which stay.
      const { size } = await this.#handle.stat();
      if (size === this.#position && size !== this.#start) await this.#handle.truncate(this.#start);
      if (size === this.#position) await this.#takeAway();
    } catch {
      // The error that led here says more; the next writer trims what is torn.
    }
    await this.close();
  }

  /** Leaves the file as it is. */
  async close(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    await this.#handle.close().catch(() => undefined);
  }

  #step(call: () => Promise<void>): Promise<void> {
    const step = call().catch((cause: unknown) => {
      throw fromNodeError(cause, this.#file);
    });
    this.#pending = step.catch(() => undefined);
    return step;
  }
}
