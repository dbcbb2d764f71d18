import { types } from 'node:util';

import { invalidArgType, outOfRange } from '../../errors';
import { HIGH_WORD, LOW_WORD } from './byte-order';
import type { FeatureOf } from '../message';
import type { Int64Values } from './feature-values';
import { presentLength } from './present';
import { featureOf } from './refused-feature';

const EXPECTED = 'a number, a bigint, a boolean, a list of them or an array of integers';
const RANGE = 'an integer from -2^63 to 2^63 - 1';
const TWO_32 = 2 ** 32;
const MAX_INT64 = 2n ** 63n - 1n;

/**
 * An int64 feature of one value or a list. Values are copied; true is 1, false 0.
 *
 * Refused, with an error that names the feature when it is encoded (and is thrown, too, when `values` is read): numbers
 * with a fraction, NaN and infinities; numbers beyond ±(2^53 - 1), which may have lost digits already (write a bigint);
 * bigints and unsigned values that 64 bits with a sign cannot hold. They are `RangeError` ERR_OUT_OF_RANGE; what is no
 * number at all is `TypeError` ERR_INVALID_ARG_TYPE.
 */
export function int64(values: Int64Values): FeatureOf<'int64'> {
  return featureOf('int64', values, toInt64);
}

/** The values as int64, a copy. `name` is what errors call them. */
export function toInt64(name: string, values: unknown): BigInt64Array {
  if (Array.isArray(values)) return fromList(name, values, values.length);
  if (ArrayBuffer.isView(values)) return fromTypedArray(name, values);
  if (typeof values === 'number' || typeof values === 'bigint' || typeof values === 'boolean') {
    const column = new BigInt64Array(1);
    store(column, 0, name, values);
    return column;
  }
  throw invalidArgType(name, EXPECTED, values);
}

/** The same of integers as numbers, which `int64: 'number'` gives. */
export function toInt64OfNumbers(name: string, values: Float64Array): BigInt64Array {
  return fromList(name, values, presentLength(name, values));
}

function fromList(name: string, values: ArrayLike<unknown>, length: number): BigInt64Array {
  const column = new BigInt64Array(length);
  const words = new Int32Array(column.buffer);
  for (let i = 0; i < length; i++) {
    const value = values[i];
    if (typeof value === 'number' && Number.isSafeInteger(value)) {
      words[2 * i + LOW_WORD] = value;
      words[2 * i + HIGH_WORD] = Math.floor(value / TWO_32);
    } else {
      store(column, i, `${name}[${i}]`, value);
    }
  }
  return column;
}

function fromTypedArray(name: string, values: ArrayBufferView): BigInt64Array {
  if (!isIntegerArray(values)) throw invalidArgType(name, EXPECTED, values);
  const length = presentLength(name, values);
  // The engine reads the length once: shared memory may grow meanwhile.
  if (types.isBigInt64Array(values)) return new BigInt64Array(values);
  const column = new BigInt64Array(length);
  if (types.isBigUint64Array(values)) {
    for (let i = 0; i < length; i++) {
      const value = values[i]!;
      if (value > MAX_INT64) throw outOfRange(`${name}[${i}]`, RANGE, value);
      column[i] = value;
    }
    return column;
  }
  const words = new Int32Array(column.buffer);
  for (let i = 0; i < length; i++) {
    const value = values[i]!;
    words[2 * i + LOW_WORD] = value;
    words[2 * i + HIGH_WORD] = value < 0 ? -1 : 0;
  }
  return column;
}

/** Whether `values` is an array of integers, which are not clamped. */
function isIntegerArray(values: ArrayBufferView): values is Extract<Int64Values, ArrayBufferView> {
  return (
    types.isBigInt64Array(values) ||
    types.isBigUint64Array(values) ||
    types.isInt8Array(values) ||
    types.isInt16Array(values) ||
    types.isInt32Array(values) ||
    types.isUint8Array(values) ||
    types.isUint16Array(values) ||
    types.isUint32Array(values)
  );
}

function store(column: BigInt64Array, index: number, name: string, value: unknown): void {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) throw outOfRange(name, RANGE, value);
    if (!Number.isSafeInteger(value)) {
      throw outOfRange(name, 'an integer from -(2^53 - 1) to 2^53 - 1, or a bigint', value);
    }
    column[index] = BigInt(value);
  } else if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange(name, RANGE, value);
    column[index] = value;
  } else if (typeof value === 'boolean') {
    column[index] = value ? 1n : 0n;
  } else {
    throw invalidArgType(name, 'a number, a bigint or a boolean', value);
  }
}
