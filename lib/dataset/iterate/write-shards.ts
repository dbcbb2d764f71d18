import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import { checkInteger, checkOptions, RecordWriter, type WriteOptions, type WriteReport } from '../../record';

const MAX_SHARDS = 65_536;
/** TensorFlow's way to name the files of a set. */
const SUFFIX = '-{shard:05}-of-{shards:05}';
const PLACEHOLDER = /\{(shards?)(?::0(\d{1,2}))?\}/g;

/** How to write a dataset. Unknown names throw. */
export interface DatasetWriteOptions extends WriteOptions {
  /** Files to write to, in turn: record i goes to shard i mod `shards`. 1 to 65,536. Default 1. */
  shards?: number | undefined;
}

/** What was written. */
export interface DatasetWriteReport extends WriteReport {
  /** The files, in the order of their shards. */
  readonly files: readonly string[];
}

/**
 * Writes `chunks` of records to the files that `pattern` names. No file gets its name before all records came: an error of
 * theirs leaves none. (One of the disk, while files are finished, leaves those that were finished before.)
 */
export async function writeShards(
  chunks: AsyncIterable<readonly unknown[]>,
  pattern: string,
  options: DatasetWriteOptions | undefined,
): Promise<DatasetWriteReport> {
  const { shards: given, ...write } = checkOptions(options, [
    'shards',
    'compression',
    'level',
    'threads',
    'atomic',
    'signal',
  ]);
  const files = shardNames(pattern, checkInteger('options.shards', given, 1, MAX_SHARDS, 1));
  const writers: RecordWriter[] = [];
  try {
    for (const file of files) writers.push(await RecordWriter.open(file, write));
    await distribute(chunks, writers);
    const reports = [];
    for (const writer of writers) reports.push(await writer.close());
    return { ...total(reports), files };
  } catch (error) {
    await Promise.allSettled(writers.map((writer) => writer.abort()));
    throw error;
  }
}

async function distribute(chunks: AsyncIterable<readonly unknown[]>, writers: readonly RecordWriter[]): Promise<void> {
  let next = 0;
  for await (const chunk of chunks) {
    for (const record of chunk) {
      if (!types.isUint8Array(record) && typeof record !== 'string') {
        throw invalidArgType(
          `element ${next}`,
          'a record (Uint8Array or string), as exampleEncoder(spec) makes',
          record,
        );
      }
      const full = (writers[next++ % writers.length] as RecordWriter).write(record);
      if (full !== undefined) await full;
    }
  }
}

/** The names of `shards` files. @throws TypeError */
export function shardNames(pattern: string, shards: number): string[] {
  if (typeof pattern !== 'string') throw invalidArgType('pattern', 'a string', pattern);
  const named = /\{shard(?::0\d{1,2})?\}/.test(pattern);
  const whole = named || shards === 1 ? pattern : beforeSuffixes(pattern);
  return Array.from({ length: shards }, (_, shard) =>
    whole.replace(PLACEHOLDER, (_placeholder, name: string, width: string | undefined) =>
      String(name === 'shard' ? shard : shards).padStart(Number(width ?? 0), '0'),
    ),
  );
}

/** `out.tfrecord.gz` becomes `out-{shard:05}-of-{shards:05}.tfrecord.gz`. */
function beforeSuffixes(pattern: string): string {
  const name = pattern.lastIndexOf('/') + 1;
  if (name === pattern.length) throw invalidArgValue('pattern', 'the name of a file', pattern);
  const dot = pattern.indexOf('.', name + 1);
  return dot < 0 ? pattern + SUFFIX : pattern.slice(0, dot) + SUFFIX + pattern.slice(dot);
}

function total(reports: readonly WriteReport[]): WriteReport {
  const sum = (of: (report: WriteReport) => number): number => reports.reduce((all, report) => all + of(report), 0);
  return {
    records: sum(({ records }) => records),
    bytes: sum(({ bytes }) => bytes),
    fileBytes: sum(({ fileBytes }) => fileBytes),
  };
}
