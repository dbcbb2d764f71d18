/** The values of a key in all rows, and the range of each row. */
import { types } from 'node:util';

import { invalidArgType, isList, outOfRange } from '../../base';

import {
  checkRowSplits,
  isBytesArray,
  ownBytes,
  ownFloats,
  ownInt64s,
  ownNumbers,
  ownPositions,
  ownSplits,
  wordsOf,
  type BytesArray,
  type DType,
} from '../../tensor';
import { toBytes } from '../feature/values';
import { allocated, columnTooLarge, MAX_SIZE } from './encode-faults';

/** All values of a column. */
export interface Values {
  readonly values: Uint8Array | Float32Array | BigInt64Array;
  /** For bytes: value → data. Native code checks the offsets. */
  readonly offsets: Int32Array | undefined;
  /** Number of values. */
  readonly length: number;
}

/** The range of values of each row. */
export interface RowRanges {
  /** Row → first value, and the value after the last; or neither, and each row has `count` values. */
  readonly starts: Int32Array | undefined;
  readonly ends: Int32Array | undefined;
  readonly count: number;
}

/** The values of a key, and the range of each row. */
export type ColumnValues = Values & RowRanges;

/**
 * Joins values and ranges, member by member: spreading both takes longer than all other work for a column of a few
 * thousand rows.
 */
export function columnOf({ values, offsets, length }: Values, { starts, ends, count }: RowRanges): ColumnValues {
  return { values, offsets, length, starts, ends, count };
}

/**
 * Returns the values of `column`, which a caller made. @throws TypeError, RangeError, TFRecordError
 * TFR_RECORD_TOO_LARGE
 */
export function valuesGiven(name: string, feature: string, dtype: DType, column: unknown): Values {
  const found = byType(name, dtype, column);
  if (found.length > MAX_SIZE) throw columnTooLarge(feature, found.length, 'values');
  return found;
}

function byType(name: string, dtype: DType, column: unknown): Values {
  switch (dtype) {
    case 'float32':
      return numbers(ownFloats(name, column));
    case 'int64':
      return numbers(types.isFloat64Array(column) ? toInt64s(name, column) : ownInt64s(name, column));
    case 'bytes':
    case 'text': {
      if (isList(column)) return bytesColumn(toBytes(name, column));
      if (!isBytesArray(column)) throw invalidArgType(name, 'a BytesArray or an array of strings', column);
      const { data, offsets } = column;
      const positions = ownPositions(`${name}.offsets`, offsets);
      return { values: ownBytes(`${name}.data`, data), offsets: positions, length: positions.length - 1 };
    }
  }
}

function bytesColumn({ data, offsets, length }: BytesArray): Values {
  return { values: data, offsets, length };
}

/** Returns the values of a column that this package made. */
export function numbers(values: Float32Array | BigInt64Array): Values {
  return { values, offsets: undefined, length: values.length };
}

/** Converts int64 values that were parsed with `int64: 'number'`. */
function toInt64s(name: string, given: Float64Array): BigInt64Array {
  const doubles = ownNumbers(name, given);
  const values = allocated(8 * doubles.length, () => new BigInt64Array(doubles.length));
  const words = wordsOf(values);
  for (let i = 0; i < doubles.length; i++) {
    const value = doubles[i]!;
    if (!Number.isSafeInteger(value))
      throw outOfRange(`${name}[${i}]`, 'an integer from -(2^53 - 1) to 2^53 - 1', value);
    words[2 * i] = value;
    words[2 * i + 1] = Math.floor(value / 2 ** 32);
  }
  return values;
}

/** Returns ranges in which every row has `count` values. */
export function evenRows(count: number): RowRanges {
  return { starts: undefined, ends: undefined, count };
}

/** Returns ranges in which row r has the values from `splits[r]` to `splits[r + 1]`. */
export function splitRows(splits: Int32Array): RowRanges {
  return { starts: splits.subarray(0, -1), ends: splits.subarray(1), count: 0 };
}

/** Checks splits that a caller made: from 0, ascending, to `total`, which must be an int32. @throws TypeError */
export function splitsGiven(name: string, given: unknown, total: number): Int32Array<ArrayBuffer> {
  const splits = ownSplits(name, given);
  checkRowSplits(name, splits, total);
  if (splits instanceof Int32Array) return splits as Int32Array<ArrayBuffer>;
  const words = wordsOf(splits);
  const narrow = allocated(4 * splits.length, () => new Int32Array(splits.length));
  for (let i = 0; i < narrow.length; i++) narrow[i] = words[2 * i]!;
  return narrow;
}

/** Returns the range of the values of row `row`. */
export function rangeOf({ starts, ends, count }: RowRanges, row: number): readonly [begin: number, end: number] {
  if (starts === undefined || ends === undefined) return [row * count, (row + 1) * count];
  return [starts[row]!, ends[row]!];
}
