import { inspect, types } from 'node:util';

import {
  illegalConstructor,
  invalidArgType,
  invalidArgValue,
  isInstance,
  isRevoked,
  callersHere,
  fullPath,
  withCallers,
  workingFolder,
  writerTurns,
  inspected,
  type InspectArguments,
  onAbort,
} from '../../base';

import { listBatch, type RecordList } from '../batch/gather-records';
import { RecordBatch, spanOf, type FrameSpan } from '../batch/record-batch';
import { givenLength, classifyTarget, type WriteTarget, type ClassifiedTarget } from '../../io';
import { openAppended } from './append/append-target';
import { appendList, appendRecord, checkLengths, recordLength } from './append-records';
import { watchUnclosedWriter } from './unclosed-writers';
import { closedError, quiet, rejection } from './rejections';
import { SlabQueue, type IndexedOutput } from './slab-queue';
import { resolveWriteOptions, type WriteOptions } from './write-options';

const A_BATCH =
  'a RecordBatch, from encodeExamples() or from batches() of a RecordReader (write() takes a single record)';

/** Size of the least frames that are sent as they are. A copy of fewer bytes takes less time than a call. */
const LEAST_SPAN = 64 * 1024;

/** The result of {@link RecordWriter.close}: what was written. */
export interface WriteReport {
  /** Records that this writer wrote. */
  readonly records: number;
  /** Payload of these records, uncompressed, without framing. */
  readonly bytes: number;
  /** Size of the whole file, records from before included, or bytes given to the stream. */
  readonly fileBytes: number;
}

/** Writes the records of `list` with `writer`, like `RecordWriter.writeBatch`. */
export let writeListed: (writer: RecordWriter, list: RecordList) => Promise<void> | undefined;

/** Opens a writer as {@link RecordWriter.open} does. `indexed`: the file, if its index is saved. `sums`: {@link sumOf} is wanted. */
export let openWriter: (
  target: ClassifiedTarget,
  options: WriteOptions | undefined,
  indexed?: IndexedOutput,
  sums?: boolean,
) => Promise<RecordWriter>;

/** Saves the index of the file of a writer of {@link openOutput} that is closed. The file is called `path` by now. */
export let saveIndexOf: (writer: RecordWriter, path: string) => Promise<void>;

/** The CRC-32C of what a writer of {@link openOutput} that is closed has written; undefined if it is unknown. */
export let sumOf: (writer: RecordWriter) => number | undefined;

/**
 * Writes one TFRecord file. Checksums, compression and output run on native threads, beside JavaScript.
 *
 * ```js
 * await using writer = await RecordWriter.open('train.tfrecord.gz');
 * for (const record of records) await writer.write(record);
 * await writer.close();
 * ```
 *
 * `close` publishes the file. A writer that ends without `close` gives the file up, and no file appears under the name:
 * after an exception in the block of `await using`, after `abort`, or when its signal aborts. Without `await using`, call
 * `abort` in a `catch` or `finally`; it does nothing after `close`.
 *
 * No failure goes unnoticed: after one, every `write`, `flush`, `sync` and `close` rejects with the first error.
 * Rejections of `write`, `flush` and `sync` never count as unhandled, because `close` rejects, too. If a writer is
 * collected, or still open when its process, worker thread or Electron page ends, the warning TFR_WRITER_LEFT names its
 * file. If the process is killed or calls `process.exit`, the hidden temporary file may stay.
 *
 * @example
 * await using writer = await RecordWriter.open('train.tfrecord.gz');
 * for (const record of records) await writer.write(record);
 * await writer.close();
 */
export class RecordWriter implements AsyncDisposable {
  readonly #queue: SlabQueue;
  /** Stops listening to the signal, and stops watching for a writer that is left open. */
  readonly #end: () => void;
  #closed: Promise<WriteReport> | undefined;
  /** True once the file is complete and has its name. */
  #finished = false;
  #aborted: Promise<void> | undefined;

