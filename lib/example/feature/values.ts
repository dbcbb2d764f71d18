/** The types of values that encoders accept, and int64(), float() and bytes(), which convert them. */
import { types } from 'node:util';

import { invalidArgType, invalidArgValue, isList, orNoMemory, outOfRange, type Bytes } from '../../base';
import { setBytes } from '../../io';
import { ENCODED } from '../../record';
import { hasLoneSurrogate, isBytesArray, newBytesArray, type BytesArray } from '../../tensor';
import type { Feature, FeatureArrays, FeatureKind, FeatureOf } from '../message';
import type { DecodedNumbers, DecodedTexts } from './decoded-feature';
import { checkBytesPresent, presentLength } from './errors';
import type { PlainValues } from './plain-values';
import { HIGH_WORD, LOW_WORD, utf8Length, writeUtf8 } from './wire-writer';

/** Values that {@link int64} accepts. */
export type Int64Values =
  | number
  | bigint
  | boolean
  | readonly (number | bigint | boolean)[]
  | BigInt64Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array;

/** Values that {@link float} accepts. */
export type FloatValues = number | readonly number[] | Float32Array | Float64Array;

/** Values that {@link bytes} accepts; strings are encoded as UTF-8. */
export type BytesValues = string | Uint8Array | readonly (string | Uint8Array)[] | BytesArray;

/**
 * Values that an encoder accepts for a feature. The kind is inferred if it is unambiguous: bigint, booleans and typed
 * arrays of integers are int64; Float32Array and Float64Array float; strings, Uint8Array and lists of them bytes. Null
 * and an empty array are a feature without a kind, which readers treat as empty, or as missing if a value is required.
 * Undefined is not written. Numbers and lists of numbers throw: use `int64()` or `float()`, or {@link EncodeOptions}.
 * The result of `exampleToObject` with `kinds` for a feature is that feature.
 */
export type FeatureLike =
  | Feature
  | DecodedNumbers
  | DecodedTexts
  | KindedFeature
  | undefined
  | null
  | bigint
  | boolean
  | string
  | Uint8Array
  | readonly []
  | readonly bigint[]
  | readonly boolean[]
  | readonly string[]
  | readonly Uint8Array[]
  | BytesArray
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint16Array
  | Uint32Array;

/** A feature as a plain object, whose only member is its kind. See {@link PlainFeature}. */
export type KindedFeature =
  | {
      /** Values of an int64 feature. */
      readonly int64: Int64Values | PlainValues['int64'];
    }
  | {
      /** Values of a float feature. */
      readonly float: FloatValues | PlainValues['float'];
    }
  | {
      /** Values of a bytes feature. */
      readonly bytes: BytesValues | PlainValues['bytes'];
    };

/** The kind of plain numbers. See {@link EncodeOptions}. */
export type NumbersAs = 'int64' | 'float' | 'infer';

/** Values that an encoder accepts for a feature if its options have the kind of plain numbers. */
export type PlainFeatureLike = FeatureLike | number | readonly (number | bigint | boolean)[];

const INT64S = 'a number, a bigint, a boolean, a list of them or an array of integers';
const RANGE = 'an integer from -2^63 to 2^63 - 1';
const TWO_32 = 2 ** 32;
const MAX_INT64 = 2n ** 63n - 1n;

/**
 * An int64 feature of one value or a list. Values are copied; true is 1, false 0.
 *
 * Invalid values throw when the feature is encoded, with its name, or when `values` is read: numbers with a fraction,
 * NaN and infinities; numbers beyond ±(2^53 - 1), which may have lost digits already (write a bigint); bigints and
 * unsigned values that 64 bits with a sign cannot hold. They are `RangeError` ERR_OUT_OF_RANGE; other values are
 * `TypeError` ERR_INVALID_ARG_TYPE.
 *
 * @example
 * encodeExample({ age: int64(29), ids: int64([1n, 2]) });
 */
export function int64(values: Int64Values): FeatureOf<'int64'> {
  return featureOf('int64', values, toInt64);
}

/** Converts values to int64, as a copy. `name` is their name in errors. */
export function toInt64(name: string, values: unknown): BigInt64Array {
  if (isList(values)) return int64sOf(name, values, values.length);
  if (ArrayBuffer.isView(values)) return fromTypedArray(name, values);
  if (typeof values === 'number' || typeof values === 'bigint' || typeof values === 'boolean') {
    const column = new BigInt64Array(1);
    store(column, 0, name, values);
    return column;
  }
  throw invalidArgType(name, INT64S, values);
}

/** Converts integers as numbers, the result of `int64: 'number'`, to int64. */
export function toInt64OfNumbers(name: string, values: Float64Array): BigInt64Array {
  return int64sOf(name, values, presentLength(name, values));
}

