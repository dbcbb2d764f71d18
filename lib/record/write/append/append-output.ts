import { counted, fromNodeError, systemErrorOf } from '../../../base';
import type { Output } from '../../../io';
import type { LockedFile } from './locked-file';

/**
 * Appends to a file, in place. Another program that writes the same file is noticed by the file's size, which it changes.
 */
export class AppendOutput implements Output {
  readonly #file: string;
  readonly #locked: LockedFile;
  /** The size to go back to. */
  #start = 0;
  #position = 0;
  readonly #takeAway: () => Promise<void>;
  /** The call under way. Never rejects. */
  #pending: Promise<unknown> = Promise.resolve();
  #over = false;

  /** `file`: the name in errors. `takeAway`: removes the file if it did not exist before. */
  constructor(file: string, locked: LockedFile, takeAway: () => Promise<void>) {
    this.#file = file;
    this.#locked = locked;
    this.#takeAway = takeAway;
  }

  /** The file has `bytes` that stay, whatever happens. */
  startAt(bytes: number): void {
    this.#start = bytes;
    this.#position = bytes;
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#step(async () => {
      const size = await this.#size();
      if (size !== this.#position) {
        const found = `${counted(size, 'byte')}, found where ${this.#position} were written`;
        throw systemErrorOf('EBUSY', 'write', this.#file, `Another program writes the file, too: it has ${found}`);
      }
      for (let at = 0; at < chunk.length;) {
        const written = await this.#locked.write(chunk, at, this.#position);
        at += written;
        this.#position += written;
      }
    });
  }

  flush(sync: boolean): Promise<void> {
    return this.#step(() => (sync ? this.#locked.sync() : Promise.resolve()));
  }

  /** @throws TFRecordError EBUSY if the file lost its name: nobody would find the records */
  async end(): Promise<void> {
    await this.#step(async () => {
      await this.#locked.sync();
      if (await this.#locked.hasName()) return;
      throw systemErrorOf(
        'EBUSY',
        'close',
        this.#file,
        'Another writer replaced or removed the file: write the records again',
      );
    });
    this.close();
  }

  /** Gives the appended bytes up: the file gets its former length, or goes away. */
  async abort(): Promise<void> {
    if (this.#over) return;
    await this.#pending;
    try {
      // Another program may have added bytes, which stay.
      const size = await this.#size();
      if (size === this.#position && size !== this.#start) await this.#locked.truncate(this.#start);
      if (size === this.#position) await this.#takeAway();
    } catch {
      // The error that led here says more; the next writer trims what is torn.
    }
    this.close();
  }

  /** Leaves the file as it is. */
  close(): void {
    this.#over = true;
    this.#locked.close();
  }

  async #size(): Promise<number> {
    return Number((await this.#locked.stat()).size);
  }

  #step(call: () => Promise<void>): Promise<void> {
    const step = call().catch((cause: unknown) => {
      throw fromNodeError(cause, this.#file);
    });
    this.#pending = step.catch(() => undefined);
    return step;
  }
}
