import { fsync, write, type NoParamCallback } from 'node:fs';

import { fromNodeError } from '../../../base';
import { settled, type Output } from '../../../io';
import { native } from '../../../native';
import { crc32c } from '../../crc32c';
import type { OpenFiles, PartedFile } from './open-files';

/** The file of a shard under its temporary name. It is open only while there is something to write, and a while after. */
export class ShardOutput implements Output {
  /** CRC-32C of the file so far. */
  sum = 0;
  readonly #file: string;
  readonly #path: string;
  readonly #files: OpenFiles;
  readonly #state: PartedFile = { descriptor: undefined, made: false };
  #position = 0;
  /** The call under way. Never rejects. */
  #pending: Promise<unknown> = Promise.resolve();

  /** `file`: the name in errors. */
  constructor(file: string, path: string, files: OpenFiles) {
    this.#file = file;
    this.#path = path;
    this.#files = files;
  }

  /** Writes `chunk`, which nobody else has: its memory is freed. */
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    this.sum = crc32c(chunk, this.sum);
    return this.#step(() =>
      this.#files.use(this.#path, this.#state, async (descriptor) => {
        for (let at = 0; at < chunk.length;) {
          const bytes = await settled<number>((done) => {
            write(descriptor, chunk, at, chunk.length - at, this.#position, done);
          });
          at += bytes;
          this.#position += bytes;
        }
        native().detach([chunk.buffer]);
      }),
    );
  }

  flush(sync: boolean): Promise<void> {
    if (!sync) return Promise.resolve();
    return this.#step(() =>
      this.#files.use(this.#path, this.#state, (descriptor) =>
        settled((done: NoParamCallback) => {
          fsync(descriptor, done);
        }),
      ),
    );
  }

  /** Syncs and closes the file. A file without records and without compression is made here. */
  async end(): Promise<void> {
    await this.flush(true);
    await this.#step(() => this.#files.close(this.#state));
  }

  /** Closes the file. Never rejects. */
  async abort(): Promise<void> {
    await this.#pending;
    await this.#files.close(this.#state).catch(() => undefined);
  }

  #step(call: () => Promise<void>): Promise<void> {
    const step = call().catch((cause: unknown) => {
      throw fromNodeError(cause, this.#file, 'write');
    });
    this.#pending = step.catch(() => undefined);
    return step;
  }
}
