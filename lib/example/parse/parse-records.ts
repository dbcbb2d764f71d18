/** Parses records in memory to columns, on the calling thread. */
import { types } from 'node:util';

import {
  callNative,
  invalidArgType,
  isInstance,
  isList,
  transferredError,
  viewOf,
  type TFRecordError,
} from '../../base';
import { givenLength, isShared, setBytes, unsharedBytes, type MemoryPool } from '../../io';
import { native, type ParseFault, type ParserHandle } from '../../native';
import { isTransferred, partsOf, RecordBatch, type BatchFrames } from '../../record';
import type { Int64As } from '../../tensor';
import { BatchMemory, FeatureFault } from '../columns';
import { otherType, type OtherType } from '../feature';
import { noteRecord } from './note-type';
import { featureFaultError, isTheBatch, parseFaultError, type RecordPlace } from './parse-fault';
import { arraysOf, newColumns, sliceColumns, type ParsedColumns } from './parsed-columns';
import { withParser } from './parser';
import type { Plan } from './plan';

/** Records to parse: a batch of a reader, or a list. */
export type Records = RecordBatch | readonly Uint8Array[];

/**
 * Size of the slab that records of a list are copied to, so that native code never reads memory that others can change.
 */
const SLAB_BYTES = 256 * 1024;
const SLAB_RECORDS = 4096;
/** Maximum length of a record to copy. Longer ones are parsed in place. */
const LARGE_BYTES = 64 * 1024;

/** Thrown when parsing ends at record `row`; all records before it were parsed. */
class RecordFault extends Error {
  readonly row: number;
  readonly fault: TFRecordError;

  /** `record` is the record at `place`. */
  constructor(plan: Plan, fault: ParseFault, place: RecordPlace, row: number, record: Uint8Array | undefined) {
    super();
    // A fault of the whole batch precedes faults of its records.
    this.row = isTheBatch(fault) ? 0 : row;
    const other = record === undefined ? undefined : otherType(record, plan.sequenceExample);
    this.fault = parseFaultError(plan, fault, place, row, other);
  }
}

/**
 * Parses all `records`, and composes their result. Names the first invalid record, whether parsing or composing finds
 * it. @throws TFRecordError TFR_EXAMPLE, TFR_FEATURE, ENOMEM, TypeError.
 */
export function parseRecords<T>(records: Records, plan: Plan, int64: Int64As, compose: (piece: ParsedColumns) => T): T {
  const { piece, fault } = parseUpToFault(records, plan, int64);
  try {
    const composed = compose(piece);
    if (fault === undefined) return composed;
  } catch (error) {
    if (error instanceof FeatureFault) {
      throw featureFaultError(error, placeOf(records, error.row), otherAt(records, error.row, plan));
    }
    if (fault === undefined) throw error;
  }
  throw fault;
}

/** The result of the records before the first invalid one; `rows` is their number. */
export interface ParsedBefore<T> {
  readonly rows: number;
  readonly value: T;
  /** The fault of the record after them, if any. */
  readonly error: TFRecordError | undefined;
}

/**
 * Parses records up to the first invalid one. `pool` provides memory that is valid until the next step. @throws
 * TFRecordError for errors of the whole batch, such as its size
 */
export function parseBefore<T>(
  records: Records,
  plan: Plan,
  int64: Int64As,
  compose: (piece: ParsedColumns) => T,
  pool?: MemoryPool,
): ParsedBefore<T> {
  const parsed = parseUpToFault(records, plan, int64, pool);
  const other = (row: number): OtherType | undefined => otherAt(records, row, plan);
  return composeBefore(parsed, (row) => placeOf(records, row), compose, other);
}

/** The records that were parsed, and the fault of the record after them. */
export interface UpToFault {
  readonly piece: ParsedColumns;
  readonly fault?: TFRecordError | undefined;
}

