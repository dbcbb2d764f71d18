/** The type of `toObject`, which converts rows and batches to plain objects. */
import type { BytesArray } from './bytes-array';
import type { DenseTensor } from './dense-tensor';
import type { NullableColumn } from './nullable-column';
import type { BytesForm, Int64Form, ObjectOptions } from './plain-forms';
import type { PlainBytes, PlainInt64, PlainLists, PlainNested, PlainScalar, PlainSparse } from './plain-types';
import type { RaggedTensor } from './ragged-tensor';
import type { SparseTensor } from './sparse-tensor';
import type { DType, Int64As, Shape } from './types';

/** The type of the plain value of a `T`. */
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
 * The method that rows and batches have in addition to their features. A class in types only, because TypeScript
 * excludes methods of classes from the type of `{ ...row }`, as JavaScript excludes this method.
 */
export declare abstract class ToObject {
  /**
   * Returns the values as a plain object for `JSON.stringify`, `structuredClone` and `console.table`: numbers, strings,
   * and nested arrays of them. Columns become arrays, sparse tensors `{ indices, values, denseShape }`. A float32 has
   * the fewest digits that are read back as the same float32. A feature named `toObject` replaces the method.
   *
   * @throws TFRecordError TFR_FEATURE, naming the feature, for an int64 beyond ±(2^53 − 1) with `int64: 'number'`, and
   * for bytes that are not UTF-8 with `bytes: 'text'`. TypeError for invalid options.
   *
   * @example
   * const { id, tags } = row.toObject({ int64: 'string' });
   */
  toObject<N extends Int64Form = 'number', B extends BytesForm = 'auto'>(
    options?: ObjectOptions<N, B>,
  ): Plain<this, N, B>;
}
