import { readableSource, type RecordSource } from '../../io';
import type { RecordBatch } from '../batch/record-batch';
import type { ErrorPolicy } from '../error-policy';
import type { ReadStats } from '../read/cursor';
import { resolveReadOptions, type ReadOptions } from '../read/read-options';
import { recordSequence, type RecordSequence } from '../read/record-cursor';
import { REUSED_SLAB_BYTES } from '../read/slab-sizer';
import { SlabLeases } from './slab-leases';

/** Reads batches whose memory is used again: for jobs that show no record to user code. */
export class RecycledReader {
  readonly #inputs: RecordSequence;
  readonly #policy: ErrorPolicy;
  readonly #slabs = new SlabLeases();
  #records = 0;
  #bytes = 0;

  /** Nothing is opened before {@link open}, or the first step. @throws TypeError, RangeError for wrong arguments */
  constructor(source: RecordSource, options: ReadOptions | undefined) {
    const plan = resolveReadOptions(options);
    this.#policy = plan.policy;
    const { memory } = this.#slabs;
    const batchBytes = plan.batchBytes ?? REUSED_SLAB_BYTES;
    this.#inputs = recordSequence(readableSource(source), { ...plan, batchBytes, memory });
  }

  /** As `RecordReader.open`. */
  open(): Promise<void> {
    return this.#inputs.open();
  }

  /**
   * Resolves with the next batch, which is valid until the next step begins; undefined at the end. Rejects as the steps of
   * a RecordReader do.
   */
  async next(): Promise<RecordBatch | undefined> {
    const batch = await this.#inputs.next();
    if (batch === undefined) return undefined;
    this.#slabs.enter(batch);
    this.#records += batch.length;
    this.#bytes += batch.byteLength;
    return batch;
  }

  /** The progress, with the last batch. */
  get stats(): ReadStats {
    const { compressedBytes, totalBytes, compression } = this.#inputs;
    const { skipped, lostBytes } = this.#policy;
    return { records: this.#records, bytes: this.#bytes, compressedBytes, totalBytes, compression, skipped, lostBytes };
  }

  async close(): Promise<void> {
    this.#slabs.close();
    await this.#inputs.close();
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
