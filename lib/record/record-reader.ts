import { illegalConstructor } from '../errors';
import type { ReadStats } from './cursor';
import { BatchSteps, ElementSteps } from './cursor-iterators';
import { watchForgotten } from './forgotten';
import type { Bytes, Origin } from './origin';
import { resolveReadOptions, type ReadOptions } from './read-options';
import type { RecordBatch } from './record-batch';
import { RecordCursor } from './record-cursor';
import { recordFlow, type RecordFlow } from './record-flow';
import { classifySource, type RecordSource } from './source';

let create: (source: RecordSource, options: ReadOptions | undefined) => { reader: RecordReader; flow: RecordFlow };

/**
 * Reads the records of files or of a stream, once, from the first to the last.
 *
 * `for await`, `batches()` and any number of iterators share one position. The end, `break`, `return()` and any error
 * close the reader. Files are read and judged by native threads, ahead of the program.
 *
 * @example
 * for await (const record of await RecordReader.open('train.tfrecord.gz')) console.log(record.length);
 */
export class RecordReader implements AsyncIterable<Bytes>, AsyncDisposable {
  readonly #cursor: RecordCursor;

  static {
    create = (source, options) => {
      const classified = classifySource(source);
      const plan = resolveReadOptions(options);
      const flow = recordFlow(classified, plan);
      const reader = new RecordReader(new RecordCursor(flow, plan.policy));
      watchForgotten(reader, flow, 'A RecordReader');
      return { reader, flow };
    };
  }

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
    const { reader, flow } = create(source, options);
    await flow.open();
    return reader;
  }

  /**
   * The records, as views that stay valid for ever and are never overwritten. Each keeps the slab alive that it lies
   * in (up to 384 KiB by default); `record.slice()` copies. Rejects with {@link TFRecordError} at the place of the damage,
   * behind all whole records before it.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Bytes> {
    return new ElementSteps(this.#cursor, this);
  }

  /** The records, as many at a time as a slab held: the fast lane. */
  batches(): AsyncIterableIterator<RecordBatch> {
    return new BatchSteps(this.#cursor, this);
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
}

/** A reader that opens its source at the first step. @throws TypeError, RangeError for wrong arguments. */
export function lazyReader(source: RecordSource, options: ReadOptions | undefined): RecordReader {
  return create(source, options).reader;
}
