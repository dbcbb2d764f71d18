/** Loops over the rows of whole columns, in native code. */
import { native } from '../../native';
import { filled, longestRow, type BytesArray, type Column, type Scalar } from '../tensor';
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

/** Rows of numbers, to be filled up to `width` values each. */
export interface RaggedNumbers {
  readonly values: Numbers;
  /** Row → units, of `unit` values each. */
  readonly splits: Int32Array;
  readonly unit: number;
  readonly width: number;
}

/** The rows one behind the other, filled up with `padding`. @throws RangeError where there is no memory for them */
export function padNumbers(rows: RaggedNumbers, padding: Scalar, memory: TransientMemory | undefined): Numbers {
  const { values, splits, unit, width } = rows;
  const length = (splits.length - 1) * width;
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