/**
 * Composes `parsed`, or the records before the first that cannot be composed. `place` returns the origin of a record;
 * `other` its type, if it is clearly not that of the plan.
 */
export function composeBefore<T>(
  parsed: UpToFault,
  place: (row: number) => RecordPlace,
  compose: (piece: ParsedColumns) => T,
  other?: (row: number) => OtherType | undefined,
): ParsedBefore<T> {
  let { piece, fault } = parsed;
  for (;;) {
    try {
      return { rows: piece.rows, value: compose(piece), error: fault };
    } catch (error) {
      if (!(error instanceof FeatureFault)) throw error;
      fault = featureFaultError(error, place(error.row), other?.(error.row));
      const { memory } = piece;
      piece = sliceColumns(piece, 0, error.row);
      memory?.end();
    }
  }
}

/**
 * Takes the columns of `rows` records from `parser`, in memory of `pool` if given. @throws TFRecordError ENOMEM, with
 * `file`
 */
export function takeColumns(
  parser: ParserHandle,
  plan: Plan,
  int64: Int64As,
  rows: number,
  { file, pool }: { readonly file: string; readonly pool?: MemoryPool | undefined },
): ParsedColumns {
  const memory = pool && new BatchMemory(pool, file);
  const piece = newColumns(plan, rows, native().parserSizes(parser), {
    int64AsNumber: int64 === 'number',
    file,
    memory,
  });
  native().parserTake(parser, arraysOf(piece));
  return piece;
}

/** Parses the columns of `records` before the first invalid one. */
export function parseUpToFault(records: Records, plan: Plan, int64: Int64As, pool?: MemoryPool): UpToFault {
  if (!isInstance(records, RecordBatch) && !isList(records)) {
    throw invalidArgType('records', 'a RecordBatch or an array of Uint8Arrays', records);
  }
  noteFirst(plan, records);
  return withParser(plan, int64, (parser) => {
    const options = { file: fileOf(records), pool };
    const taken = (rows: number): ParsedColumns => takeColumns(parser, plan, int64, rows, options);
    callNative(options.file, () => native().parserClear(parser));
    try {
      return {
        piece: taken(
          records instanceof RecordBatch ? parseBatch(records, plan, parser) : parseList(records, plan, parser),
        ),
      };
    } catch (error) {
      if (!(error instanceof RecordFault)) throw error;
      return { piece: taken(error.row), fault: error.fault };
    }
  });
}

/**
 * Checks the type of the first of `records`, because records of a wrong type have few values or none, without an error.
 */
function noteFirst(plan: Plan, records: Records): void {
  if (records instanceof RecordBatch) {
    const { source } = partsOf(records);
    if (records.length > 0 && !isTransferred(source)) noteRecord(plan, records.at(0)!);
  } else if (types.isUint8Array(records[0])) noteRecord(plan, records[0]);
}

/** Returns the type of record `row`, if it is clearly not that of the plan. */
export function otherAt(records: Records, row: number, plan: Plan): OtherType | undefined {
  if (records instanceof RecordBatch && isTransferred(partsOf(records).source)) return undefined;
  const record: unknown = records.at(row);
  return types.isUint8Array(record) ? otherType(record, plan.sequenceExample) : undefined;
}

function fileOf(records: Records): string {
  return (records instanceof RecordBatch ? records.origin(0)?.file : undefined) ?? '<bytes>';
}

/** Returns the origin of record `row` of `records`. */
export function placeOf(records: Records, row: number): RecordPlace {
  return records instanceof RecordBatch ? records.origin(row)! : { record: row };
}

function parseBatch(batch: RecordBatch, plan: Plan, parser: ParserHandle): number {
  const { source, begin: first } = partsOf(batch);
  if (isTransferred(source)) throw transferredError(batch.origin(0)!, undefined);
  const { slab, frames, begin } = isShared(source.slab)
    ? copiedFrames(source, first, batch.length)
    : { ...source, begin: first };
  const fault = native().parserAppend(parser, slab, frames, begin, begin + batch.length);
  if (fault !== undefined)
    throw new RecordFault(plan, fault, placeOf(batch, fault.row), fault.row, batch.at(fault.row));
  return batch.length;
}

