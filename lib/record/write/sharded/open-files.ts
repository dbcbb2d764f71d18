import { close, open, type NoParamCallback } from 'node:fs';

import { lacksDescriptors } from '../../../base';
import { settled } from '../../../io';

/** Maximum number of files that are open at a time. */
export const MAX_OPEN = 1000;
/** Maximum number of files that are written at a time; the other open ones are idle. */
const MAX_BUSY = 32;

/** A file that is written in parts, and closed between them if too many are open. */
export interface PartedFile {
  descriptor: number | undefined;
  /** True if the file exists, so that opening it goes on with it. */
  made: boolean;
}

/**
 * Keeps files open while they are written in parts, at most {@link MAX_OPEN}: the one that was written the longest ago is
 * closed for another one, and opened again for its next part.
 */
export class OpenFiles {
  /** Open files that nobody uses, the one that was used the longest ago first. */
  readonly #idle = new Set<PartedFile>();
  readonly #waiting: (() => void)[] = [];
  #open = 0;
  #busy = 0;
  #limit: number;

  constructor(limit = MAX_OPEN) {
    this.#limit = limit;
  }

  /** Number of files that are open. */
  get open(): number {
    return this.#open;
  }

  /** Calls `work` with the file `path`, whose state is `file`. One call at a time for each file. @throws errors of Node */
  async use<T>(path: string, file: PartedFile, work: (descriptor: number) => Promise<T>): Promise<T> {
    if (this.#busy >= MAX_BUSY) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#busy++;
    this.#idle.delete(file);
    try {
      return await work((file.descriptor ??= await this.#opened(path, file)));
    } finally {
      if (file.descriptor !== undefined) this.#idle.add(file);
      // The next one takes over the turn.
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy--;
      else next();
    }
  }

  /** Closes `file`, which nobody uses. @throws errors of Node */
  async close(file: PartedFile): Promise<void> {
    const { descriptor } = file;
    if (descriptor === undefined) return;
    file.descriptor = undefined;
    this.#idle.delete(file);
    this.#open--;
    await settled((done: NoParamCallback) => {
      close(descriptor, done);
    });
  }

  async #opened(path: string, file: PartedFile): Promise<number> {
    this.#open++;
    try {
      for (;;) {
        while (this.#open > this.#limit && this.#idle.size > 0) await this.#closeOldest();
        try {
          const descriptor = await settled<number>((done) => {
            open(path, file.made ? 'r+' : 'wx', done);
          });
          file.made = true;
          return descriptor;
        } catch (error) {
          // The process may open fewer files than the limit says.
          if (!lacksDescriptors(error) || this.#idle.size === 0) throw error;
          this.#limit = Math.max(1, Math.floor(this.#open / 2));
        }
      }
    } catch (error) {
      this.#open--;
      throw error;
    }
  }

  async #closeOldest(): Promise<void> {
    const [oldest] = this.#idle;
    await this.close(oldest!);
  }
}
