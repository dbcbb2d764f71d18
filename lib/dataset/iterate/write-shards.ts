import { types } from 'node:util';

import {
  checkInteger,
  checkOptions,
  invalidArgType,
  invalidArgValue,
  locate,
  outOfRange,
  workingFolder,
} from '../../base';
import { countedName, suffixesAt } from '../../io';
import {
  listRecords,
  RecordBatch,
  RecordWriter,
  splitBatch,
  writeListed,
  WRITE_OPTION_NAMES,
  type ScatteredRecords,
  type WriteOptions,
  type WriteReport,
} from '../../record';
import type { Elements } from '../engine/elements';
import { RAW } from '../engine/record-forms';
import { NeighbourRecords, RecordElements } from '../engine/records';

const MAX_SHARDS = 65_536;
/** The suffix that is inserted before the first dot of a name: TensorFlow's numbering of files. */
const SUFFIX = '-{shard:05}-of-{shards:05}';
const PLACEHOLDER = /\{(shards?)(?::0(\d{1,2}))?\}/g;

const OPTION_NAMES = ['shards', ...WRITE_OPTION_NAMES.filter((name) => name !== 'append')] as const;

/** Options of `Dataset.writeTo`. Unknown names throw. */
export interface DatasetWriteOptions extends Omit<WriteOptions, 'append'> {
  /** Number of files. Record i goes to file i mod `shards`. 1 to 65,536. Default 1, or N of a pattern `name@N`. */
  shards?: number | undefined;
}

/** Reports the files and records that were written. */
export interface DatasetWriteReport extends WriteReport {
  /** The files, in the order of their shards. */
  readonly files: readonly string[];
}

/**
 * Writes `chunks` of records, or of batches of records, to the files that `pattern` names. No file gets its name before
 * all records are written, so an error of the records leaves no file. (A disk error while files are finished leaves the
 * files that were finished before.)
 */
export async function writeShards(
  chunks: AsyncIterable<Elements>,
  pattern: string,
  options: DatasetWriteOptions | undefined,
): Promise<DatasetWriteReport> {
  const { shards: given, ...write } = checkOptions(options, OPTION_NAMES);
  const files = shardNames(pattern, checkInteger('options.shards', given, 1, MAX_SHARDS, undefined));
  const folder = workingFolder();
  const writers: RecordWriter[] = [];
  try {
    for (const file of files) writers.push(await RecordWriter.open(locate(file, folder), write));
    await distribute(chunks, writers);
    const reports = [];
    for (const writer of writers) reports.push(await writer.close());
    return { ...total(reports), files };
  } catch (error) {
    await Promise.allSettled(writers.map((writer) => writer.abort()));
    throw error;
  }
}

async function distribute(chunks: AsyncIterable<Elements>, writers: readonly RecordWriter[]): Promise<void> {
  const turns = new Turns(writers);
  let element = 0;
  for await (const elements of chunks) {
    if (elements instanceof RecordElements && elements.form === RAW) {
      await turns.writeRecords(elements);
      element += elements.length;
      continue;
    }
    for (let i = 0; i < elements.length; i++, element++) {
      const value = elements.at(i);
      if (value instanceof RecordBatch) {
        for (const part of splitBatch(value)) await turns.writeRecords(NeighbourRecords.of(RAW, part));
        continue;
      }
      if (!types.isUint8Array(value) && typeof value !== 'string') {
        throw invalidArgType(
          `element ${element}`,
          'a record (Uint8Array or string), as exampleEncoder(spec) makes, or a RecordBatch, as encodeExamples() makes',
          value,
        );
      }
      const full = turns.write(value);
      if (full !== undefined) await full;
    }
  }
}

/** Minimum number of records for each writer from which on a list is faster than single writes. */
const WORTH_LISTING = 64;

/** Gives each record to the next writer. */
class Turns {
  readonly #writers: readonly RecordWriter[];
  /** Number of the next record. */
  #next = 0;

  constructor(writers: readonly RecordWriter[]) {
    this.#writers = writers;
  }

  /** Writes one record. Returns a promise if the caller should wait. */
  write(record: Uint8Array | string): Promise<void> | undefined {
    return this.#writers[this.#next++ % this.#writers.length]!.write(record);
  }

  async writeRecords(records: RecordElements): Promise<void> {
    const { length } = this.#writers;
    if (records.length < WORTH_LISTING * length) {
      for (let i = 0; i < records.length; i++) {
        const full = this.write(records.at(i) as Uint8Array);
        if (full !== undefined) await full;
      }
      return;
    }
    for (let i = 0; i < length; i++) {
      const writer = this.#writers[(this.#next + i) % length]!;
      const full = writeListed(writer, listRecords(everyOf(records, i, length)));
      if (full !== undefined) await full;
    }
    this.#next += records.length;
  }
}

/** Returns every `step`-th record of `records`, from number `first` on. */
function everyOf(records: RecordElements, first: number, step: number): ScatteredRecords {
  if (step === 1) return records;
  return {
    length: Math.ceil((records.length - first) / step),
    slab: (index) => records.slab(first + step * index),
    frame: (index) => records.frame(first + step * index),
  };
}

/**
 * Returns the names of `shards` files. @throws TypeError or RangeError with Node's codes for a pattern with wildcards
 * (`part-*`), which does not name files to write, and if `shards` differs from N of `name@N`
 */
function shardNames(pattern: string, shards: number | undefined): string[] {
  if (typeof pattern !== 'string') throw invalidArgType('pattern', 'a string', pattern);
  if (/[*?]/.test(pattern)) {
    const template = pattern.replace(/[*?]+(?:-of-\d+)?/, SUFFIX.slice(1)).replace(/[*?]/g, '');
    throw invalidArgValue('pattern', `a name, or a template like '${template}' with { shards: N }`, pattern);
  }
  const counted = countedName(pattern);
  const count = counted === undefined ? (shards ?? 1) : checkInteger('N of name@N', counted.count, 1, MAX_SHARDS, 1);
  if (shards !== undefined && shards !== count) {
    throw outOfRange('options.shards', `the ${count} of '${pattern}'`, shards);
  }
  const name = counted === undefined ? pattern : counted.base + counted.end;
  const templated = /\{shard(?::0\d{1,2})?\}/.test(name);
  const whole = templated || (counted === undefined && count === 1) ? name : beforeSuffixes(name);
  return Array.from({ length: count }, (_, shard) =>
    whole.replace(PLACEHOLDER, (_placeholder, place: string, width: string | undefined) =>
      String(place === 'shard' ? shard : count).padStart(Number(width ?? 0), '0'),
    ),
  );
}

/** Inserts the suffix: `out.tfrecord.gz` becomes `out-{shard:05}-of-{shards:05}.tfrecord.gz`. */
function beforeSuffixes(name: string): string {
  if (/(?:^|\/)$/.test(name)) throw invalidArgValue('pattern', 'the name of a file', name);
  const at = suffixesAt(name);
  return name.slice(0, at) + SUFFIX + name.slice(at);
}

function total(reports: readonly WriteReport[]): WriteReport {
  const sum = (of: (report: WriteReport) => number): number => reports.reduce((all, report) => all + of(report), 0);
  return {
    records: sum(({ records }) => records),
    bytes: sum(({ bytes }) => bytes),
    fileBytes: sum(({ fileBytes }) => fileBytes),
  };
}