  static {
    writeListed = (writer, list) => writer.#writeListed(list);
    saveIndexOf = (writer, path) => writer.#queue.saveIndex(fullPath(path, workingFolder()));
    sumOf = (writer) => writer.#queue.crc32c;
    openWriter = async (target, options, indexed, sums) => {
      const plan = resolveWriteOptions(options, target.path ?? target.url ?? '');
      plan.signal?.throwIfAborted();
      const writer = new RecordWriter(new SlabQueue(target, plan, indexed, undefined, sums), plan.signal);
      try {
        await writer.#queue.start();
        await writerTurns.look();
      } catch (error) {
        writer.#end();
        throw error;
      }
      return writer;
    };
  }

  private constructor(queue: SlabQueue, signal: AbortSignal | undefined) {
    if (!isInstance(queue, SlabQueue)) throw illegalConstructor('RecordWriter.open()');
    this.#queue = queue;
    this.#end = watch(this, queue, signal);
  }

  /**
   * Opens `target`: a path or file URL, or a web or Node stream that takes the bytes of the file. The writer waits for a
   * stream that is full, and `close` ends it. A named pipe opens when somebody reads it.
   *
   * @throws TypeError or RangeError with Node's codes for wrong arguments; TFRecordError with Node's code if the file
   *   cannot be opened; `signal.reason` if the signal aborts. With `append`: TFR_COMPRESSION, and the codes of damage, for
   *   a file that nothing can be appended to.
   *
   * @example
   * await using writer = await RecordWriter.open('train.tfrecord.gz', { level: 9 });
   */
  static async open(target: WriteTarget, options?: WriteOptions): Promise<RecordWriter> {
    const classified = classifyTarget(target);
    // A level fits or not by the compression of the file, which is not known yet.
    const checked = !isRevoked(options) && options?.append === true ? { ...options, level: undefined } : options;
    const { append, index, signal } = resolveWriteOptions(checked, classified.path ?? classified.url ?? '');
    const { file, path } = classified;
    const elsewhere = 'absent or false for a stream and for a URL';
    if (index && path === undefined) throw invalidArgValue('options.index', elsewhere, index);
    const indexed = index ? { path } : undefined;
    if (!append) return openWriter(classified, options, indexed);
    if (path === undefined) throw invalidArgValue('options.append', elsewhere, append);
    signal?.throwIfAborted();
    const appended = await openAppended(file, path, { ...options, index: false }, rewrite);
    try {
      return await openWriter(appended.target, appended.options, indexed);
    } catch (error) {
      await appended.target.open()?.abort(error);
      throw error;
    }
  }

  /**
   * Writes one record: bytes, or text as UTF-8. The bytes are copied before it returns, so the caller may reuse the array.
   *
   * @returns A promise if the caller should wait, otherwise undefined. The caller should wait if more than `threads` + 2
   *   slabs of 1 MiB, or 64 MiB of longer records, are under way, or if the event loop has not turned for 10 ms. A caller
   *   that does not wait uses more memory and delays timers; nothing else happens.
   * @throws TypeError ERR_INVALID_ARG_TYPE for another type; ERR_INVALID_ARG_VALUE for an array whose memory was
   *   transferred away (which looks empty), and for text with a lone surrogate. RangeError ERR_OUT_OF_RANGE for a record
   *   over 4 GiB - 17 bytes (or over what a Buffer can hold, if that is less). TFRecordError TFR_RECORD_TOO_LARGE for a
   *   record over `maxRecordBytes`. Such a record is not written. Rejects with TFR_CLOSED after `close`.
   *
   * @example
   * const full = writer.write(record);
   * if (full !== undefined) await full;
   */
  write(record: Uint8Array | string): Promise<void> | undefined {
    const queue = this.#queue;
    const written = types.isUint8Array(record)
      ? queue.slab.append(record, givenLength('record', record))
      : typeof record === 'string' && record.isWellFormed() && queue.slab.appendText(record);
    if (!written) return this.#writeSlowly(record);
    return --writerTurns.left > 0 && queue.pressure === undefined ? undefined : this.#look();
  }

