import type { BytesArray, DenseTensor, DType, Int64As, Shape } from '../../tensor';
import type { PadShape, PadValue } from './pad-options';
import type { PaddedArray } from './pad-sequences';

/** How to pad. Unknown names throw. Names are those of what elements have, `outer.inner` for what objects in them have. */
export interface PadOptions<T> {
  /**
   * Sizes to pad to, of all dimensions of a sequence; `null` is the longest of the batch. By name; for elements that are
   * sequences themselves without one. An element that is longer is TFR_FEATURE. Default: the longest of the batch.
   */
  shape?: PadShape | Readonly<Partial<Record<keyof T | (string & {}), PadShape | undefined>>> | undefined;
  /** What to pad with. Default 0, '' for text and bytes. */
  values?: PadValue | Readonly<Partial<Record<keyof T | (string & {}), PadValue | undefined>>> | undefined;
  /** Sizes that `shape` does not give become multiples of this: one for all, or by name. Default 1. */
  multipleOf?: number | Readonly<Partial<Record<keyof T | (string & {}), number | undefined>>> | undefined;
  /** Leaves out the last batch, or the last of each bucket, when it is not full. Default false. */
  dropRemainder?: boolean | undefined;
}

/** How to make buckets. Unknown names throw. */
export interface BucketOptions<T> extends PadOptions<T> {
  /** Ascending: bucket i has what is shorter than `boundaries[i]`, and not than those before; one more has the rest. */
  boundaries: readonly number[];
  /** Elements of a batch, for each bucket: one more than `boundaries`. */
  batchSizes: readonly number[];
}

type Numbers =
  Float64Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8ClampedArray | BigUint64Array;

/** What a batch of `E` becomes, and `C` where `E` is not padded. */
export type PaddedColumn<E, C> =
  E extends DenseTensor<infer D extends DType, Shape, infer I extends Int64As>
    ? DenseTensor<D, Shape, I>
    : E extends Float32Array
      ? DenseTensor<'float32', readonly [number, number]>
      : E extends BigInt64Array
        ? DenseTensor<'int64', readonly [number, number]>
        : E extends BytesArray
          ? DenseTensor<'bytes', readonly [number, number]>
          : E extends Uint8Array
            ? C
            : E extends Numbers
              ? PaddedArray<E> | DenseTensor<'int64', readonly [number, number], 'number'>
              : E extends readonly (infer V)[]
                ? V[][]
                : E extends object
                  ? { -readonly [K in keyof E]: PaddedColumn<E[K], Inner<E[K], C, K>> }
                  : C;

/** What the batch `C` has under `K`; rows have arrays. */
type Inner<V, C, K> = C extends readonly unknown[] ? V[] : K extends keyof C ? C[K] : V[];

/** A batch of padded elements. */
export interface PaddedBatch<T, B> {
  /** Sequences as tensors, or nested arrays, of one dimension more; single values as `batch` has them. */
  readonly values: PaddedColumn<T, B>;
  /** How long each sequence was before, along its first dimension; by name, for elements that are no sequences. */
  readonly lengths: T extends readonly unknown[] | BytesArray | DenseTensor<DType, Shape, Int64As> | ArrayBufferView
    ? Int32Array
    : Readonly<Record<string, Int32Array>>;
}
