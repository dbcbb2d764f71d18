import { types } from 'node:util';

import { invalidArgValue } from '../../errors';
import type { Feature } from '../message';
import { DenseTensor, type DType } from '../tensor';
import { toBytes } from './bytes';
import { toFloat32 } from './float';
import { toInt64, toInt64OfNumbers } from './int64';

/** Most levels of nested lists for one feature's values; numpy allows as many. */
const MAX_NESTING = 64;

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

function flattened(where: string, lists: readonly unknown[]): unknown[] {
  const values: unknown[] = lists.flat(MAX_NESTING - 1);
  if (values.some(Array.isArray)) throw invalidArgValue(where, `nested at most ${MAX_NESTING} lists deep`, lists);
  return values;
}
