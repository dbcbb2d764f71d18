import type { Feature } from '../message';
import type { BytesArray } from '../../tensor';

/** Values that {@link int64} takes. */
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

/** Values that {@link float} takes. */
export type FloatValues = number | readonly number[] | Float32Array | Float64Array;

/** Values that {@link bytes} takes; strings are UTF-8. */
export type BytesValues = string | Uint8Array | readonly (string | Uint8Array)[] | BytesArray;

/**
 * Values that an encoder takes for a feature. The kind is inferred where it is sure: bigint, booleans and arrays of integers
 * are int64; Float32Array and Float64Array float; strings, Uint8Array and lists of them bytes. An empty array, and
 * undefined, which decoding gives, are a feature without a kind: readers take it as empty, or as missing if a value is
 * required. A number, a list of numbers and null are refused: use `int64()`, `float()` or `bytes()` to give the kind.
 */
export type FeatureLike =
  | Feature
  | undefined
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
