import { inspect } from 'node:util';

import { invalidArgValue, isInstance, counted } from '../base';
import { checkColumn, joinColumns, partOf, valueAt, type Column, type Columns } from './column';
import { allocateDense } from './limits';
import { JSON_FORM, toPlain } from './plain';
import type { BytesForm, Int64Form, ObjectOptions } from './plain-forms';
import type { PlainNested, PlainScalar } from './plain-types';
import { previewShape } from './preview';
import { previewDense } from './preview-tensor';
import {
  checkRank,
  checkShape,
  nest,
  placeOf,
  sizeOf,
  type DType,
  type Int64As,
  type Scalars,
  type Shape,
  type BatchPart,
} from './types';
import { rowsOf, type Differ, type ValueClass, type ValueForm } from './value-class';

/** The items of a tensor of shape `S`: values if it has one dimension, else tensors with one dimension less. */
export type DenseRow<D extends DType, S extends Shape, I extends Int64As> = S extends readonly [number]
  ? Scalars<I>[D]
  : S extends readonly [number, ...infer R extends Shape]
    ? DenseTensor<D, readonly [...R], I>
    : Scalars<I>[D] | DenseTensor<D, Shape, I>;

/**
 * The item of a tensor of shape `S` at the indices `X`: a value if there is an index for each dimension, else a tensor.
 */
export type DenseAt<
  D extends DType,
  S extends Shape,
  I extends Int64As,
  X extends readonly number[],
> = X extends readonly [number, ...infer Y extends readonly number[]]
  ? S extends readonly [number, ...infer R extends Shape]
    ? DenseAt<D, readonly [...R], I, Y>
    : Scalars<I>[D] | DenseTensor<D, Shape, I>
  : S extends readonly []
    ? Scalars<I>[D]
    : S extends readonly [number, ...Shape]
      ? DenseTensor<D, S, I>
      : Scalars<I>[D] | DenseTensor<D, Shape, I>;

/** A dense tensor of any type. */
export type AnyDense = DenseTensor<DType, Shape, Int64As>;

/** True for dense tensors. */
export function isDense(value: unknown): value is AnyDense {
  return isInstance(value, DenseTensor);
}

/** True while a tensor is made of parts that are known to be valid. */
let trusted = false;

/**
 * A tensor with a value at every position, in row-major order.
 *
 * @example
 * const tensor = new DenseTensor('float32', [2, 3], new Float32Array(6));
 * for (const row of tensor) console.log(row.data);
 */
export class DenseTensor<D extends DType, const S extends Shape = Shape, I extends Int64As = 'bigint'> {
  /** Type of the values. */
  readonly dtype: D;
  /** Sizes of the dimensions, outermost first; `[]` for a scalar. */
  readonly shape: S;
  /** The values, as many as the product of `shape`. */
  readonly data: Columns<I>[D];

  /** Uses `data` without a copy. @throws TypeError if the arguments do not fit each other */
  constructor(dtype: D, shape: S, data: Columns<I>[D]) {
    this.dtype = dtype;
    this.shape = trusted ? shape : checkParts(dtype, shape, data);
    this.data = data;
    // Jest and Vitest compare iterables by iterating over them, which throws for a scalar.
    if (this.shape.length === 0) Object.defineProperty(this, Symbol.iterator, { value: undefined });
  }

  /**
   * Iterates along the first dimension: over values, or tensors over the same memory. A scalar is not iterable:
   * TypeError.
   */
  [Symbol.iterator](): IterableIterator<DenseRow<D, S, I>>;
  *[Symbol.iterator](): IterableIterator<unknown> {
    const [rows, ...rest] = this.shape;
    if (rows === undefined) return;
    const size = sizeOf(rest);
    const { data } = this;
    for (let row = 0; row < rows; row++) {
      yield rest.length === 0
        ? valueAt(data, row)
        : new DenseTensor<D, Shape, I>(this.dtype, rest, partOf(data, row * size, (row + 1) * size));
    }
  }

  /**
   * Returns the item at these indices, outermost dimension first: a value if there is an index for each dimension, else
   * a tensor over the same memory. A negative index counts from the end; undefined if there is no such item.
   * @throws RangeError for more indices than dimensions
   *
   * @example
   * const tensor = new DenseTensor('float32', [2, 2], Float32Array.of(1, 2, 3, 4));
   * tensor.at(1, 0); // 3
   * tensor.at(-1)?.data; // Float32Array [3, 4]
   */
  at<const X extends readonly number[]>(...indices: X): DenseAt<D, S, I, X> | undefined;
  at(...indices: readonly number[]): unknown {
    const { shape } = this;
    checkRank(indices, shape.length);
    let first = 0;
    for (const [k, index] of indices.entries()) {
      const place = placeOf(index, shape[k]!);
      if (place === undefined) return undefined;
      first = first * shape[k]! + place;
    }
    const inner = shape.slice(indices.length);
    const size = sizeOf(inner);
    return inner.length === 0
      ? valueAt(this.data, first)
      : new DenseTensor<D, Shape, I>(this.dtype, inner, partOf(this.data, first * size, (first + 1) * size));
  }

  /**
   * Returns nested arrays of the values, one level for each dimension; for a scalar its value. @throws TFRecordError
   * TFR_RECORD_TOO_LARGE if a dimension is longer than an array can be
   *
   * @example
   * new DenseTensor('float32', [2, 2], Float32Array.of(1, 2, 3, 4)).toArray(); // [[1, 2], [3, 4]]
   */
  toArray(): PlainNested<S, Scalars<I>[D]>;
  toArray(): unknown {
    return allocateDense(this.shape, () => nest(this.shape, (i) => valueAt(this.data, i)));
  }

