import { stat } from 'node:fs/promises';

import { TFRecordError } from '../errors';
import { recordType, type RecordType } from '../example';
import type { Compression, RecordBatch } from '../record';
import type { Context } from './context';
import { readOptions, type ReadFlags } from './flags';
import type { Progress } from './progress';
import { readBatches, Totals } from './read-batches';
import { commandWording } from './reporter';
import { grouped, lineJson, lineText, plural } from './text';

export interface InfoFlags extends ReadFlags {
  readonly json?: boolean;
}

/** The type of this many first records is looked at. */
const SAMPLE = 100;

/** Findings of `tfrecord info` about one file. Sizes in bytes. */
interface FileInfo {
  readonly file: string;
  compression: Compression;
  /** Size on disk; for anything but a regular file, bytes read. */
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
  /** Number of faults that the user chose to accept: the counts leave out what they cost. */
  accepted: number;
  /** Bytes of the rest of the file behind accepted damage. */
  lostBytes: number;
  /** The fault that ended reading before the end of the file. */
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

/** Undefined for pipes and devices. */
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

/** For people: a line for the file and one for every fact. */
function infoText(info: FileInfo): string {
  const { file, compression, fileBytes, records, bytes, min, max } = info;
  const facts: [string, string][] = [
    ['compression', compression],
    ['file', plural(fileBytes, 'byte')],
    ['records', `${grouped(records)}${limits(info)}`],
    ['payload', plural(bytes, 'byte')],
  ];
  if (records > 0) {
    facts.push(
      ['record size', `min ${grouped(min)}, mean ${grouped(bytes / records)}, max ${grouped(max)} bytes`],
      ['record type', typesText(info)],
    );
  }
  const width = Math.max(...facts.map(([name]) => name.length));
  return [lineText(file), ...facts.map(([name, fact]) => `  ${name.padEnd(width)}  ${fact}`)].join('\n');
}

/** For programs: one object a file; sizes are null when there is no record. */
function infoJson(info: FileInfo): object {
  const { file, compression, fileBytes, records, bytes, min, max, types, sampled, lostBytes, fault } = info;
  return {
    file,
    compression,
    fileBytes,
    complete: limits(info) === '',
    records,
    bytes,
    recordBytes: records === 0 ? null : { min, mean: bytes / records, max },
    recordType: typeOfAll(types),
    recordTypes: Object.fromEntries(types),
    sampled,
    lostBytes,
    fault: fault === undefined ? null : { code: fault.code, message: commandWording(fault) },
  };
}

/**
 * The type of the records, if they have one. A SequenceExample without feature lists cannot be told from an Example, so
 * beside SequenceExamples such a record is one of them.
 */
export function typeOfAll(types: ReadonlyMap<RecordType, number>): RecordType | 'mixed' | null {
  const names = [...types.keys()];
  if (names.length === 0) return null;
  const merged = names.includes('SequenceExample') ? names.filter((name) => name !== 'Example') : names;
  return merged.length === 1 ? merged[0]! : 'mixed';
}

/** Says that counts leave something out; empty when they cover the whole file. */
function limits({ fault, accepted }: FileInfo): string {
  if (fault !== undefined) return ' before the fault';
  return accepted > 0 ? ' without what was lost' : '';
}

function typesText({ types, records, sampled }: FileInfo): string {
  const type = typeOfAll(types);
  if (type === null) return 'unknown (the first records are empty)';
  if (type === 'unknown') return 'unknown (no Example, SequenceExample or Event)';
  if (type !== 'mixed') return type;
  const counts = [...types].map(([name, count]) => `${count} ${name}`).join(', ');
  return `mixed: ${counts}${records > sampled ? `, of the first ${sampled}` : ''}`;
}