  /**
   * Writes all records of `batch`, a result of `encodeExamples` or of a RecordReader's `batches()`. The file is the same as
   * with `write` for each record, but this is faster. The bytes are copied before it returns, so the caller may reuse the
   * batch. That holds the thread for about 1 ms per MB: for batches of many MB use `writeRecords`, which copies them in
   * parts.
   *
   * @returns A promise if the caller should wait, as for `write`.
   * @throws TypeError ERR_INVALID_ARG_TYPE for anything but a RecordBatch; TFRecordError TFR_CLOSED for a batch whose
   *   memory was transferred away, TFR_RECORD_TOO_LARGE if a record is longer than `maxRecordBytes`. Nothing of such a
   *   batch is written. Rejects with TFR_CLOSED after `close`.
   *
   * @example
   * const spec = { id: fixedLen([], 'int64') };
   * await writer.writeBatch(encodeExamples({ id: BigInt64Array.of(1n, 2n) }, spec));
   */
  writeBatch(batch: RecordBatch): Promise<void> | undefined {
    if (!isInstance(batch, RecordBatch)) throw invalidArgType('batch', A_BATCH, batch);
    const span = this.#queue.takesSpans ? spanOf(batch, LEAST_SPAN) : undefined;
    return span === undefined || span.payloadBytes > this.#queue.maxRecordBytes
      ? this.#writeListed(listBatch(batch))
      : this.#writeSpan(span);
  }

  /**
   * Passes all records written before on to the target, so that its readers find them complete. A gzip member ends here,
   * so flushing after every few records makes the file larger. An atomic file keeps its temporary name until `close`.
   *
   * @example
   * await writer.flush(); // readers of a file in place see all records so far
   */
  flush(): Promise<void> {
    return quiet(this.#flush(false));
  }

  /**
   * Like `flush`; when it resolves, the records are also on the disk, if the target is a file.
   *
   * @example
   * await writer.sync(); // a power cut loses nothing of a file in place
   */
  sync(): Promise<void> {
    return quiet(this.#flush(true));
  }

  /**
   * Writes the rest and ends the file. If atomic, also syncs it to the disk and gives it its name. Rejects with the first
   * error if anything failed: then an atomic file does not appear, a file written in place is incomplete, and a file
   * appended to gets its former length. One error
   * is different, and its message says so: if `fsync` of the folder fails, the file has its name but may not survive a
   * power cut. Calling `close` again returns the same promise.
   *
   * @example
   * const { records: written, fileBytes } = await writer.close();
   */
  close(): Promise<WriteReport> {
    return (this.#closed ??= this.#close());
  }

  /**
   * Gives the file up. An atomic file does not appear, and an existing file stays as it was. A file written in place
   * keeps the bytes written so far, and one appended to gets its former length. A stream is ended by `destroy(error)`
   * or `abort(error)`, so that the reader at its other end notices. Pending and later calls reject with TFR_CLOSED.
   * Does nothing once `close` has finished. A `close` that is still pending resolves if the target was complete before
   * the abort, and rejects otherwise.
   *
   * @example
   * await writer.abort(); // does nothing after close()
   */
  abort(): Promise<void> {
    return (this.#aborted ??= this.#abort());
  }

  /** Called by `await using`: aborts, unless `close` was called. Waits for pending work, and never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed === undefined) await this.abort();
    else await Promise.allSettled([this.#closed, this.#aborted]);
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected('RecordWriter', args, () => {
      const { file, records, bytes, slab } = this.#queue;
      return { file, state: this.#state(), records: records + slab.records, bytes: bytes + slab.payloadBytes };
    });
  }

  #state(): 'open' | 'closing' | 'closed' | 'aborted' | 'failed' {
    if (this.#finished) return 'closed';
    if (this.#aborted !== undefined) return 'aborted';
    if (this.#queue.failure !== undefined) return 'failed';
    return this.#closed === undefined ? 'open' : 'closing';
  }

  /** Handles what the fast path cannot: a full slab, no slab, or a wrong argument. */
  #writeSlowly(record: Uint8Array | string): Promise<void> | undefined {
    const queue = this.#queue;
    const bytes = recordLength(queue, record);
    return this.#refuse() ?? this.#append(() => appendRecord(queue, record, bytes));
  }

  #writeListed(list: RecordList): Promise<void> | undefined {
    const queue = this.#queue;
    checkLengths(queue, list);
    const refused = this.#refuse();
    if (refused !== undefined) return refused;
    writerTurns.left -= list.records.length / 3;
    return this.#append(() => appendList(queue, list));
  }

  #writeSpan(span: FrameSpan): Promise<void> | undefined {
    const refused = this.#refuse();
    if (refused !== undefined) return refused;
    return this.#append(() => this.#queue.pushSpan(span));
  }

  /** `append` throws if memory runs out. */
  #append(append: () => void): Promise<void> | undefined {
    try {
      append();
    } catch (error) {
      return this.#lose(error);
    }
    return this.#look();
  }

