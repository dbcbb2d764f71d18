import { types } from 'node:util';

import { invalidArgValue, outOfRange } from '../../errors';
import type { Feature } from '../message';
import { DenseTensor, type DType } from '../../tensor';
import { toBytes } from './bytes';
import { toFloat32 } from './float';
import { toInt64, toInt64OfNumbers } from './int64';

/** Most levels of nested lists for one feature's values; numpy allows as many. */
const MAX_NESTING = 64;
/** Most values and lists in nested lists. A few lists that hold one another many times over would take for ever. */
const MAX_ELEMENTS = 2 ** 24;

/**
 * All values of `value`, nested or not, as a feature of the kind that `dtype` is stored as. `where` is what errors call
 * them. @throws TypeError, RangeError
 */
export function columnFeature(where: string, dtype: DType, value: unknown): Feature {
  let flat = value instanceof DenseTensor ? (value as DenseTensor<DType>).data : value;
  if (Array.isArray(flat) && flat.some(Array.isArray)) flat = flattened(where, flat);
  switch (dtype) {
    case 'int64':
      // Parsed with int64: 'number', whose values are checked.
      return {
        kind: 'int64',
        values: types.isFloat64Array(flat) ? toInt64OfNumbers(where, flat) : toInt64(where, flat),
      };
    case 'float32':
      return { kind: 'float', values: toFloat32(where, flat) };
    case 'bytes':
      return { kind: 'bytes', values: toBytes(where, flat) };
  }
}

/** The values of nested lists, a hole as undefined. */
function flattened(where: string, lists: readonly unknown[]): unknown[] {
  checkNesting(where, lists);
  const values: unknown[] = [];
  const add = (list: readonly unknown[]): void => {
    for (const value of list) {
      if (Array.isArray(value)) add(value);
      else values.push(value);
    }
  };
  add(lists);
  return values;
}

/** Refuses before memory is taken: a list may hold another one many times over. */
function checkNesting(where: string, lists: readonly unknown[]): void {
  let elements = 0;
  const count = (list: readonly unknown[], depth: number): void => {
    if (depth > MAX_NESTING) throw invalidArgValue(where, `nested at most ${MAX_NESTING} lists deep`, lists);
    elements += list.length;
    if (elements > MAX_ELEMENTS) throw outOfRange(where, `of at most ${MAX_ELEMENTS} values and lists`, lists);
    for (const value of list) if (Array.isArray(value)) count(value, depth + 1);
  };
  count(lists, 1);
}
