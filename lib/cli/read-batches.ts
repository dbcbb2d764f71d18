import { placedError, TFRecordError } from '../base';
import {
  newBatch,
  RecordReader,
  RecycledReader,
  type PlacedRecord,
  type ReadOptions,
  type ReadStats,
  type RecordBatch,
} from '../record';
import { actionFor, type FlagOptions } from './flags';
import { onDemand } from './on-demand';
import type { ProgressState } from './terminal/progress';

/** Uses a batch of a file, with the statistics so far. Returns false if no more are needed. */
type Take = (batch: RecordBatch, stats: ReadStats) => boolean | Promise<boolean>;

/**
 * Calls `take` with every batch of one file, until it returns false. The memory of a batch is used again once `take` has
 * returned, or settled. Rejects with the first fault that `options` do not accept, after all intact records before it.
 * Resolves to the final statistics. Calls `ended` with them even if it rejects.
 */
export async function readBatches(
  file: string,
  options: ReadOptions,
  take: Take,
  ended?: (stats: ReadStats) => void,
): Promise<ReadStats> {
  const reader = new RecycledReader(file, options);
  await reader.open();
  try {
    for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) {
      if (!(await take(batch, reader.stats))) break;
    }
    return reader.stats;
  } finally {
    ended?.(reader.stats);
    await reader.close();
  }
}

/** The same, but batches stay valid. */
export async function readKeptBatches(file: string, options: ReadOptions, take: Take): Promise<ReadStats> {
  const reader = await RecordReader.open(file, options);
  try {
    for await (const batch of reader.batches()) {
      if (!(await take(batch, reader.stats))) break;
    }
    return reader.stats;
  } finally {
    await reader.close();
  }
}

/**
 * Returns the result of `work` with record `i` of `batch`. If `work` throws, the record does not fit: returns the
 * decision of `onError`, as for a damaged record. @throws TFRecordError with the origin of the record if the decision
 * is to fail
 */
export function ofRecord<T>(
  batch: RecordBatch,
  i: number,
  options: FlagOptions,
  work: () => T,
): { readonly value: T } | 'skip' | 'stop' {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    const placed = placedError(error, batch.origin(i)!);
    const action = actionFor(placed, options);
    if (action === 'throw') throw placed;
    return action;
  }
}

/** Returns a batch of one record of `file`: the bytes `data` of the record at `offset`. */
export function batchOfOne(file: string, { record, offset, data }: Omit<PlacedRecord, 'error'>): RecordBatch {
  const frames = Uint32Array.of(0, data.length);
  return newBatch({ file, slab: data, frames, firstRecord: record, base: offset }, 0, 1);
}

/** Returns the names of the features of a record, for hints; none for a record that is not an Example. */
export function namesIn(record: Uint8Array): string[] {
  try {
    const { context, featureLists } = onDemand.example.decodeSequenceExample(record);
    return [...Object.keys(context), ...Object.keys(featureLists)];
  } catch {
    return [];
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

  /** Returns the sum, including a file that is still being read. */
  with(stats: ReadStats): ProgressState {
    return { bytes: this.#bytes + stats.compressedBytes, records: this.#records + stats.records };
  }
}
