import { inspect } from 'node:util';

import { illegalConstructor, inspected, isInstance, type Bytes, type InspectArguments, type Origin } from '../../base';

import type { RecordBatch } from '../batch/record-batch';
import { readableSource, type RecordSource, type ClassifiedSource } from '../../io';
import type { ReadStats } from './cursor';
import { BatchSteps, ElementSteps, readerClosed, Readings } from './cursor-iterators';
import { resolveRecordOptions, type RecordReadOptions } from './read-options';
import { RecordCursor } from './record-cursor';

/**
 * Reads the records of files or of a stream, once, from the first to the last.
 *
 * `for await`, `batches()` and any number of iterators share one position. The end, `break`, `return()` and any error
 * close the reader: iterating again throws TFR_CLOSED. Native threads read and verify the files, ahead of the program.
 *
 * @example
 * for await (const record of await RecordReader.open('train.tfrecord.gz')) console.log(record.length);
 */
export class RecordReader implements AsyncIterable<Bytes>, AsyncDisposable {
  readonly #cursor: RecordCursor;

  private constructor(cursor: RecordCursor) {
    if (!isInstance(cursor, RecordCursor)) throw illegalConstructor('RecordReader.open()');
    this.#cursor = cursor;
  }

  /**
   * Opens `source`: finds its files, opens the first and starts to read.
   *
   * @throws {@link TFRecordError} with Node's code if the first file is missing or cannot be read (unless `onError`
   *   decides otherwise); TypeError or RangeError for wrong arguments; `signal.reason` if aborted.
   *
   * @example
   * await using reader = await RecordReader.open('train-*.tfrecord', { verify: 'length' });
   */
  static async open(source: RecordSource, options?: RecordReadOptions): Promise<RecordReader> {
    const cursor = RecordCursor.at(readableSource(source), resolveRecordOptions(options));
    const reader = new RecordReader(cursor);
    cursor.belongsTo(reader, 'A RecordReader');
    await cursor.open();
    return reader;
  }

  /**
   * Iterates over the records. They are views that are never overwritten, so they stay valid (without `transient`). Each
   * keeps its whole slab alive (up to 384 KiB by default); `record.slice()` makes an independent copy. At damage, rejects with a
   * {@link TFRecordError}, after all whole records before it.
   *
   * @throws TFRecordError TFR_CLOSED if the reader was read to its end, left or closed: it reads its source only once.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Bytes> {
    return new ElementSteps(this.#open(), this, () => this.#open());
  }

  /**
   * Iterates over the records in batches, one for each slab: the fastest way to read.
   *
   * @throws TFRecordError TFR_CLOSED, as when iterating over the records.
   *
   * @example
   * const reader = await RecordReader.open('train.tfrecord');
   * for await (const batch of reader.batches()) console.log(batch.length);
   */
  batches(): AsyncIterableIterator<RecordBatch> {
    return new BatchSteps(this.#open(), this, () => this.#open());
  }

  #open(): RecordCursor {
    if (this.#cursor.over) throw readerClosed();
    return this.#cursor;
  }

  /** The place of the record that was handed out last; undefined before the first. */
  get origin(): Origin | undefined {
    return this.#cursor.origin;
  }

  /** The progress of this reader. */
  get stats(): ReadStats {
    return this.#cursor.stats;
  }

  /**
   * Ends reading; pending steps resolve as done. Resolves when nothing is open any more. Idempotent.
   *
   * @example
   * const reader = await RecordReader.open('train.tfrecord');
   * await reader.close();
   */
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

/**
 * Reads the records of `source`, one by one. Nothing is opened before the first step; wrong arguments throw at once.
 *
 * Iterating again after the end, `break` or an error starts from the first record. Iterations at the same time share one
 * position. A stream can be read only once: iterating again throws TFR_CLOSED.
 *
 * @example
 * for await (const record of readRecords('data/*.tfrecord')) console.log(record.length);
 */
export function readRecords(source: RecordSource, options?: RecordReadOptions): AsyncIterableIterator<Bytes> {
  return new Records(readableSource(source), options);
}

class Records extends ElementSteps<Bytes> {
  readonly #passes: Readings<RecordCursor>;

  /** The same records in batches. */
  static batches(records: Records): BatchSteps {
    records[Symbol.asyncIterator]();
    return new BatchSteps(records.#passes.current, records);
  }

  constructor(source: ClassifiedSource, options: RecordReadOptions | undefined) {
    const passes = new Readings(source, () => RecordCursor.at(source, resolveRecordOptions(options)));
    super(passes.current);
    this.#passes = passes;
    this.cursor.belongsTo(this, 'A RecordReader');
  }

  override [Symbol.asyncIterator](): this {
    const cursor = this.#passes.resume();
    if (cursor !== this.cursor) cursor.belongsTo(this, 'A RecordReader');
    this.cursor = cursor;
    return this;
  }
}

/**
 * Returns the batches of `reader`, a {@link RecordReader} or the result of {@link readRecords}; undefined for anything
 * else. @throws TFRecordError TFR_CLOSED, as iterating does.
 */
export function batchesOf(reader: unknown): AsyncIterableIterator<RecordBatch> | undefined {
  if (reader instanceof RecordReader) return reader.batches();
  return reader instanceof Records ? Records.batches(reader) : undefined;
}
