import { ElementSteps } from './cursor-iterators';
import type { Bytes } from './origin';
import { Passes } from './passes';
import type { ReadOptions } from './read-options';
import { newCursor, type RecordCursor } from './record-cursor';
import { readableSource, type ClassifiedSource, type RecordSource } from './source';

/**
 * The records of `source`, one by one. Nothing is opened before the first step; wrong arguments throw at once.
 *
 * Iterating again after the end, `break` or an error starts from the first record; during an iteration, others share
 * its position. A stream can be read only once: iterating again throws TFR_CLOSED.
 *
 * @example
 * for await (const record of readRecords('data/*.tfrecord')) console.log(record.length);
 */
export function readRecords(source: RecordSource, options?: ReadOptions): AsyncIterableIterator<Bytes> {
  return new Records(readableSource(source), options);
}

class Records extends ElementSteps<Bytes> {
  readonly #passes: Passes<RecordCursor>;

  constructor(source: ClassifiedSource, options: ReadOptions | undefined) {
    const passes = new Passes(source, () => newCursor(source, options));
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
