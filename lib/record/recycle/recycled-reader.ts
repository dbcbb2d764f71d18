import { readableSource, type RecordSource } from '../../io';
import type { RecordBatch } from '../batch/record-batch';
import type { ErrorPolicy } from '../error-policy';
import type { ReadStats } from '../read/cursor';
import { resolveReadOptions, type ReadOptions } from '../read/read-options';
import { RecycledBatches } from './recycled-batches';

/** Reads the records of a user's source in memory that is used again. Nothing is opened before `open`, or the first step. */
export class RecycledReader extends RecycledBatches {
  readonly #policy: ErrorPolicy;
  #records = 0;
  #bytes = 0;

  /** @throws TypeError, RangeError for wrong arguments */
  constructor(source: RecordSource, options: ReadOptions | undefined) {
    const plan = resolveReadOptions(options);
    super(readableSource(source), plan);
    this.#policy = plan.policy;
  }

  /** As in {@link RecycledBatches}. Rejects as the steps of a RecordReader do. */
  override async next(): Promise<RecordBatch | undefined> {
    const batch = await super.next();
    this.#records += batch?.length ?? 0;
    this.#bytes += batch?.byteLength ?? 0;
    return batch;
  }

  /** The progress, with the last batch. */
  get stats(): ReadStats {
    const { compressedBytes, totalBytes, compression } = this;
    const { skipped, lostBytes } = this.#policy;
    return { records: this.#records, bytes: this.#bytes, compressedBytes, totalBytes, compression, skipped, lostBytes };
  }
}

/**
 * Counts the records in `source`. Everything is read and, unless `verify` says otherwise, verified. Records that `onError`
 * skips do not count.
 *
 * @example
 * console.log(await countRecords('train-*.tfrecord.gz'));
 */
export async function countRecords(source: RecordSource, options?: ReadOptions): Promise<number> {
  const reader = new RecycledReader(source, options);
  try {
    while ((await reader.next()) !== undefined);
    return reader.stats.records;
  } finally {
    await reader.close();
  }
}
