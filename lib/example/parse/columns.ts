/** Parsed columns: what native code makes of records, before features are composed of it. */
import type { ColumnArrays, PlanColumn } from '../../native';
import { newBytesArray, type Column } from '../tensor';
import type { Bytes } from '../../record';
import type { Plan } from './plan';
import { MAX_POSITION, tooLarge } from './too-large';
import type { TransientMemory } from './transient-memory';

/** One column of a piece; only what applies is there. Positions ascend from 0. */
export interface ColumnData {
  /** Feature lists: record → steps. */
  readonly steps: Int32Array<ArrayBuffer> | undefined;
  /** Where the count is open: record (or step) → values. */
  readonly splits: Int32Array<ArrayBuffer> | undefined;
  /** Of bytes: value → data. */
  readonly offsets: Int32Array<ArrayBuffer> | undefined;
  /** The numbers, or the data of all bytes. */
  readonly values: Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Bytes;
}

/** The columns of some records of one plan. */
export interface Piece {
  readonly plan: Plan;
  /** Number of records. */
  readonly rows: number;
  /** One for each column of the plan. */
  readonly columns: readonly ColumnData[];
  /** Where what is composed of it may lie, too. Pieces that were cut or put together have none. */
  readonly memory?: TransientMemory | undefined;
}

/** The values of a column. */
export function valuesOf({ values, offsets }: ColumnData): Column {
  return offsets === undefined ? (values as Column) : newBytesArray(values as Bytes, offsets);
}

/** The arrays of a piece in the order in which native code fills them. */
export function arraysOf(piece: Piece): ColumnArrays {
  const arrays = [];
  for (const { steps, splits, offsets, values } of piece.columns) {
    if (steps !== undefined) arrays.push(steps);
    if (splits !== undefined) arrays.push(splits);
    if (offsets !== undefined) arrays.push(offsets);
    arrays.push(values);
  }
  return arrays;
}

/** Records `from` to `to` of a piece; copies, unless that is all of it. */
export function slicePiece(piece: Piece, from: number, to: number): Piece {
  if (from === 0 && to === piece.rows) return piece;
  const columns = piece.columns.map((column, i) => sliceColumn(column, piece.plan.columns[i] as PlanColumn, from, to));
  return { plan: piece.plan, rows: to - from, columns };
}

function sliceColumn(column: ColumnData, { count }: PlanColumn, from: number, to: number): ColumnData {
  let [begin, end] = [from, to];
  const level = (positions: Int32Array<ArrayBuffer> | undefined): Int32Array<ArrayBuffer> | undefined => {
    if (positions === undefined) return undefined;
    const part = positions.slice(begin, end + 1);
    [begin, end] = [positions[begin] as number, positions[end] as number];
    if (begin !== 0) for (let i = 0; i < part.length; i++) part[i] = (part[i] as number) - begin;
    return part;
  };
  const steps = level(column.steps);
  const splits = level(column.splits);
  if (splits === undefined) [begin, end] = [begin * count, end * count];
  const offsets = level(column.offsets);
  return { steps, splits, offsets, values: column.values.slice(begin, end) };
}

/**
 * The records of all pieces, of which there is one or more, of one plan; copies, unless there is only one.
 * @throws TFRecordError TFR_RECORD_TOO_LARGE where a column outgrows what int32 positions can say.
 */
export function concatPieces(pieces: readonly Piece[]): Piece {
  const [first] = pieces as readonly [Piece, ...Piece[]];
  if (pieces.length === 1) return first;
  const rows = pieces.reduce((sum, piece) => sum + piece.rows, 0);
  const columns = first.columns.map((_, i) => {
    const parts = pieces.map((piece) => piece.columns[i] as ColumnData);
    return concatColumns(parts, first.plan.keys[i] as string, rows);
  });
  return { plan: first.plan, rows, columns };
}

function concatColumns(parts: readonly ColumnData[], key: string, rows: number): ColumnData {
  const [{ steps, splits, offsets }] = parts as readonly [ColumnData, ...ColumnData[]];
  const check = (total: number, unit: string): number => {
    if (total > MAX_POSITION) throw tooLarge(key, rows, total, unit);
    return total;
  };
  const length = check(
    sum(parts, ({ values }) => values.length),
    offsets === undefined ? 'values' : 'bytes',
  );
  const join = (positionsOf: (part: ColumnData) => Int32Array | undefined, unit: string): Int32Array<ArrayBuffer> => {
    const all = parts.map((part) => positionsOf(part) as Int32Array);
    check(
      sum(all, (positions) => positions[positions.length - 1] as number),
      unit,
    );
    return joinPositions(all);
  };
  return {
    steps: steps && join((part) => part.steps, 'steps'),
    splits: splits && join((part) => part.splits, 'values'),
    offsets: offsets && join((part) => part.offsets, 'bytes'),
    values: joinValues(parts, length),
  };
}

function joinPositions(all: readonly Int32Array[]): Int32Array<ArrayBuffer> {
  const joined = new Int32Array(sum(all, (positions) => positions.length - 1) + 1);
  let [at, base] = [0, 0];
  for (const positions of all) {
    for (let i = 1; i < positions.length; i++) joined[at + i] = base + (positions[i] as number);
    at += positions.length - 1;
    base = joined[at] as number;
  }
  return joined;
}

function joinValues(parts: readonly ColumnData[], length: number): ColumnData['values'] {
  const [{ values }] = parts as readonly [ColumnData, ...ColumnData[]];
  // Of one class all; as words, NaN payloads stay as they are.
  const joined = new (values.constructor as new (length: number) => ColumnData['values'])(length);
  const to = new Uint8Array(joined.buffer);
  let at = 0;
  for (const { values: part } of parts) {
    to.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return joined;
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
