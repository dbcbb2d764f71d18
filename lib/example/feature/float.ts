import { types } from 'node:util';

import { invalidArgType, outOfRange } from '../../errors';
import type { FeatureOf } from '../message';
import type { FloatValues } from './feature-values';
import { presentLength } from './present';
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
export function float(values: FloatValues): FeatureOf<'float'> {
  return featureOf('float', values, toFloat32);
}

/** The values as float32, a copy. `name` is what errors call them. */
export function toFloat32(name: string, values: unknown): Float32Array {
  if (types.isFloat32Array(values)) {
    presentLength(name, values);
    // The engine reads the length once: shared memory may grow meanwhile.
    return new Float32Array(values);
  }
  if (typeof values === 'number') return fromList([values], 1, () => name);
  if (Array.isArray(values)) return fromList(values, values.length, (i) => `${name}[${i}]`);
  if (types.isFloat64Array(values)) return fromList(values, presentLength(name, values), (i) => `${name}[${i}]`);
  throw invalidArgType(name, EXPECTED, values);
}

function fromList(values: ArrayLike<unknown>, length: number, nameOf: (index: number) => string): Float32Array {
  const column = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const value = values[i];
    if (typeof value !== 'number') throw invalidArgType(nameOf(i), 'a number', value);
    column[i] = value;
    if (!Number.isFinite(column[i]) && Number.isFinite(value)) {
      throw outOfRange(nameOf(i), 'a number that float32 can hold (at most 3.4028235e38)', value);
    }
  }
  return column;
}