function int64sOf(name: string, values: ArrayLike<unknown>, length: number): BigInt64Array {
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
  if (!isIntegerArray(values)) throw invalidArgType(name, INT64S, values);
  const length = presentLength(name, values);
  // The constructor reads the length once, although shared memory may grow meanwhile.
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

/** True if `values` is an array of integers, which are not clamped. */
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

const FLOATS = 'a number, a list of numbers, a Float32Array or a Float64Array';

/**
 * A float feature of one value or a list. Values are copied and rounded to float32, which holds 24 bits of a number;
 * NaN and infinities are kept.
 *
 * Invalid values throw when the feature is encoded, with its name, or when `values` is read: finite numbers that
 * float32 would make infinite, `RangeError` ERR_OUT_OF_RANGE; other values, `TypeError` ERR_INVALID_ARG_TYPE.
 *
 * @example
 * encodeExample({ score: float(0.5), box: float([0, 0, 1, 1]) });
 */
export function float(values: FloatValues): FeatureOf<'float'> {
  return featureOf('float', values, toFloat32);
}

/** Converts values to float32, as a copy. `name` is their name in errors. */
export function toFloat32(name: string, values: unknown): Float32Array {
  if (types.isFloat32Array(values)) {
    presentLength(name, values);
    // The constructor reads the length once, although shared memory may grow meanwhile.
    return new Float32Array(values);
  }
  if (typeof values === 'number') return floatsOf([values], 1, () => name);
  if (isList(values)) return floatsOf(values, values.length, (i) => `${name}[${i}]`);
  if (types.isFloat64Array(values)) return floatsOf(values, presentLength(name, values), (i) => `${name}[${i}]`);
  throw invalidArgType(name, FLOATS, values);
}

function floatsOf(values: ArrayLike<unknown>, length: number, nameOf: (index: number) => string): Float32Array {
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

const ONE = 'a string or a Uint8Array';
const NOT_NESTED = `${ONE} (lists of values are flat; exampleEncoder(spec) takes nested ones of numbers)`;
/** Maximum bytes of a feature: offsets are int32. */
const MAX_BYTES = 2 ** 31 - 1;

/**
 * A bytes feature of one value or a list. Strings become UTF-8; bytes are copied.
 *
 * Invalid values throw when the feature is encoded, with its name, or when `values` is read: strings with half a
 * surrogate pair, which UTF-8 cannot hold, `TypeError` ERR_INVALID_ARG_VALUE; more than 2^31 - 1 bytes in all,
 * `RangeError` ERR_OUT_OF_RANGE; everything else, `TypeError` ERR_INVALID_ARG_TYPE.
 *
 * @example
 * encodeExample({ name: bytes('Zürich'), image: bytes(new Uint8Array([0xff, 0xd8])) });
 */
export function bytes(values: BytesValues): FeatureOf<'bytes'> {
  return featureOf('bytes', values, toBytes);
}

/** Converts values to a BytesArray, as a copy. `name` is their name in errors. */
export function toBytes(name: string, values: unknown): BytesArray {
  if (typeof values === 'string' || types.isUint8Array(values)) return joined([values], () => name);
  if (isList(values)) return joined(values, (i) => `${name}[${i}]`);
  if (isBytesArray(values)) {
    checkBytesPresent(name, values);
    return joined([...values], (i) => `${name}[${i}]`);
  }
  throw invalidArgType(name, `${ONE}, or a list of them`, values);
}

function joined(list: readonly unknown[], nameOf: (index: number) => string): BytesArray {
  // A list may compute its values, or their number, so each is read once, before any is checked.
  const values = Array<unknown>(list.length);
  for (let i = 0; i < values.length; i++) values[i] = list[i];
  const offsets = new Int32Array(values.length + 1);
  let size = 0;
  for (let i = 0; i < values.length; i++) {
    size += lengthOf(values[i], i, nameOf);
    if (size > MAX_BYTES) throw outOfRange(nameOf(i), 'within the first 2^31 - 1 bytes of the feature', size);
    offsets[i + 1] = size;
  }
  const data = orNoMemory(ENCODED, size, () => new Uint8Array(size));
  for (let i = 0; i < values.length; i++) {
    place(data, values[i] as string | Uint8Array, offsets[i]!, offsets[i + 1]!);
  }
  return newBytesArray(data, offsets);
}

function lengthOf(value: unknown, index: number, nameOf: (index: number) => string): number {
  if (types.isUint8Array(value)) return presentLength(nameOf(index), value);
  if (typeof value !== 'string') throw invalidArgType(nameOf(index), isList(value) ? NOT_NESTED : ONE, value);
  if (hasLoneSurrogate(value))
    throw invalidArgValue(nameOf(index), 'whole characters: half a surrogate pair is none', value);
  return utf8Length(value);
}

/** Copies `value`, which needed the bytes `at` to `end` when it was measured. */
function place(data: Bytes, value: string | Uint8Array, at: number, end: number): void {
  if (typeof value === 'string') writeUtf8(data, value, at);
  else setBytes(data, value, at, end - at);
}

/**
 * Throws the error for the values of the feature `name` (`features.age`). `int64(1.5)` does not know the name of the
 * feature, but the encoder does, so the error is thrown when the values are used.
 */
type Refuse = (name: string) => never;

const refusals = new WeakMap<object, Refuse>();

/**
 * The feature of `values`; when `convert` throws, one that throws the same, with the feature's name, as soon as it is
 * encoded, and without one when its values are read. `convert` gets the name of the values.
 */
function featureOf<K extends FeatureKind, T>(
  kind: K,
  values: T,
  convert: (name: string, values: T) => FeatureArrays[K],
): FeatureOf<K> {
  try {
    return { kind, values: convert(kind, values) };
  } catch (cause) {
    const refuse: Refuse = (name) => {
      try {
        convert(name, values);
      } catch (error) {
        // The stack of the cause shows where the values were passed.
        if (error instanceof Error) error.cause = cause;
        throw error;
      }
      throw cause;
    };
    const refused: FeatureOf<K> = {
      kind,
      get values() {
        return refuse(kind);
      },
    };
    refusals.set(refused, refuse);
    return refused;
  }
}

/** Throws the error of `feature` if its values were invalid. */
export function checkRefused(name: string, feature: Feature): void {
  refusals.get(feature)?.(name);
}
