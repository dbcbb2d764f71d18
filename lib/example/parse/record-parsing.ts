/** Records of a pipeline to rows and to batches, up to the first at fault. */
import { callNative, viewOf, type Origin } from '../../base';
import { type MemoryPool } from '../../io';
import { native } from '../../native';
import { type RecordList } from '../../record';
import type { Int64As } from '../../tensor';
import { isTooLarge } from '../columns';
import { otherType, type OtherType, type ParsedAs } from '../feature';
import type { ContextSpec, SequenceSpec, Spec } from '../kinds';
import { exampleComposer, sequenceComposer, type Composer, type ComposedRows } from './compose';
import { noteRecord } from './note-type';
import { planSequence, type SequenceFeatures } from './parse-example';
import { isTheBatch, parseFaultError, type RecordPlace } from './parse-fault';
import {
  composeBefore,
  otherAt,
  parseBefore,
  parseUpToFault,
  placeOf,
  takeColumns,
  type ParsedBefore,
  type Records,
  type UpToFault,
} from './parse-records';
import { sliceColumns, type ParsedColumns } from './parsed-columns';
import { checkPadding, giveBackParser, takeParser } from './parser';
import { planExample, type Plan } from './plan';

/** Parses records of one spec. */
export interface RecordParsing {
  /** Key of the features: equal specs have the same. */
  readonly key: string;
  /** The rows. */
  rows(records: Records): ParsedBefore<Rows>;
  /** The columns; `pool`: they last until their memory ends. @throws TFRecordError TFR_RECORD_TOO_LARGE where they are too many for one batch */
  batch(records: Records, pool?: MemoryPool): ParsedBefore<object>;
  /** {@link RecordParsing.batch} on a native thread. */
  batchLater(records: ListedRecords, pool?: MemoryPool): Promise<ParsedBefore<object>>;
}

/** The parsing of Examples. @throws TFRecordError TFR_SPEC */
export function exampleParsing(spec: Spec, { int64, bytes }: ParsedAs): RecordParsing {
  return newParsing(exampleComposer(planExample(spec, bytes)), int64);
}

/** The parsing of SequenceExamples. @throws TFRecordError TFR_SPEC */
export function sequenceParsing(
  spec: SequenceFeatures<ContextSpec, SequenceSpec>,
  { int64, bytes }: ParsedAs,
): RecordParsing {
  return newParsing(sequenceComposer(planSequence(spec, bytes)), int64);
}

/** The parsing of the records that `composer` composes. */
export function newParsing({ plan, compose, batch }: Composer, int64: Int64As): RecordParsing {
  checkPadding(plan, int64);
  const heldBatch = (piece: ParsedColumns): object => {
    const made = batch(piece);
    piece.memory?.hold(made);
    return made;
  };
  return {
    key: keyOf(plan, int64),
    rows: (records) =>
      composeRows(
        parseUpToFault(records, plan, int64),
        (row) => placeOf(records, row),
        compose,
        (row) => otherAt(records, row, plan),
      ),
    batch: (records, pool) => parseBefore(records, plan, int64, heldBatch, pool),
    batchLater: (records, pool) => parseLater(records, plan, int64, heldBatch, pool),
  };
}

function keyOf({ features, sequence, sequenceExample }: Plan, int64: Int64As): string {
  // Disk caches have keys in which definitions are called details.
  const described = (all: Plan['features']): object =>
    all.map(({ name, definition: details, section, columns }) => ({ name, details, section, columns }));
  return JSON.stringify([sequenceExample, int64, described(features), described(sequence)], (_, value: unknown) => {
    // JSON has one word for some numbers, and none for others.
    if (typeof value === 'number' && Object.is(value, -0)) return 'number -0';
    if (typeof value === 'number' || typeof value === 'bigint') return `${typeof value} ${value}`;
    return value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString('hex')}` : value;
  });
}

/** Rows by their number. */
export type Rows = Pick<ComposedRows, 'at'>;

/**
 * The rows before the first record that cannot be composed: as {@link composeBefore}, but records that are too large
 * together come in parts: rows are never one array.
 */
function composeRows(
  parsed: UpToFault,
  place: (row: number) => RecordPlace,
  compose: (piece: ParsedColumns) => Rows,
  other: (row: number) => OtherType | undefined,
): ParsedBefore<Rows> {
  const { piece, fault } = parsed;
  try {
    return composeBefore(parsed, place, compose, other);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    if (piece.rows === 1) return { rows: 0, value: NO_ROWS, error };
  }
  const middle = piece.rows >>> 1;
  const first = composeRows({ piece: sliceColumns(piece, 0, middle) }, place, compose, other);
  if (first.error !== undefined) return first;
  const rest = { piece: sliceColumns(piece, middle, piece.rows), fault };
  const second = composeRows(
    rest,
    (row) => place(middle + row),
    compose,
    (row) => other(middle + row),
  );
  return {
    rows: middle + second.rows,
    value: { at: (row) => (row < middle ? first.value.at(row) : second.value.at(row - middle)) },
    error: second.error,
  };
}

const NO_ROWS: Rows = {
  at(row) {
    throw new RangeError(`no row ${row}`);
  },
};

/** Records in slabs, of one or more, and where each was read. */
interface ListedRecords {
  readonly list: RecordList;
  readonly length: number;
  origin(row: number): Origin;
}

/**
 * The result of the records before the first at fault. Records are copied at the call, except unseen ones, which must
 * not change until it settles. @throws TFRecordError for errors about the whole batch: its size
 */
async function parseLater<T>(
  records: ListedRecords,
  plan: Plan,
  int64: Int64As,
  compose: (piece: ParsedColumns) => T,
  pool?: MemoryPool,
): Promise<ParsedBefore<T>> {
  const { list, length } = records;
  const parser = takeParser(plan, int64);
  try {
    if (length > 0) noteRecord(plan, recordIn(list, 0));
    const place = (row: number): Origin => records.origin(row);
    const fault = await callNative(place(0).file, () =>
      native().parserStart(parser, list.slabs, list.records, length, list.unseen),
    );
    const other = (row: number): OtherType | undefined => otherType(recordIn(list, row), plan.sequenceExample);
    const error =
      fault &&
      parseFaultError(plan, fault, place(fault.row), fault.row, isTheBatch(fault) ? undefined : other(fault.row));
    // An error about the batch comes before the errors of its records.
    const rows = fault === undefined ? length : isTheBatch(fault) ? 0 : fault.row;
    const piece = takeColumns(parser, plan, int64, rows, { file: place(0).file, pool });
    return composeBefore({ piece, fault: error }, place, compose, other);
  } finally {
    giveBackParser(plan, int64, parser);
  }
}

/** Record `row` of `list`. */
function recordIn({ slabs, records }: RecordList, row: number): Uint8Array {
  const [slab = 0, offset = 0, length = 0] = records.subarray(3 * row, 3 * row + 3);
  return viewOf(slabs[slab]!, offset, offset + length);
}
