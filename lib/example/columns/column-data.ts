/** One parsed column: the values of a feature in some records, as native code returns them. */
import type { Bytes } from '../../base';
import { decodeTexts, newBytesArray, NoText, wordsOf, type Column } from '../../tensor';
import { FeatureFault } from './faults';

/** One column. Members that do not apply are undefined. Positions ascend from 0. */
export interface ColumnData {
  /** For optional columns: record → items; a record with the feature has one item. The other positions count items. */
  readonly present?: Int32Array<ArrayBuffer> | undefined;
  /** For feature lists: record → steps. */
  readonly steps: Int32Array<ArrayBuffer> | undefined;
  /** For a variable number of values: record (or step) → values. */
  readonly splits: Int32Array<ArrayBuffer> | undefined;
  /** For bytes: value → data. */
  readonly offsets: Int32Array<ArrayBuffer> | undefined;
  /** The numbers, or the data of all bytes. */
  readonly values: Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Bytes;
}

/** Returns the values of a column. */
export function valuesOf({ values, offsets }: ColumnData): Column {
  return offsets === undefined ? (values as Column) : newBytesArray(values as Bytes, offsets);
}

/**
 * Returns the texts of feature `name`, a column of bytes of `rows` records. @throws FeatureFault for the first value
 * that is not UTF-8
 */
export function textsOf(name: string, rows: number, column: ColumnData): string[] {
  const { present, steps, splits, offsets, values } = column;
  const texts = decodeTexts(values as Bytes, offsets!);
  if (!(texts instanceof NoText)) return texts;
  const { index, expected, found } = texts;
  const items = present === undefined ? rows : present[rows]!;
  // A list of values belongs to a record or to a step.
  const lists = steps === undefined ? items : steps[items]!;
  const size = (offsets!.length - 1) / lists;
  const item = rowOfValue(column, size, index);
  const first = steps === undefined ? item : steps[item]!;
  const place = index - (splits === undefined ? first * size : splits[first]!);
  const row = present === undefined ? item : rowOf(present, item);
  throw new FeatureFault(row, name, `${expected} in value ${place}`, found, "dtype 'bytes' accepts any bytes");
}

/** Returns an int64 column as numbers: exact within ±2^53, beyond that rounded. */
export function numbersOf({ values }: Pick<ColumnData, 'values'>): Float64Array {
  if (values instanceof Float64Array) return values;
  const words = wordsOf(values as BigInt64Array);
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = words[2 * i + 1]! * 2 ** 32 + (words[2 * i]! >>> 0);
  }
  return numbers;
}

/**
 * Returns the row that contains value `index` of a column. `size` is the number of values in each list, if there are no
 * splits.
 */
export function rowOfValue({ steps, splits }: ColumnData, size: number, index: number): number {
  const list = splits === undefined ? Math.floor(index / size) : rowOf(splits, index);
  return steps === undefined ? list : rowOf(steps, list);
}

/** Returns the row that contains value `position`. */
export function rowOf(splits: Int32Array, position: number): number {
  let [low, high] = [0, splits.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (splits[middle]! <= position) low = middle;
    else high = middle;
  }
  return low;
}
