import type { FileHandle } from 'node:fs/promises';

import { fromNodeError, systemErrorOf } from '../../faults';
import type { Output } from '../write-target';

/** The files that writers of this thread append to, by device and number: a second writer would write over the first. */
const open = new Set<string>();

/**
 * Writes behind the content of a file, in place. Another process that writes the same file is noticed by the file's size,
 * which it changes.
 */
export class AppendOutput implements Output {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #key: string;
  /** The size to go back to. */
  #start = 0;
  #position = 0;
  /** Removes the file, which did not exist before. */
  readonly #remove: (() => Promise<void>) | undefined;
  /** The call under way. Never rejects. */
  #pending: Promise<unknown> = Promise.resolve();
  #over = false;

  /**
   * @param remove takes a new file away when it is given up
   * @throws TFRecordError EBUSY if another writer of this thread appends to the file
   */
  static async of(file: string, handle: FileHandle, remove: (() => Promise<void>) | undefined): Promise<AppendOutput> {
    const { dev, ino } = await handle.stat({ bigint: true });
    const key = `${dev}:${ino}`;
    if (open.has(key)) throw systemErrorOf('EBUSY', 'open', file, 'Another writer appends to it: close that one first');
    open.add(key);
    return new AppendOutput(file, handle, key, remove);
  }

  private constructor(file: string, handle: FileHandle, key: string, remove: (() => Promise<void>) | undefined) {
    this.#file = file;
    this.#handle = handle;
    this.#key = key;
    this.#remove = remove;
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

  async end(): Promise<void> {
    await this.#step(() => this.#handle.sync());
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
      if (size === this.#position) await this.#remove?.();
    } catch {
      // The error that led here says more; the next writer trims what is torn.
    }
    await this.close();
  }

  /** Leaves the file as it is. */
  async close(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    open.delete(this.#key);
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
