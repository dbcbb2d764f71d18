import { stat } from 'node:fs/promises';

import { recordType, type RecordType } from '../example';
import { TFRecordError } from '../errors';
import type { Compression, RecordBatch } from '../record';
import type { Context } from './context';
import { infoJson, infoText } from './info-format';
import type { Progress } from './progress';
import { readBatches, Totals } from './read-batches';
import { readOptions, type ReadFlags } from './read-flags';
import { lineJson } from './streams';

export interface InfoFlags extends ReadFlags {
  readonly json?: boolean;
}

/** Records whose type is looked at. */
const SAMPLE = 100;

/** What `tfrecord info` tells about one file. Sizes in bytes. */
export interface FileInfo {
  readonly file: string;
  compression: Compression;
  /** Size as it lies on disk; of what is no regular file, how much was read. */
  fileBytes: number;
  records: number;
  /** Sum of the payloads. */
  bytes: number;
  min: number;
  max: number;
  /** How many of the first records, empty ones apart, are of which type. */
  readonly types: Map<RecordType, number>;
  /** How many records were looked at for that. */
  sampled: number;
  /** Damage that the user told us to accept: the counts are without what it cost. */
  accepted: number;
  /** Bytes of the rest of the file behind damage that the user told us to accept. */
  lostBytes: number;
  /** What ended the reading before the end of the file. */
  fault: TFRecordError | undefined;
}

/** `tfrecord info`: what is in a file: compression, records, their sizes and their type. */
export async function info(names: readonly string[], flags: InfoFlags, context: Context): Promise<void> {
  const { out, reporter } = context;
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress);
  const totals = new Totals();
  try {
    for (const file of files) {
      if (out.closed) return;
      try {
        const found = await lookAt(file, flags, context, totals, progress);
        progress.clear();
        await out.line(flags.json === true ? lineJson(infoJson(found)) : infoText(found));
        await out.flush();
        if (found.fault !== undefined) reporter.error(found.fault);
      } catch (error) {
        reporter.error(error);
      }
    }
  } finally {
    progress.clear();
  }
}

async function lookAt(
  file: string,
  flags: InfoFlags,
  { reporter }: Context,
  totals: Totals,
  progress: Progress,
): Promise<FileInfo> {
  const found: FileInfo = {
    file,
    compression: 'none',
    fileBytes: 0,
    records: 0,
    bytes: 0,
    min: Infinity,
    max: 0,
    types: new Map(),
    sampled: 0,
    accepted: 0,
    lostBytes: 0,
    fault: undefined,
  };
  const options = readOptions(flags, (error) => {
    found.accepted++;
    reporter.warning(error);
  });
  try {
    await readBatches(
      file,
      options,
      (batch, soFar) => {
        take(batch, found);
        progress.update(totals.with(soFar));
        return true;
      },
      (stats) => {
        found.fileBytes = stats.compressedBytes;
        found.lostBytes = stats.lostBytes;
        found.compression = stats.compression ?? found.compression;
        totals.add(stats);
      },
    );
  } catch (error) {
    if (!(error instanceof TFRecordError) || !error.code.startsWith('TFR_')) throw error;
    found.fault = error;
  }
  found.fileBytes = (await sizeOnDisk(file)) ?? found.fileBytes;
  return found;
}

/** Undefined for what has no size before it is read. */
async function sizeOnDisk(file: string): Promise<number | undefined> {
  if (file === '-') return undefined;
  const stats = await stat(file).catch(() => undefined);
  return stats?.isFile() === true ? stats.size : undefined;
}

function take(batch: RecordBatch, found: FileInfo): void {
  for (const record of batch) {
    // An empty record is an empty message of any type.
    if (found.records++ < SAMPLE) {
      found.sampled++;
      if (record.length > 0) {
        const type = recordType(record);
        found.types.set(type, (found.types.get(type) ?? 0) + 1);
      }
    }
    found.bytes += record.length;
    if (record.length < found.min) found.min = record.length;
    if (record.length > found.max) found.max = record.length;
  }
}
