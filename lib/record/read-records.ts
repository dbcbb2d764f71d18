import type { Bytes } from './origin';
import type { ReadOptions } from './read-options';
import { lazyReader } from './record-reader';
import type { RecordSource } from './source';

/**
 * The records of `source`, one by one. Nothing is opened before the first step; wrong arguments throw at once.
 *
 * @example
 * for await (const record of readRecords('data/*.tfrecord')) console.log(record.length);
 */
export function readRecords(source: RecordSource, options?: ReadOptions): AsyncIterableIterator<Bytes> {
  return lazyReader(source, options)[Symbol.asyncIterator]();
}
