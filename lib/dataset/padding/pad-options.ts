import { checkInteger, invalidArgType } from '../../base';
import type { BytesArray, DenseTensor, DType, Int64As, Shape } from '../../tensor';

/**
 * Options of `paddedBatch`. Unknown names throw. Options "by name" are objects whose keys are names of members of
 * elements; `outer.inner` names a member of an object in an element.
 */
export interface PadOptions<T> {
  /**
   * Sizes of all dimensions of a sequence after padding; `null` stands for the longest of the batch. By name, or one
   * shape if elements are sequences themselves. A longer sequence is TFR_FEATURE. Default: the longest of the batch.
   */
  shape?: PadShape | Readonly<Partial<Record<keyof T | (string & {}), PadShape | undefined>>> | undefined;
  /** The padding value: one for all, or by name. Default 0; '' for text and bytes. */
  values?: PadValue | Readonly<Partial<Record<keyof T | (string & {}), PadValue | undefined>>> | undefined;
  /** Rounds sizes that `shape` does not set up to a multiple of this number: one for all, or by name. Default 1. */
  multipleOf?: number | Readonly<Partial<Record<keyof T | (string & {}), number | undefined>>> | undefined;
  /** Drops the last batch, or the last batch of each bucket, if it is not full. Default false. */
  dropRemainder?: boolean | undefined;
}

/** Names of the options of padding. */
export const PAD_OPTIONS = ['shape', 'values', 'multipleOf', 'dropRemainder'] as const;

/** Options of `bucketByLength`. Unknown names throw. */
export interface BucketOptions<T> extends PadOptions<T> {
  /**
   * Ascending lengths: bucket i has the elements shorter than `boundaries[i]` that are in no bucket before; one more
   * bucket has the rest.
   */
  boundaries: readonly number[];
  /** Number of elements in a batch, for each bucket: one number more than `boundaries`. */
  batchSizes: readonly number[];
}

type Numbers =
  Float64Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8ClampedArray | BigUint64Array;

/** A padded batch of typed arrays whose type tensors do not have. */
export interface PaddedArray<A> {
  /** Sizes of the dimensions, the batch first. */
  readonly shape: readonly number[];
  /** The values, in row-major order. */
  readonly data: A;
}

/** The column of a padded batch of `E`; `C` if `E` is not padded. */
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

/** The value of the batch `C` under `K`; an array if the batch is an array of rows. */
type Inner<V, C, K> = C extends readonly unknown[] ? V[] : K extends keyof C ? C[K] : V[];

/** A batch of padded elements. */
export interface PaddedBatch<T, B> {
  /** Sequences as tensors, or nested arrays, with one more dimension; single values as in `batch`. */
  readonly values: PaddedColumn<T, B>;
  /**
   * Length of each sequence before padding, along its first dimension; by name, unless elements are sequences
   * themselves.
   */
  readonly lengths: T extends readonly unknown[] | BytesArray | DenseTensor<DType, Shape, Int64As> | ArrayBufferView
    ? Int32Array
    : Readonly<Record<string, Int32Array>>;
}

const MAX_DIMENSION = 2 ** 31 - 1;

/** Sizes after padding; `null` stands for the longest of the batch; a number is the size of the only dimension. */
export type PadShape = number | readonly (number | null)[];
/** A value to pad with. */
export type PadValue = number | bigint | string | boolean | Uint8Array;

/** Checked options of padding, by the names of sequences. */
export interface PadRules {
  /** By name; '' for elements that are sequences themselves. A missing shape means the longest of the batch. */
  readonly shapes: ReadonlyMap<string, readonly (number | null)[]>;
  readonly values: ReadonlyMap<string, PadValue>;
  /** The name `*` has the multiple for sequences without their own. */
  readonly multiples: ReadonlyMap<string, number>;
}

/** The name that stands for all sequences. */
export const ALL = '*';

/** Checks the options of padding. @throws TypeError, RangeError with Node's codes */
export function padRules(shape: unknown, values: unknown, multipleOf: unknown): PadRules {
  return {
    shapes: byName('options.shape', '', shape, checkShape),
    values: byName('options.values', '', values, checkValue),
    multiples: byName('options.multipleOf', ALL, multipleOf, (name, value) => {
      const multiple = checkInteger(name, value, 1, MAX_DIMENSION, undefined);
      if (multiple === undefined) throw invalidArgType(name, 'a number', value);
      return multiple;
    }),
  };
}

/** Returns checked values by name: `given` is one value, for the name `one`, or an object of values by name. */
function byName<V>(
  option: string,
  one: string,
  given: unknown,
  check: (name: string, value: unknown) => V,
): ReadonlyMap<string, V> {
  if (given === undefined) return new Map();
  const named = typeof given === 'object' && given !== null && !Array.isArray(given) && !ArrayBuffer.isView(given);
  if (!named) return new Map([[one, check(option, given)]]);
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return new Map(entries.map(([name, value]) => [name, check(`${option}.${name}`, value)]));
}

function checkShape(name: string, shape: unknown): readonly (number | null)[] {
  const sizes: readonly unknown[] = Array.isArray(shape) ? shape : [shape];
  return sizes.map((size, i) => {
    if (size === null && Array.isArray(shape)) return null;
    const checked = checkInteger(Array.isArray(shape) ? `${name}[${i}]` : name, size, 0, MAX_DIMENSION, undefined);
    if (checked === undefined) throw invalidArgType(name, 'a size or an array of sizes and nulls', shape);
    return checked;
  });
}

function checkValue(name: string, value: unknown): PadValue {
  if (['number', 'bigint', 'string', 'boolean'].includes(typeof value) || value instanceof Uint8Array) {
    return value as PadValue;
  }
  throw invalidArgType(name, 'a number, a bigint, a string, a boolean or bytes', value);
}
