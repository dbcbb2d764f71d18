import type { Writable } from 'node:stream';

/** Characters collected before they are written: one system call for hundreds of lines. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Lines to a stream, with backpressure. When whoever reads them goes away (`| head`), `closed` turns true and what is
 * written after that is dropped: that is how such a pipe ends, not an error. Other errors are thrown.
 */
export class LineWriter {
  readonly #stream: Writable;
  #pending = '';
  #error: Error | undefined;
  #closed = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error) => {
      this.#failed(error);
    });
  }

  /** Nobody reads any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Adds a line; a promise when the caller should wait. */
  line(text: string): Promise<void> | undefined {
    this.#pending += `${text}\n`;
    return this.#pending.length < CHUNK_LENGTH ? undefined : this.flush();
  }

  /** Resolves when all lines are with the system. */
  async flush(): Promise<void> {
    const chunk = this.#pending;
    this.#pending = '';
    if (chunk !== '' && !this.#closed && this.#error === undefined) {
      await new Promise<void>((resolve) => {
        this.#stream.write(chunk, (error) => {
          if (error) this.#failed(error);
          resolve();
        });
      });
    }
    if (this.#error !== undefined) throw this.#error;
  }

  #failed(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') this.#closed = true;
    else this.#error ??= new Error(`cannot write the output: ${error.message}`, { cause: error });
  }
}
