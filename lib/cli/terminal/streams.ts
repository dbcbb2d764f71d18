import type { Readable, Writable } from 'node:stream';

/** A stream that may be a terminal. */
interface MaybeTerminal {
  readonly isTTY?: boolean;
  /** The width of the terminal, in characters. */
  readonly columns?: number;
}

/** The streams and the environment of the command: `process`, or a test's replacement. */
export interface Streams {
  readonly stdin: Readable & MaybeTerminal;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** True for a terminal that supports colours, unless NO_COLOR is set and not empty (https://no-color.org). */
export function wantsColor(stream: MaybeTerminal, env: Streams['env']): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

/** Number of characters to collect before a write: one system call for hundreds of lines. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Writes lines to a stream, with backpressure. If the reader closes the pipe (`| head`), which is not an error,
 * `closed` becomes true, and later lines are dropped. Other errors are thrown.
 */
export class LineWriter {
  readonly #stream: Writable;
  #pending = '';
  #error: Error | undefined;
  #closed = false;
  /** Ends the pending wait for the stream. */
  #wake: (() => void) | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error) => {
      this.#failed(error);
    });
  }

  /**
   * True if nothing more can be written: the reader has closed the pipe, or writing has failed. `flush` throws the
   * error.
   */
  get closed(): boolean {
    return this.#closed || this.#error !== undefined;
  }

  /** Drops all later output, and ends pending waits. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Adds a line, given as one text or as chunks of bytes. Returns a promise if the caller should wait. */
  line(text: string | readonly Uint8Array[]): Promise<void> | undefined {
    if (typeof text !== 'string') return this.#pieces(text);
    this.#pending += `${text}\n`;
    return this.#pending.length < CHUNK_LENGTH ? undefined : this.flush();
  }

  /** Writes all pending lines. Resolves when the operating system has them. @throws the error of writing */
  flush(): Promise<void> {
    const chunk = this.#pending;
    this.#pending = '';
    return this.#write(chunk);
  }

  /** Writes bytes after the pending lines. Resolves when the operating system has them. @throws the error of writing */
  async bytes(chunk: Uint8Array): Promise<void> {
    await this.flush();
    await this.#write(chunk);
  }

  async #pieces(pieces: readonly Uint8Array[]): Promise<void> {
    await this.flush();
    for (const piece of pieces) await this.#write(piece);
    this.#pending += '\n';
  }

  async #write(chunk: string | Uint8Array): Promise<void> {
    if (chunk.length > 0 && !this.#closed && this.#error === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
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
    else {
      const failure = new Error(`cannot write the output: ${error.message}`, { cause: error });
      this.#error ??= Object.assign(failure, { code: error.code });
    }
  }
}