/** Copies `count` frames of `source` from `begin` on, with their memory, because other threads can write to it. */
function copiedFrames(
  { file, slab, frames: all }: BatchFrames,
  begin: number,
  count: number,
): { slab: Uint8Array; frames: Uint32Array; begin: 0 } {
  const frames = all.slice(2 * begin, 2 * (begin + count));
  let [first, last] = [Infinity, 0];
  for (let i = 0; i < frames.length; i += 2) {
    first = Math.min(first, frames[i]!);
    last = Math.max(last, frames[i]! + frames[i + 1]!);
  }
  for (let i = 0; i < frames.length; i += 2) frames[i] = frames[i]! - first;
  return { slab: unsharedBytes(viewOf(slab, Math.min(first, last), last), file), frames, begin: 0 };
}

function parseList(records: readonly Uint8Array[], plan: Plan, parser: ParserHandle): number {
  const rows = records.length;
  const gatherer = takeGatherer();
  try {
    for (let row = 0; row < rows; row++) {
      const record: unknown = records[row];
      if (!types.isUint8Array(record)) throw invalidArgType(`records[${row}]`, 'a Uint8Array', record);
      gatherer.add(record, givenLength(`records[${row}]`, record), row, plan, parser);
    }
    gatherer.flush(plan, parser);
  } finally {
    giveBack(gatherer);
  }
  return rows;
}

/** Gathers the records of a list in a slab, and parses them when it is full. */
class Gatherer {
  readonly #slab = new Uint8Array(SLAB_BYTES);
  readonly #frames = new Uint32Array(2 * SLAB_RECORDS);
  #used = 0;
  #count = 0;
  /** Number of the first record in the slab. */
  #first = 0;

  add(record: Uint8Array, length: number, row: number, plan: Plan, parser: ParserHandle): void {
    if (length > SLAB_BYTES - this.#used || this.#count === SLAB_RECORDS || length > LARGE_BYTES) {
      this.flush(plan, parser);
    }
    if (length > LARGE_BYTES) {
      this.#first = row;
      this.#parse(viewOf(record, 0, length), Uint32Array.of(0, length), 1, plan, parser);
      return;
    }
    if (this.#count === 0) this.#first = row;
    setBytes(this.#slab, record, this.#used, length);
    this.#frames[2 * this.#count] = this.#used;
    this.#frames[2 * this.#count + 1] = length;
    this.#used += length;
    this.#count++;
  }

  /** Parses the records in the slab. */
  flush(plan: Plan, parser: ParserHandle): void {
    const count = this.#count;
    this.reset();
    if (count > 0) this.#parse(this.#slab, this.#frames, count, plan, parser);
  }

  reset(): void {
    this.#used = this.#count = 0;
  }

  #parse(slab: Uint8Array, frames: Uint32Array, count: number, plan: Plan, parser: ParserHandle): void {
    // Other threads may write to shared memory while native code reads it.
    const fault = native().parserAppend(parser, unsharedBytes(slab), frames, 0, count);
    if (fault === undefined) return;
    const row = this.#first + fault.row;
    const start = frames[2 * fault.row]!;
    const record = slab.subarray(start, start + frames[2 * fault.row + 1]!);
    throw new RecordFault(plan, fault, { record: row }, row, record);
  }
}

/**
 * One gatherer is kept for reuse; computing an element of a list may parse other records, which then use another one.
 */
let spare: Gatherer | undefined;

function takeGatherer(): Gatherer {
  const gatherer = spare ?? new Gatherer();
  spare = undefined;
  return gatherer;
}

function giveBack(gatherer: Gatherer): void {
  gatherer.reset();
  spare = gatherer;
}
