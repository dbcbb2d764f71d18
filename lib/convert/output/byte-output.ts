/** Writes bytes to files and streams, optionally compressed with gzip. */
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { fromNodeError, onAbort, type Compression } from '../../base';
import { classifyTarget, DEFAULT_LEVEL, hasMembers, type Output, type WriteTarget } from '../../io';

const compress = promisify(gzip);
/** Maximum number of chunks that are compressed and written in parallel. */
const AHEAD = 4;

/** A target for bytes. Writes chunks in order, and compresses several of them in parallel. */
export class ByteOutput {
  readonly #target: Output;
  readonly #level: number | undefined;
  readonly #stopListening: () => void;
  /** Resolves when all chunks so far were written. */
  #tail: Promise<void> = Promise.resolve();
  #underWay = 0;
  #waiting: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Resolves when the target has been given up. */
  #aborted: Promise<void> | undefined;
  #bytes = 0;

  private constructor(target: Output, level: number | undefined, signal: AbortSignal | undefined) {
    this.#target = target;
    this.#level = level;
    this.#stopListening =
      signal === undefined
        ? () => undefined
        : onAbort(signal, () => {
            this.#fail(signal.reason);
          });
  }

  /** Opens `target`. `level`: default 6. @throws the errors of the file system; `signal.reason` */
  static async open(
    target: WriteTarget,
    compression: Compression,
    level: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ByteOutput> {
    const { file, path, open: openStream } = classifyTarget(target);
    signal?.throwIfAborted();
    const output = openStream() ?? (await FileOutput.create(file, path!));
    return new ByteOutput(output, hasMembers(compression) ? (level ?? DEFAULT_LEVEL) : undefined, signal);
  }

  /** Number of bytes written. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Writes `chunk`. Calls `written` when its memory is free again. Returns a promise if the caller should wait.
   * @throws the first failure
   */
  write(chunk: Buffer, written: () => void): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#underWay++;
    const ready = this.#level === undefined ? chunk : compress(chunk, { level: this.#level });
    // The promise is awaited later, in turn; until then its rejection must not count as unhandled.
    if (ready instanceof Promise) ready.catch(() => undefined);
    this.#tail = this.#pass(this.#tail, ready, () => {
      // A stream may keep an uncompressed chunk, so its memory is not free.
      if (this.#level !== undefined || this.#target instanceof FileOutput) written();
    });
    if (this.#underWay < AHEAD) return undefined;
    return new Promise<void>((resolve) => {
      this.#waiting = resolve;
    }).then(() => {
      if (this.#failure !== undefined) throw this.#failure.error;
    });
  }

  /** Ends the target. */
  async close(): Promise<void> {
    await this.#tail;
    // Without any chunk, the output would lack a gzip member.
    if (this.#level !== undefined && this.#bytes === 0)
      await this.#pass(this.#tail, compress(Buffer.alloc(0)), () => undefined);
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      await this.#target.end();
    } finally {
      this.#stopListening();
    }
  }

  /** Stops writing. Resolves when the target has been given up. Never rejects. */
  async abort(): Promise<void> {
    this.#fail(new Error('The output was given up'));
    await this.#tail;
    await this.#aborted;
  }

  /** Writes a chunk after all `earlier` ones. Never rejects. */
  async #pass(earlier: Promise<void>, ready: Buffer | Promise<Buffer>, written: () => void): Promise<void> {
    try {
      const chunk = await ready;
      await earlier;
      if (this.#failure === undefined) {
        await this.#target.write(chunk);
        this.#bytes += chunk.length;
        written();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#underWay--;
      this.#waiting?.();
      this.#waiting = undefined;
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    this.#stopListening();
    this.#aborted = this.#target.abort(error);
    this.#waiting?.();
  }
}

/** A file that is written from its start. */
class FileOutput implements Output {
  readonly #file: string;
  readonly #handle: FileHandle;
  #closed: Promise<void> | undefined;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async create(file: string, path: string): Promise<FileOutput> {
    return new FileOutput(file, await named(file, open(path, 'w')));
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      const { bytesWritten } = await named(this.#file, this.#handle.write(chunk, at));
      at += bytesWritten;
    }
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  end(): Promise<void> {
    return (this.#closed ??= named(this.#file, this.#handle.close()));
  }

  async abort(): Promise<void> {
    await this.end().catch(() => undefined);
  }
}

async function named<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fromNodeError(error, file);
  }
}
