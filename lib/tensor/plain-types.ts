/** The types of plain values. */
import type { Bytes } from '../record';
import type { BytesArray } from './bytes-array';
import type { DenseTensor } from './dense-tensor';
import type { NullableColumn } from './nullable-column';
import type { BytesForm, Int64Form, ObjectOptions } from './plain';
import type { RaggedTensor } from './ragged-tensor';
import type { SparseTensor } from './sparse-tensor';
import type { DType, Int64As, Shape } from './types';

/** An int64 in form `N`. */
export type PlainInt64<N extends Int64Form> = N extends 'bigint' ? bigint : N extends 'string' ? string : number;

/** Bytes that are not text, as JSON writes them. */
export interface Base64 {
  /** The bytes in base64 (RFC 4648, section 4). */
  base64: string;
}

/** A byte string in form `B`. */
export type PlainBytes<B extends BytesForm> = B extends 'bytes' ? Bytes : B extends 'auto' ? string | Base64 : string;

/** A value of type `D` that was parsed with int64 as `I`. */
export type PlainScalar<
  D extends DType,
  I extends Int64As,
  N extends Int64Form,
  B extends BytesForm,
> = D extends 'bytes'
  ? PlainBytes<B>
  : D extends 'text'
    ? string
    : D extends 'int64'
      ? I extends 'number'
        ? number
        : PlainInt64<N>
      : number;

/** Nested arrays of any depth. */
export type PlainLists<V> = V | PlainLists<V>[];

/** Nested arrays of shape `S`. */
export type PlainNested<S extends Shape, V> = S extends readonly []
  ? V
  : S extends readonly [number, ...infer R extends Shape]
    ? PlainNested<R, V>[]
    : PlainLists<V>;

/** A sparse tensor as a plain object. */
export interface PlainSparse<V> {
  /** The coordinates of each value. */
  indices: number[][];
  /** The values of all entries. */
  values: V[];
  /** Sizes of all dimensions. */
  denseShape: number[];
}

/** The plain value of a `T`. */
export type Plain<T, N extends Int64Form = 'number', B extends BytesForm = 'auto'> = T extends bigint
  ? PlainInt64<N>
  : T extends Uint8Array
    ? PlainBytes<B>
    : T extends BigInt64Array | BigUint64Array
      ? PlainInt64<N>[]
      : T extends ArrayBufferView
        ? number[]
        : T extends BytesArray
          ? PlainBytes<B>[]
          : T extends DenseTensor<infer D extends DType, infer S extends Shape, infer I extends Int64As>
            ? PlainNested<S, PlainScalar<D, I, N, B>>
            : T extends SparseTensor<infer D extends DType, infer I extends Int64As>
              ? PlainSparse<PlainScalar<D, I, N, B>>
              : T extends RaggedTensor<infer D extends DType, Shape, infer I extends Int64As>
                ? PlainLists<PlainScalar<D, I, N, B>>[]
                : T extends NullableColumn<infer D extends DType, infer I extends Int64As>
                  ? (PlainScalar<D, I, N, B> | null)[]
                  : T extends readonly (infer V)[]
                    ? Plain<V, N, B>[]
                    : T extends object
                      ? { -readonly [K in keyof T as K extends 'toObject' ? never : K]: Plain<T[K], N, B> }
                      : T;

/**
 * The method that rows and batches have besides their features. A class in types only: TypeScript leaves methods of classes
 * out of `{ ...row }`, as JavaScript leaves out this one.
 */
export declare abstract class ToObject {
  /**
   * The values as a plain object, which `JSON.stringify`, `structuredClone` and `console.table` take: numbers, strings,
   * and nested arrays of them. Columns become arrays, sparse tensors `{ indices, values, denseShape }`. A float32 has the
   * fewest digits that read back as the same float32. A feature named `toObject` replaces the method.
   *
   * @throws TFRecordError TFR_FEATURE, naming the feature, for an int64 beyond ±(2^53 − 1) with `int64: 'number'`, and
   * for bytes that are not UTF-8 with `bytes: 'text'`. TypeError for options that are wrong.
   *
   * @example
   * const { id, tags } = row.toObject({ int64: 'string' });
   */
  toObject<N extends Int64Form = 'number', B extends BytesForm = 'auto'>(
    options?: ObjectOptions<N, B>,
  ): Plain<this, N, B>;
}
