import { stat } from 'node:fs/promises';

import { grouped, shownUrl, TFRecordError, type Compression } from '../../base';
import { recordType, type RecordType } from '../../example';
import type { RecordBatch } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { addSummaryFlags, readOptions, type ReadFlags } from '../flags';
import { readBatches, Totals } from '../read-batches';
import type { Progress } from '../terminal/progress';
import { reportedError, type Flags } from '../terminal/terms';
import { tableText } from '../terminal/table';
import { lineJson, fileText, plural } from '../terminal/text';

interface InfoFlags extends ReadFlags {
  readonly json?: boolean;
}

/** Number of records at the start of a file whose type is determined. */
const SAMPLE = 100;

/** The findings of `tfrecord info` about one file. Sizes are in bytes. */
interface FileInfo {
  readonly file: string;
  compression: Compression;
  /** Size on disk; for anything but a regular file, the number of bytes read. */
  fileBytes: number;
  records: number;
  /** Sum of the payloads. */
  bytes: number;
  min: number;
  max: number;
  /** Number of sampled records by type, without empty ones. */
  readonly types: Map<RecordType, number>;
  /** Number of sampled records. */
  sampled: number;
  /** Number of faults that the user chose to accept. The counts do not include records lost to them. */
  accepted: number;
  /** Bytes that were lost after accepted damage. */
  lostBytes: number;
  /** The fault that ended reading before the end of the file. */
  fault: TFRecordError | undefined;
}

const INFO_JSON = `
In JSON, "complete" is false if a fault ended reading or something was skipped; the counts then
cover only what was read. "recordTypes" counts the types of the first "sampled" records.
"lostBytes" is the size of the rest of the file, if damage makes it unreadable.
`;

export const infoCommand: CommandDefinition = (program, begin) =>
  addSummaryFlags(
    program.command('info').description('Print the compression, the number of records, their sizes and their type.'),
    { verify: true, onError: true },
  )
    .addHelpText('after', INFO_JSON)
    .action((files: readonly string[], flags: InfoFlags) => info(files, flags, begin()));

/** Prints a file's compression, and the number, sizes and type of its records. */
async function info(names: readonly string[], flags: InfoFlags, context: Context): Promise<void> {
  const { out, reporter } = context;
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress);
  const totals = new Totals();
  // A table shows several files, which makes them easy to compare.
  const rows: FileInfo[] | undefined = files.length > 1 && flags.json !== true ? [] : undefined;
  try {
    for (const file of files) {
      if (out.closed) return;
      try {
        const found = await lookAt(file, flags, context, totals, progress);
        progress.clear();
        if (rows !== undefined) rows.push(found);
        else await out.line(flags.json === true ? lineJson(infoJson(found, context.flags)) : infoText(found));
        await out.flush();
        if (found.fault !== undefined) reporter.error(found.fault);
      } catch (error) {
        reporter.error(error);
      }
    }
  } finally {
    progress.clear();
  }
  if (rows !== undefined && rows.length > 0) await out.line(infoTable(rows, context));
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
  const options = readOptions(flags, {
    losses: reporter.losses,
    accepted: (error, action) => {
      found.accepted++;
      reporter.accepted(error, action);
    },
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

/** Returns the size of a regular file; undefined for pipes and devices. */
async function sizeOnDisk(file: string): Promise<number | undefined> {
  if (file === '-') return undefined;
  const stats = await stat(file).catch(() => undefined);
  return stats?.isFile() === true ? stats.size : undefined;
}

function take(batch: RecordBatch, found: FileInfo): void {
  for (const record of batch) {
    // An empty record is a valid message of every type.
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

/** Formats the findings for people: one line for the file, and one for each fact. */
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
      ['record size', `min ${grouped(min)}, mean ${grouped(bytes / records)}, max ${plural(max, 'byte')}`],
      ['record type', typesText(info)],
    );
  }
  const width = Math.max(...facts.map(([name]) => name.length));
  return [fileText(file), ...facts.map(([name, fact]) => `  ${name.padEnd(width)}  ${fact}`)].join('\n');
}

/** Formats the findings about several files for people: one line for each, and one for all. */
function infoTable(infos: readonly FileInfo[], { streams: { stdout } }: Context): string {
  const row = (info: FileInfo): string[] => {
    const { file, compression, fileBytes, records, bytes, min, max } = info;
    const sizes = records === 0 ? ['', '', ''] : [min, bytes / records, max].map(grouped);
    const type = records === 0 ? '' : typesText(info);
    return [
      fileText(file),
      compression,
      grouped(fileBytes),
      grouped(records) + limits(info),
      grouped(bytes),
      ...sizes,
      type,
    ];
  };
  const sum = (of: (info: FileInfo) => number): string => grouped(infos.reduce((before, info) => before + of(info), 0));
  const total = [sum(({ fileBytes }) => fileBytes), sum(({ records }) => records), sum(({ bytes }) => bytes)];
  const head = ['file', 'compression', 'bytes', 'records', 'payload', 'min', 'mean', 'max', 'record type'];
  const rows = [...infos.map(row), ['total', '', ...total, '', '', '', '']];
  return tableText(head, rows, { right: [2, 3, 4, 5, 6, 7], stdout });
}

/** Returns the findings for programs: one object per file. Record sizes are null if there are no records. */
function infoJson(info: FileInfo, flags: Flags): object {
  const { file, compression, fileBytes, records, bytes, min, max, types, sampled, lostBytes, fault } = info;
  return {
    file: shownUrl(file),
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
    fault: fault === undefined ? null : reportedError(fault, flags),
  };
}

/**
 * Returns the type of the records: null if all are empty. A SequenceExample without feature lists has the same bytes as an
 * Example, so Examples among SequenceExamples count as these.
 */
export function typeOfAll(types: ReadonlyMap<RecordType, number>): RecordType | 'mixed' | null {
  const names = [...types.keys()];
  if (names.length === 0) return null;
  const merged = names.includes('SequenceExample') ? names.filter((name) => name !== 'Example') : names;
  return merged.length === 1 ? merged[0]! : 'mixed';
}

/** Returns a remark if the counts do not cover the whole file; else an empty string. */
function limits({ fault, accepted }: FileInfo): string {
  if (fault !== undefined) return ' before the fault';
  return accepted > 0 ? ' without what was lost' : '';
}

function typesText({ types, records, sampled }: FileInfo): string {
  const type = typeOfAll(types);
  if (type === null) return 'unknown (the first records are empty)';
  if (type === 'unknown') return 'unknown (not an Example or another known message)';
  if (type !== 'mixed') return type;
  const counts = [...types].map(([name, count]) => `${count} ${name}`).join(', ');
  return `mixed: ${counts}${records > sampled ? `, of the first ${sampled}` : ''}`;
}
