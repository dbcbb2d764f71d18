import { inspect } from 'node:util';

import { illegalConstructor } from '../errors';
import type { ReadStats } from './cursor';
import { BatchSteps, ElementSteps } from './cursor-iterators';
import { inspected, type InspectArguments } from './inspected';
import type { Bytes, Origin } from './origin';
import { readerClosed } from './passes';
import type { ReadOptions } from './read-options';
import type { RecordBatch } from './record-batch';
import { newCursor, RecordCursor } from './record-cursor';
import { readableSource, type RecordSource } from './source';

/**
 * Reads the records of files or of a stream, once, from the first to the last.
 *
 * `for await`, `batches()` and any number of iterators share one position. The end, `break`, `return()` and any error
 * close the reader: iterating again throws TFR_CLOSED. Files are read and judged by native threads, ahead of the
 * program.
 *
 * @example
 * for await (const record of await RecordReader.open('train.tfrecord.gz')) console.log(record.length);
 */
export class RecordReader implements AsyncIterable<Bytes>, AsyncDisposable {
  readonly #cursor: RecordCursor;

  private constructor(cursor: RecordCursor) {
    if (!(cursor instanceof RecordCursor)) throw illegalConstructor('RecordReader.open()');
    this.#cursor = cursor;
  }

  /**
   * Opens `source`: finds its files, opens the first and starts to read.
   *
   * Rejects with a {@link TFRecordError} with Node's code for a missing or unreadable first file (unless `onError`
   * decides otherwise), with `TypeError` or `RangeError` for wrong arguments, with `signal.reason` when aborted.
   */
  static async open(source: RecordSource, options?: ReadOptions): Promise<RecordReader> {
    const cursor = newCursor(readableSource(source), options);
    const reader = new RecordReader(cursor);
    cursor.belongsTo(reader, 'A RecordReader');
    await cursor.open();
    return reader;
  }

  /**
   * The records, as views that stay valid for ever and are never overwritten. Each keeps the slab alive that it lies in
   * (up to 384 KiB by default); `record.slice()` copies. Rejects with {@link TFRecordError} at the place of the damage,
   * behind all whole records before it. @throws TFRecordError TFR_CLOSED once the reader was read to its end, left or
   * closed: it reads its source only once.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Bytes> {
    return new ElementSteps(this.#open(), this, () => this.#open());
  }

  /**
   * The records in batches, one for each slab: the fastest way to read. @throws TFRecordError TFR_CLOSED, as iterating
   * does.
   */
  batches(): AsyncIterableIterator<RecordBatch> {
    return new BatchSteps(this.#open(), this, () => this.#open());
  }

  #open(): RecordCursor {
    if (this.#cursor.over) throw readerClosed();
    return this.#cursor;
  }

  /** Where the record that was handed out last lies; undefined before the first. */
  get origin(): Origin | undefined {
    return this.#cursor.origin;
  }

  /** How far this reader is. */
  get stats(): ReadStats {
    return this.#cursor.stats;
  }

  /** Ends the reading; steps that wait resolve as done. Resolves when nothing is open any more. Idempotent. */
  close(): Promise<void> {
    return this.#cursor.close();
  }

  /** The same as {@link RecordReader.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected('RecordReader', args, () => this.#cursor.shown);
  }
}
