import { types } from 'node:util';

import { illegalConstructor, invalidArgType, outOfRange, TFRecordError } from '../errors';
import { givenLength, lengthOf } from './byte-length';
import { FRAME_BYTES, MAX_RECORD_BYTES } from './format';
import { SLAB_BYTES } from './frame-slab';
import { onAbort } from './on-abort';
import { SlabQueue } from './slab-queue';
import { classifyTarget, type WriteTarget } from './target';
import { resolveWriteOptions, type WriteOptions } from './write-options';

/** What was written. */
export interface WriteReport {
  /** Records written. */
  readonly records: number;
  /** Payload, uncompressed, without framing. */
  readonly bytes: number;
  /** Size of the file, or bytes given to the stream. */
  readonly fileBytes: number;
}

/**
 * Writes one TFRecord file. Checksums, compression and output run on native threads, beside JavaScript.
 *
 * ```js
 * const writer = await RecordWriter.open('train.tfrecord.gz');
 * for (const record of records) await writer.write(record);
 * await writer.close();
 * ```
 *
 * Nothing is lost in silence: after a failure every `write`, `flush`, `sync` and `close` rejects with the first error,
 * and an atomic file does not appear. Rejections of `write`, `flush` and `sync` never count as unhandled, because
 * `close` tells. A writer that is neither closed nor aborted leaves nothing under the name of an atomic file; when the
 * process is killed or calls `process.exit`, the hidden temporary file may stay.
 */
export class RecordWriter implements AsyncDisposable {
  readonly #queue: SlabQueue;
  readonly #stopListening: () => void;
  #closed: Promise<WriteReport> | undefined;
  /** The file is whole and has its name. */
  #finished = false;
  #aborted: Promise<void> | undefined;

  private constructor(queue: SlabQueue, signal: AbortSignal | undefined) {
    if (!(queue instanceof SlabQueue)) throw illegalConstructor('RecordWriter.open()');
    this.#queue = queue;
    this.#stopListening =
      signal === undefined
        ? () => undefined
        : onAbort(signal, () => {
            queue.fail(signal.reason);
          });
  }

  /**
   * Opens `target`: a path or file URL, or a web or Node stream, which takes the bytes of the file, is waited for and
   * ended by `close`. For a name that is a pipe it waits until somebody reads.
   *
   * @throws TypeError, RangeError with Node's codes for wrong arguments; TFRecordError with Node's code when the file
   * cannot be opened; `signal.reason`.
   */
  static async open(target: WriteTarget, options?: WriteOptions): Promise<RecordWriter> {
    const classified = classifyTarget(target);
    const plan = resolveWriteOptions(options, classified.path ?? '');
    plan.signal?.throwIfAborted();
    const writer = new RecordWriter(new SlabQueue(classified, plan), plan.signal);
    try {
      await writer.#queue.start();
    } catch (error) {
      writer.#stopListening();
      throw error;
    }
    return writer;
  }

  /**
   * Writes one record: bytes, or text as UTF-8. The bytes are copied before it returns, so the array may be used again.
   *
   * @returns a promise when more than `threads` + 2 slabs of 1 MiB are under way and the caller should wait, else
   * undefined. Not waiting costs memory, nothing else.
   * @throws TypeError ERR_INVALID_ARG_TYPE for another type, ERR_INVALID_ARG_VALUE for an array whose memory was
   * transferred away (which looks empty), RangeError ERR_OUT_OF_RANGE for a record over 4 GiB - 17
   * bytes (or what a Buffer can hold, if that is less). Rejects with TFR_CLOSED after `close`.
   */
  write(record: Uint8Array | string): Promise<void> | undefined {
    const queue = this.#queue;
    const written = types.isUint8Array(record)
      ? queue.slab.append(record, givenLength('record', record))
      : typeof record === 'string' && queue.slab.appendText(record);
    return written ? queue.pressure : this.#writeSlowly(record);
  }

  /**
   * Passes on all records written before, so that whoever reads the target now finds them whole. A gzip member ends
   * here: flushing after every few records costs size. An atomic file still has its temporary name.
   */
  flush(): Promise<void> {
    return quiet(this.#flush(false));
  }

  /** Like `flush`, and what was written is on the disk when it settles (where the target has one). */
  sync(): Promise<void> {
    return quiet(this.#flush(true));
  }

  /**
   * Writes what is left, ends the file and, when atomic, brings it to the disk under its name. Rejects with the first
   * error if anything failed: then an atomic file does not appear, and one in place is incomplete. Calling it again
   * returns the same promise.
   */
  close(): Promise<WriteReport> {
    return (this.#closed ??= this.#close());
  }

  /**
   * Gives the file up: nothing appears under the name of an atomic file; one in place keeps what was written; a stream
   * is destroyed. What is pending, and every later call, rejects with TFR_CLOSED. Does nothing after `close`; while
   * that is pending, it resolves if the target was whole before the abort, and rejects if nothing comes of it.
   */
  abort(): Promise<void> {
    return (this.#aborted ??= this.#abort());
  }

  /**
   * Closes, unless that was done. When the block of an `await using` throws, the file is closed all the same, because a
   * disposer cannot know: call `abort` in a `catch` where half a file is worse than none, or use `writeRecords`.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed === undefined && this.#aborted === undefined) await this.close();
    else await Promise.allSettled([this.#closed, this.#aborted]);
  }

  /** No room in the slab, no slab, or an argument that is none. */
  #writeSlowly(record: Uint8Array | string): Promise<void> | undefined {
    const text = typeof record === 'string';
    if (!text && !types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array or a string', record);
    const bytes = text ? Buffer.byteLength(record) : lengthOf(record);
    if (bytes > MAX_RECORD_BYTES) throw outOfRange('record', `at most ${MAX_RECORD_BYTES} bytes long`, bytes);
    const queue = this.#queue;
    if (queue.failure !== undefined) return quiet(rejection(queue.failure.error));
    // Nobody calls `close` after it to learn of this one.
    if (this.#closed !== undefined) return rejection(this.#closedError('closed'));
    const append = (): boolean => (text ? queue.slab.appendTextOf(record, bytes) : queue.slab.append(record, bytes));
    if (!append()) {
      try {
        queue.makeRoom(bytes + FRAME_BYTES);
      } catch (error) {
        // The record is lost, so the file would not be what the caller wrote.
        queue.fail(error);
        return quiet(rejection(error));
      }
      append();
      if (bytes + FRAME_BYTES > SLAB_BYTES) queue.push();
    }
    return queue.pressure;
  }

  async #flush(sync: boolean): Promise<void> {
    if (this.#queue.failure !== undefined) throw this.#queue.failure.error;
    if (this.#closed !== undefined) throw this.#closedError('closed');
    await this.#queue.flush(sync);
  }

  async #close(): Promise<WriteReport> {
    try {
      const fileBytes = await this.#queue.close();
      this.#finished = true;
      const { records, bytes } = this.#queue;
      return { records, bytes, fileBytes };
    } finally {
      this.#stopListening();
    }
  }

  async #abort(): Promise<void> {
    if (this.#finished) return;
    this.#stopListening();
    this.#queue.fail(this.#closedError('aborted'));
    await this.#queue.settled();
  }

  #closedError(state: 'closed' | 'aborted'): TFRecordError {
    const { file } = this.#queue;
    return new TFRecordError('TFR_CLOSED', `The writer of ${file} was ${state}: open another one to write more.`, {
      file,
    });
  }
}

function rejection(error: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason of a signal may be anything
  return Promise.reject(error);
}

/** `promise`, which does not count as unhandled when nobody looks at it. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