  /**
   * Returns nested arrays of the values for JSON: int64 as strings of digits (numbers stay numbers), NaN and infinities
   * as strings, bytes that are not printable UTF-8 as `{ base64 }`.
   *
   * @example
   * JSON.stringify(new DenseTensor('int64', [1], BigInt64Array.of(7n))); // ["7"]
   */
  toJSON(): unknown {
    return walkDense(this, JSON_FORM);
  }

  /**
   * Returns nested plain arrays of numbers and strings, one level for each dimension; for a scalar its value. @throws
   * TFRecordError TFR_FEATURE for values that the options do not allow; TFR_RECORD_TOO_LARGE like {@link toArray}
   *
   * @example
   * new DenseTensor('int64', [1], BigInt64Array.of(7n)).toObject(); // [7]
   */
  toObject<N extends Int64Form = 'number', B extends BytesForm = 'auto'>(
    options?: ObjectOptions<N, B>,
  ): PlainNested<S, PlainScalar<D, I, N, B>>;
  toObject(options?: ObjectOptions): unknown {
    return toPlain<AnyDense>(this, walkDense, options);
  }

  /** @internal */
  [inspect.custom](): string {
    return `DenseTensor ${this.dtype} ${previewShape(this.shape)} ${previewDense(this)}`;
  }
}

function walkDense<R>({ data, shape }: { data: Column; shape: Shape }, form: ValueForm<R>): R {
  return form.dense(data, shape, 0);
}

/** Makes a tensor of parts that are known to be valid. `shape` must be frozen. */
export function newDenseTensor(dtype: DType, shape: Shape, data: Column): AnyDense {
  trusted = true;
  const tensor = new DenseTensor<DType, Shape, Int64As>(dtype, shape, data);
  trusted = false;
  return tensor;
}

/** Checks the parts of a tensor. Returns a frozen copy of `shape`. @throws TypeError */
function checkParts<S extends Shape>(dtype: DType, shape: S, data: Column): S {
  const count = checkColumn('data', dtype, data);
  const checked = checkShape('shape', shape);
  if (sizeOf(checked) !== count) {
    throw invalidArgValue('shape', `the shape of ${counted(count, 'value')}`, previewShape(checked));
  }
  return checked as S;
}

/** The number of steps in each row of a padded tensor, which its shape does not contain. */
interface Steps {
  readonly splits: Int32Array;
  readonly size: number;
}

const noted = new WeakMap<object, Steps>();

/**
 * Records the steps of each row of `tensor`: row r has those between its `splits`, in which a step counts as `size`.
 */
export function noteSteps(tensor: object, splits: Int32Array, size: number): void {
  noted.set(tensor, { splits, size });
}

/** Returns the number of steps of row `row`; undefined for tensors that were not parsed from records. */
export function stepsOf(tensor: object, row: number): number | undefined {
  const steps = noted.get(tensor);
  if (steps === undefined) return undefined;
  return (steps.splits[row + 1]! - steps.splits[row]!) / steps.size;
}

/** Returns the steps of row `row`, of `size` values each, without the padding after them. */
export function paddedRow(tensor: AnyDense, size: number, row: number): Column {
  const width = tensor.shape[1]!;
  const steps = stepsOf(tensor, row) ?? width;
  const begin = row * width * size;
  return partOf<Column>(tensor.data, begin, begin + steps * size);
}

function rowOf(tensor: AnyDense, row: number): unknown {
  const [, ...inner] = tensor.shape;
  if (inner.length === 0) return valueAt(tensor.data, row);
  if (stepsOf(tensor, row) === undefined) {
    const size = sizeOf(inner);
    return checkedDense(tensor.dtype, inner, partOf<Column>(tensor.data, row * size, (row + 1) * size));
  }
  const [, ...step] = inner;
  const size = sizeOf(step);
  const data = paddedRow(tensor, size, row);
  return step.length === 0 ? data : checkedDense(tensor.dtype, [data.length / size, ...step], data);
}

/** Joins tensors of one type whose rows have one shape. */
export function joinDense(parts: readonly BatchPart<AnyDense>[], differ: Differ): AnyDense {
  const { batch } = parts[0]!;
  const [, ...inner] = batch.shape;
  for (const { batch: other } of parts) {
    const [, ...found] = other.shape;
    if (other.dtype !== batch.dtype || found.join() !== inner.join()) {
      throw differ(`${batch.dtype} of shape [rows, ${inner.join(', ')}]`, parts);
    }
  }
  const size = sizeOf(inner);
  const data = joinColumns(
    parts.map(({ batch: tensor, begin, end }) => ({ batch: tensor.data, begin: begin * size, end: end * size })),
  );
  return checkedDense(batch.dtype, [rowsOf(parts), ...inner], data);
}

/** Makes a tensor of parts of any type. @throws TypeError if they do not fit each other */
export function checkedDense(dtype: DType, shape: Shape, data: Column): AnyDense {
  return new DenseTensor<DType, Shape, Int64As>(dtype, shape, data);
}

/** The class of dense tensors. */
export const DENSE: ValueClass<AnyDense, { dtype: DType; shape: Shape; data: Column }> = {
  name: 'DenseTensor',
  class: DenseTensor,
  rows: ({ shape }) => shape[0],
  row: rowOf,
  join: joinDense,
  dense: (tensor) => tensor,
  walk: walkDense,
  parts: ({ dtype, shape, data }) => ({ dtype, shape, data }),
  make: ({ dtype, shape, data }) => checkedDense(dtype, shape, data),
};
