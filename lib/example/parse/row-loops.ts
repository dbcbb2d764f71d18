/** Loops over the rows of whole columns, in native code. */
import { native } from '../../native';
import { filled, longestRow, type BytesArray, type Column, type Scalar } from '../../tensor';
import type { TransientMemory } from './transient-memory';

type Numbers = Exclude<Column, BytesArray>;

/** From so many rows on a call takes less time than the loop. */
const MANY = 64;

/** The longest row of `splits`. */
export function longestOf(splits: Int32Array): number {
  return splits.length > MANY ? native().longestRow(splits) : longestRow(splits);
}

/** A few long rows among many make memory that nobody touches: the system has zeros for it. */
const MOST_TOUCHED = 4 * 2 ** 20;

/** Rows that differ in length, one behind the other. */
export interface Rows {
  /** Row → units, of `unit` values each. */
  readonly splits: Int32Array;
  readonly unit: number;
  /** Number of rows. */
  readonly rows: number;
  /** Values of a row of the result. */
  readonly width: number;
}

/** The rows of `values`, each filled up with `padding`. @throws RangeError where there is no memory for them */
export function padNumbers(
  values: Numbers,
  { splits, unit, rows, width }: Rows,
  padding: Scalar,
  memory: TransientMemory | undefined,
): Numbers {
  const length = rows * width;
  const bytes = length * values.BYTES_PER_ELEMENT;
  const lent = bytes > MOST_TOUCHED ? undefined : memory?.take(bytes);
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
