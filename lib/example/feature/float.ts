import { types } from 'node:util';

import { invalidArgType, outOfRange } from '../../errors';
import type { Feature } from '../message';
import type { FloatValues } from './feature-values';
import { checkPresent } from './present';
import { featureOf } from './refused-feature';

const EXPECTED = 'a number, a list of numbers, a Float32Array or a Float64Array';

/**
 * A float feature of one value or a list. Values are copied and rounded to float32, which holds 24 bits of a number;
 * NaN and infinities are kept.
 *
 * Refused, with an error that names the feature when it is encoded (and is thrown, too, when `values` is read): finite
 * numbers that float32 would make infinite, `RangeError` ERR_OUT_OF_RANGE; what is no number, `TypeError`
 * ERR_INVALID_ARG_TYPE.
 */
export function float(values: FloatValues): Feature {
  return featureOf('float', values, toFloat32);
}

/** The values as float32, a copy. `name` is what errors call them. */
export function toFloat32(name: string, values: unknown): Float32Array {
  if (ArrayBuffer.isView(values)) checkPresent(name, values);
  if (types.isFloat32Array(values)) return values.slice();
  if (typeof values === 'number') return fromList([values], () => name);
  if (Array.isArray(values) || types.isFloat64Array(values)) return fromList(values, (i) => `${name}[${i}]`);
  throw invalidArgType(name, EXPECTED, values);
}

function fromList(values: readonly unknown[] | Float64Array, nameOf: (index: number) => string): Float32Array {
  const column = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number') throw invalidArgType(nameOf(i), 'a number', value);
    column[i] = value;
    if (!Number.isFinite(column[i]) && Number.isFinite(value)) {
      throw outOfRange(nameOf(i), 'a number that float32 can hold (at most 3.4028235e38)', value);
    }
  }
  return column;
}
