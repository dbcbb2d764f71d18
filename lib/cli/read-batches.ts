import { RecordReader, type ReadOptions, type ReadStats, type RecordBatch } from '../record';
import type { ProgressState } from './progress';

/**
 * Calls `take` with every batch of one file, until it returns false. Rejects with the first fault that `options` do not
 * accept, after all whole records before it. Resolves with the final statistics. `ended` is called with them even if it
 * rejects.
 */
export async function readBatches(
  file: string,
  options: ReadOptions,
  take: (batch: RecordBatch, stats: ReadStats) => boolean | Promise<boolean>,
  ended?: (stats: ReadStats) => void,
): Promise<ReadStats> {
  const reader = await RecordReader.open(file, options);
  try {
    for await (const batch of reader.batches()) {
      if (!(await take(batch, reader.stats))) break;
    }
    return reader.stats;
  } finally {
    ended?.(reader.stats);
    await reader.close();
  }
}

/** Sums up the progress of several files. */
export class Totals {
  #bytes = 0;
  #records = 0;

  add(stats: ReadStats): void {
    this.#bytes += stats.compressedBytes;
    this.#records += stats.records;
  }

  /** Returns the sum with a file that is still being read. */
  with(stats: ReadStats): ProgressState {
    return { bytes: this.#bytes + stats.compressedBytes, records: this.#records + stats.records };
  }
}
