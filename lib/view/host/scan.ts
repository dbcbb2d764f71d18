/** Reads the records of a whole file, one after the other: for searches, exports, and checks of all checksums. */
import { FRAME_BYTES, LoopTurns, MAX_RECORD_BYTES, type Bytes, type TFRecordError } from '../../base';
import { freeBytes } from '../../io';
import { RecordReader, type RecordBatch } from '../../record';
import type { Progress } from '../protocol';
import type { Turns } from './turns';
import type { ViewedFile } from './viewed-file';

/** Milliseconds between two batches with progress. */
export const PROGRESS_MS = 100;

/** Maximum length of a record that is read with others. Longer ones are read on demand, one at a time. */
export const LONG_BYTES = 4 * 2 ** 20;

/** A file to scan. */
export interface ScannedFile {
  readonly file: ViewedFile;
  /** The turns for reading long records, which are in memory only during a turn. */
  readonly longs: Turns;
  /** Returns the file, and keeps its record index open for a while. */
  readonly use: () => ViewedFile;
}

/** A record of more than {@link LONG_BYTES}. The caller of `read` owns its data, and must free it. */
export interface LongRecord {
  readonly record: number;
  /** Reads the record. Resolves to undefined if it is damaged, after calling `onFault`. */
  readonly read: () => Promise<Bytes | undefined>;
  /** Reads the record in a turn, and resolves to the result of `work`; to undefined if it is damaged. */
  readonly look: <T>(work: (data: Bytes) => T) => Promise<T | undefined>;
}

/** Some records: a batch, or one long record. */
export type Scanned = ({ readonly batch: RecordBatch } | { readonly long: LongRecord }) & {
  /** Progress of the scan, these records included. */
  readonly progress: Progress;
  /** Number of bytes of the uncompressed stream that were read. */
  readonly bytes: number;
};

/**
 * Yields all records of a file, and returns totals. Skips damage after calling `onFault`. Rejects if the file cannot be
 * read, or is not the one whose records a page has seen.
 */
export async function* scan(
  { file, longs, use }: ScannedFile,
  signal: AbortSignal,
  onFault?: (error: TFRecordError) => void,
): AsyncGenerator<Scanned, { records: number; bytes: number }> {
  const { maxRecordBytes = MAX_RECORD_BYTES } = file.options;
  /** Numbers of the long records before the next batch. */
  let found: number[] = [];
  const reading = file.reading(signal, (error) => {
    const { code, record } = error;
    if (!code.startsWith('TFR_') || code === 'TFR_NOT_TFRECORD') return 'throw';
    if (code === 'TFR_RECORD_TOO_LARGE' && record !== undefined && maxRecordBytes > LONG_BYTES) found.push(record);
    else onFault?.(error);
    return 'skip';
  });
  const check = await file.watch();
  const reader = await RecordReader.open(file.path, {
    ...reading,
    maxRecordBytes: Math.min(maxRecordBytes, LONG_BYTES),
  });
  const turns = new LoopTurns();
  let bytes = 0;
  let longCount = 0;
  const progress = (): Progress => {
    const { records, compressedBytes, totalBytes } = reader.stats;
    return { records: records + longCount, readBytes: compressedBytes, totalBytes: totalBytes ?? 0 };
  };
  const readLong = async (record: number): Promise<Bytes | undefined> => {
    const { error, data, offset } = await use().placed(record, signal);
    if (error === undefined) {
      bytes = Math.max(bytes, offset + data.length + FRAME_BYTES);
      return data;
    }
    onFault?.(error);
    return undefined;
  };
  const look = <T>(record: number, work: (data: Bytes) => T): Promise<T | undefined> =>
    longs.run(signal, async () => {
      const data = await readLong(record);
      if (data === undefined) return undefined;
      try {
        return work(data);
      } finally {
        freeBytes(data);
      }
    });
  const scannedLongs = function* (): Generator<Scanned> {
    for (const record of found) {
      longCount++;
      const long: LongRecord = { record, read: () => readLong(record), look: (work) => look(record, work) };
      yield { long, progress: progress(), bytes };
    }
    found = [];
  };
  try {
    for await (const batch of reader.batches()) {
      yield* scannedLongs();
      const last = batch.origin(batch.length - 1)!;
      bytes = last.offset + last.bytes + FRAME_BYTES;
      yield { batch, progress: progress(), bytes };
      // Lets other requests run.
      await turns.turn();
    }
    yield* scannedLongs();
    await check();
    return { records: reader.stats.records + longCount, bytes };
  } finally {
    await reader.close();
  }
}
