/**
 * Row splits: row r of a vector of splits has the values, or rows, from `splits[r]` to `splits[r + 1]` one level below.
 */
import { types } from 'node:util';

import { counted, invalidArgType, invalidArgValue, outOfRange } from '../base';
import { givenLength } from '../io';
import { wordsOf } from './column';
import type { Shape } from './types';

/** One vector of splits: from 0, ascending, to the number of values or rows one level below. */
export type RowSplits = Int32Array | BigInt64Array;

/** Returns `1 value or row`, `2 values or rows` and so on: splits divide either. */
export function valuesOrRows(count: number): string {
  return counted(count, 'value or row', undefined, 'values or rows');
}

/** Checks splits of `total` values: from 0, ascending, to `total`. @throws TypeError */
export function checkRowSplits(name: string, splits: RowSplits, total: number): void {
  if (!types.isTypedArray(splits) || !(splits instanceof Int32Array || splits instanceof BigInt64Array)) {
    throw invalidArgType(name, 'an Int32Array or a BigInt64Array', splits);
  }
  if (splits.length === 0 || Number(splits[0]) !== 0)
    throw invalidArgValue(name, 'splits that start with 0', splits[0]);
  for (let i = 1; i < splits.length; i++) {
    if (splits[i]! < splits[i - 1]!) throw invalidArgValue(name, 'ascending', splits[i]);
  }
  const last = splits[splits.length - 1]!;
  if (Number(last) !== total) throw invalidArgValue(name, `splits of ${valuesOrRows(total)}`, last);
}

/**
 * Checks each vector of `rowSplits` against the one below, and the last one against `total` values. Long loops over
 * splits check them again, because users, and the next step of a transient reader, can overwrite them. @throws
 * TypeError
 */
export function checkLevels(rowSplits: readonly RowSplits[], total: number): void {
  rowSplits.forEach((splits, k) => {
    const below = rowSplits[k + 1];
    checkRowSplits(`rowSplits[${k}]`, splits, below === undefined ? total : below.length - 1);
  });
}

/** Returns the length of the longest row of `splits`. */
export function longestRow(splits: RowSplits): number {
  let longest = 0;
  for (let row = 1; row < splits.length; row++) {
    longest = Math.max(longest, Number(splits[row]) - Number(splits[row - 1]));
  }
  return longest;
}

/**
 * Returns the index of the value for each position of a dense tensor of `shape`, or -1 after the end of a row.
 * `rowSplits` divide the values into rows, outermost level first, one level for each dimension of `shape` except the
 * first. @throws RangeError if there are more, or longer, rows than in `shape`
 */
export function placeRows(rowSplits: readonly RowSplits[], shape: Shape): Int32Array {
  const rows = givenLength('rowSplits[0]', rowSplits[0]!) - 1;
  if (rows > shape[0]!)
    throw outOfRange('rowSplits[0]', `of at most ${counted(shape[0]!, 'row')}, as the shape is`, rows);
  let places = Float64Array.from({ length: rows }, (_, row) => row);
  rowSplits.forEach((splits, level) => {
    const width = shape[level + 1]!;
    const below = new Float64Array(Number(splits[splits.length - 1]));
    for (let row = 0; row < places.length; row++) {
      const begin = Number(splits[row]);
      const end = Number(splits[row + 1]);
      if (end - begin > width) {
        throw outOfRange(`rowSplits[${level}]`, `of rows no longer than ${width}, as the shape is`, end - begin);
      }
      const first = places[row]! * width;
      for (let i = begin; i < end; i++) below[i] = first + i - begin;
    }
    places = below;
  });
  const sources = new Int32Array(shape.reduce((size, dimension) => size * dimension, 1)).fill(-1);
  for (let i = 0; i < places.length; i++) sources[places[i]!] = i;
  return sources;
}

/** Returns a copy of splits `begin` to `end` that starts at 0. */
export function rebased<S extends RowSplits>(splits: S, begin: number, end: number): S {
  const part = splits.slice(begin, end + 1);
  if (part instanceof BigInt64Array) {
    const first = part[0]!;
    for (let i = 0; i < part.length; i++) part[i] = part[i]! - first;
  } else {
    const first = part[0]!;
    for (let i = 0; i < part.length; i++) part[i] = part[i]! - first;
  }
  return part as S;
}

/** Returns the indices [row, i] of each value, for rows by `splits`. */
export function indicesOfRows(splits: Int32Array): BigInt64Array<ArrayBuffer> {
  const rows = splits.length - 1;
  const indices = new BigInt64Array(2 * splits[rows]!);
  const words = wordsOf(indices);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const count = splits[row + 1]! - splits[row]!;
    for (let i = 0; i < count; i++, at += 4) {
      words[at] = row;
      words[at + 2] = i;
    }
  }
  return indices;
}

/**
 * Returns the indices [row, step, i] of each value: `steps` divide the steps into rows, `splits` the values into steps.
 */
export function indicesOfSteps(steps: Int32Array, splits: Int32Array): BigInt64Array<ArrayBuffer> {
  const rows = steps.length - 1;
  const indices = new BigInt64Array(3 * splits[splits.length - 1]!);
  const words = wordsOf(indices);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const first = steps[row]!;
    const end = steps[row + 1]!;
    for (let step = first; step < end; step++) {
      const count = splits[step + 1]! - splits[step]!;
      for (let i = 0; i < count; i++, at += 6) {
        words[at] = row;
        words[at + 2] = step - first;
        words[at + 4] = i;
      }
    }
  }
  return indices;
}