  /** Returns a rejection after a failure or `close`; undefined if records may be written. */
  #refuse(): Promise<never> | undefined {
    const { failure } = this.#queue;
    if (failure !== undefined) return quiet(rejection(withCallers(failure.error)));
    // Not quiet: `close` has been called, so nothing else would report this error.
    return this.#closed === undefined ? undefined : rejection(closedError(this.#queue, 'closed'));
  }

  /** Fails the writer because of `error`: a record is lost, so the file would not have all that the caller wrote. */
  #lose(error: unknown): Promise<never> {
    this.#queue.fail(error);
    return quiet(rejection(error));
  }

  /** Returns a promise if the caller should wait: for room, or for a turn of the event loop, which timers need. */
  #look(): Promise<void> | undefined {
    const turn = writerTurns.look();
    return turn === undefined && this.#queue.pressure === undefined ? undefined : quiet(this.#behind(turn));
  }

  async #behind(turn: Promise<void> | undefined): Promise<void> {
    // V8 cannot find the callers that await a `quiet` promise.
    const here = callersHere();
    await turn;
    await this.#queue.pressure?.catch(() => undefined);
    if (this.#queue.failure !== undefined) throw withCallers(this.#queue.failure.error, here);
  }

  async #flush(sync: boolean): Promise<void> {
    const here = callersHere();
    try {
      if (this.#queue.failure !== undefined) throw this.#queue.failure.error;
      if (this.#closed !== undefined) throw closedError(this.#queue, 'closed');
      await this.#queue.flush(sync);
    } catch (error) {
      throw withCallers(error, here);
    }
    await writerTurns.look();
  }

  async #close(): Promise<WriteReport> {
    let fileBytes: number;
    try {
      fileBytes = await this.#queue.close();
      this.#finished = true;
      await this.#queue.saveIndex();
    } finally {
      this.#end();
    }
    await writerTurns.look();
    const { records, bytes } = this.#queue;
    return { records, bytes, fileBytes };
  }

  async #abort(): Promise<void> {
    if (this.#finished) return;
    this.#end();
    this.#queue.fail(closedError(this.#queue, 'aborted'));
    await this.#queue.settled();
  }
}

/**
 * Opens a writer of an output of a job, which neither gives its file a name nor appends. `indexes`: {@link saveIndexOf} saves the index
 * after the file was renamed. `sums`: {@link sumOf} is wanted.
 * @throws as {@link RecordWriter.open}
 */
export function openOutput(
  target: WriteTarget,
  options: WriteOptions,
  { indexes, sums }: { readonly indexes: boolean; readonly sums: boolean },
): Promise<RecordWriter> {
  return openWriter(classifyTarget(target), options, indexes ? { path: undefined } : undefined, sums);
}

/** Writes the records of `batches` to an atomic file in the place of `path`. */
async function rewrite(path: string, batches: AsyncIterable<RecordBatch>, options: WriteOptions): Promise<void> {
  const writer = await RecordWriter.open(path, { ...options, append: false });
  try {
    for await (const batch of batches) await writer.writeBatch(batch);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Outside the class, so that its listeners do not keep the writer alive. */
function watch(writer: RecordWriter, queue: SlabQueue, signal: AbortSignal | undefined): () => void {
  const { file, fate, watched } = queue;
  let stopListening = (): void => undefined;
  const giveUp = (): void => {
    stopListening();
    queue.fail(closedError(queue, 'dropped'));
  };
  const settle = watched ? watchUnclosedWriter(writer, { file, fate, giveUp }) : () => undefined;
  if (signal !== undefined) {
    stopListening = onAbort(signal, () => {
      settle();
      queue.fail(signal.reason);
    });
  }
  return () => {
    stopListening();
    settle();
  };
}
