/** Loops over the rows of whole columns. */
import { native } from '../../native';
import { BytesArray, filled, isNumbers, longestRow, newBytesArray, type Column, type Scalar } from '../../tensor';
import type { BatchMemory } from './batch-memory';
import { allocate } from './faults';

type Numbers = Exclude<Column, BytesArray | string[]>;

/** Number of rows from which on a call is faster than the loop. */
const MANY = 64;

/** Returns the length of the longest row of `splits`. */
export function longestOf(splits: Int32Array): number {
  return splits.length > MANY ? native().longestRow(splits) : longestRow(splits);
}

/**
 * Maximum bytes to fill explicitly. Beyond, the system provides zeros for memory that a few long rows among many leave
 * untouched.
 */
const MAX_TOUCHED = 4 * 2 ** 20;

/** Rows that differ in length, one after the other. */
export interface Rows {
  /** Row → units, of `unit` values each. */
  readonly splits: Int32Array;
  readonly unit: number;
  /** Number of rows. */
  readonly rows: number;
  /** Number of values in a row of the result. */
  readonly width: number;
}

/** Pads the rows of `values` with `padding`. @throws RangeError, TFRecordError ENOMEM if memory does not suffice */
export function padNumbers(
  values: Numbers,
  { splits, unit, rows, width }: Rows,
  padding: Scalar,
  memory: BatchMemory | undefined,
): Numbers {
  const length = rows * width;
  const bytes = length * values.BYTES_PER_ELEMENT;
  const lent = bytes > MAX_TOUCHED ? undefined : memory?.take(bytes);
  if (lent === undefined) {
    const padded = filled(values, length, padding);
    native().padRows(values, splits, unit, padded, undefined);
    return padded;
  }
  const of = values.constructor as NumbersClass;
  const padded = new of(lent, 0, length);
  native().padRows(values, splits, unit, padded, of.of(padding));
  return padded;
}

interface NumbersClass {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Numbers;
  of(value: Scalar): Numbers;
}

/** Converts a value to the type of `column`: int64 may be numbers. */
function toKind(column: Column, value: Scalar): Scalar {
  return column instanceof Float64Array ? Number(value) : value;
}

/** Pads the rows of feature `name`, one after the other, to `width` values. */
export function padRows(
  name: string,
  column: Column,
  layout: Rows,
  padding: Scalar,
  memory: BatchMemory | undefined,
): Column {
  if (column.length === layout.rows * layout.width) return column;
  if (column instanceof BytesArray) return padBytes(name, column, layout, padding as Uint8Array);
  return isNumbers(column)
    ? padNumbers(column, layout, toKind(column, padding), memory)
    : padTexts(column, layout, padding as string);
}

function padTexts(column: readonly string[], { splits, unit, rows, width }: Rows, padding: string): string[] {
  const padded = new Array<string>(rows * width).fill(padding);
  for (let row = 0; row < rows; row++) {
    const begin = splits[row]! * unit;
    const end = splits[row + 1]! * unit;
    for (let i = begin; i < end; i++) padded[row * width + i - begin] = column[i]!;
  }
  return padded;
}

function padBytes(name: string, column: BytesArray, layout: Rows, padding: Uint8Array): BytesArray {
  const { splits, unit, rows, width } = layout;
  const { data, offsets } = column;
  const size = data.length + padding.length * (rows * width - column.length);
  const padded = allocate(name, rows, size, 'bytes', () => (padding.length === 0 ? data : new Uint8Array(size)));
  const places = new Int32Array(rows * width + 1);
  let [at, place] = [0, 0];
  for (let row = 0; row < rows; row++) {
    const begin = splits[row]! * unit;
    const end = splits[row + 1]! * unit;
    const first = offsets[begin]!;
    if (padded !== data) padded.set(data.subarray(first, offsets[end]), at);
    for (let i = begin + 1; i <= end; i++) places[++place] = at + offsets[i]! - first;
    at = places[place]!;
    for (let i = end - begin; i < width; i++) {
      if (padding.length > 0) padded.set(padding, at);
      at += padding.length;
      places[++place] = at;
    }
  }
  return newBytesArray(padded, places);
}
