/** The value types of features, the JavaScript types of their values and literals, and the shapes of tensors. */
import { invalidArgType, invalidArgValue, outOfRange, isList, isInteger, type Bytes } from '../base';

/**
 * `bytes` is TensorFlow's `tf.string`. `text` is the same type with strings as values: a value that is not UTF-8 is
 * TFR_FEATURE.
 */
export type DType = 'float32' | 'int64' | 'bytes' | 'text';

/** The type that values have in records. */
export type StoredDType = Exclude<DType, 'text'>;

/** The JavaScript type of int64 values. `number` never rounds: a value beyond ±(2^53 − 1) throws. */
export type Int64As = 'bigint' | 'number';

/** The JavaScript type of bytes values. `text` never replaces characters: a value that is not UTF-8 throws. */
export type BytesAs = 'bytes' | 'text';

/** The dtype of features of dtype `D` that are parsed with bytes as `B`. */
export type DTypeAs<D extends DType, B extends BytesAs> = B extends 'text' ? (D extends 'bytes' ? 'text' : D) : D;

/** Sizes of a tensor's dimensions, outermost first; `[]` is a scalar. */
export type Shape = readonly number[];

/** The JavaScript type of one value of each type. */
export interface Scalars<I extends Int64As = 'bigint'> {
  /** A float32. */
  float32: number;
  /** A bigint, or a number with `int64: 'number'`. */
  int64: I extends 'number' ? number : bigint;
  /** A view of the bytes. */
  bytes: Bytes;
  /** A string. */
  text: string;
}

/** The types of literals for each type. */
export interface Literals {
  /** Rounded to float32; a finite number must stay finite. */
  float32: number;
  /** An integer of 64 bits; a number must be exact, within ±(2^53 − 1). */
  int64: number | bigint | boolean;
  /** A string stands for its UTF-8. */
  bytes: string | Uint8Array;
  /** Bytes must be UTF-8. */
  text: string | Uint8Array;
}

export const DTYPES: readonly DType[] = ['float32', 'int64', 'bytes', 'text'];

/** Returns the type that values of `dtype` have in records. */
export function storedDType(dtype: DType): StoredDType {
  return dtype === 'text' ? 'bytes' : dtype;
}

/** Any scalar. */
export type Scalar = Scalars<Int64As>[DType];

/** The rows of a batch from `begin` to before `end`. */
export interface BatchPart<T = unknown> {
  readonly batch: T;
  readonly begin: number;
  readonly end: number;
}

/** Returns the number of values in a tensor of `shape`: 1 for a scalar. */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (const dimension of shape) size *= dimension;
  return size;
}

/** Returns a frozen copy of `shape`. @throws TypeError unless it contains sizes: integers from 0 on */
export function checkShape(name: string, shape: unknown): Shape {
  if (!isList(shape)) throw invalidArgType(name, 'an array of sizes', shape);
  return Object.freeze(
    Array.from(shape, (size: unknown) => {
      if (isInteger(size, 0)) return size;
      throw invalidArgValue(name, 'sizes: integers from 0 on', size);
    }),
  );
}

/**
 * Returns the position of `index` among `length` items, counted from the end if negative; undefined if there is no such
 * item. @throws TypeError unless it is a number
 */
export function placeOf(index: number, length: number): number | undefined {
  if (typeof index !== 'number') throw invalidArgType('index', 'a number', index);
  const place = Math.trunc(index) || 0;
  const from = place < 0 ? place + length : place;
  return from >= 0 && from < length ? from : undefined;
}

/** @throws RangeError unless there are at most `rank` indices */
export function checkRank(indices: readonly number[], rank: number): void {
  if (indices.length > rank) throw outOfRange('indices', `at most ${rank}, one a dimension`, indices.length);
}

/**
 * Makes nested arrays of `shape` (a single value for a scalar) of the values `leaf(0)`, `leaf(1)` …, in row-major
 * order.
 */
export function nest(shape: Shape, leaf: (index: number) => unknown): unknown {
  let next = 0;
  const level = (depth: number): unknown =>
    depth === shape.length ? leaf(next++) : Array.from({ length: shape[depth]! }, () => level(depth + 1));
  return level(0);
}
