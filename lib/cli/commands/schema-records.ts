/** Yields some records of files as a stream of framed records, for readers of whole sources. */
import { encodeRecords, RecordReader, type RecordBatch } from '../../record';
import type { FlagOptions } from '../flags';
import { readBatches } from '../read-batches';
import { copied, type Reservoir } from '../reservoir';

/** Yields the first `count` records of all files together, and reads no further. */
export async function* firstRecords(
  files: readonly string[],
  options: FlagOptions,
  count: number,
): AsyncGenerator<Uint8Array> {
  let left = count;
  for (const file of files) {
    if (left === 0) return;
    const reader = await RecordReader.open(file, { ...options, batchBytes: 256 * 1024, readAhead: 0 });
    try {
      for await (const batch of reader.batches()) {
        yield encodeRecords([...batch].slice(0, left));
        left -= Math.min(left, batch.length);
        if (left === 0) break;
      }
    } finally {
      await reader.close();
    }
  }
}

/** Reads all files, and yields the records that `reservoir` keeps. */
export async function* sampledRecords(
  files: readonly string[],
  options: FlagOptions,
  reservoir: Reservoir<RecordBatch>,
): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    await readBatches(file, options, (batch) => {
      reservoir.add(batch.length, (i) => copied(batch, i));
      return true;
    });
  }
  for (const record of reservoir.values()) yield encodeRecords([...record]);
}
