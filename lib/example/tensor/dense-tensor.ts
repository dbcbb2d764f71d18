import { inspect } from 'node:util';

import { invalidArgValue } from '../../errors';
import { checkColumn, partOf, valueAt } from './column';
import type { Column, Columns, DType, Int64As, Scalars, Shape } from './dtype';
import { previewList, previewShape } from './preview';
import { scalarJson } from './scalar-json';
import { checkShape, nest, sizeOf } from './shape';
import { allocateDense } from './too-large';

/** What iterating over a tensor of shape `S` gives: values where it has one dimension, else tensors of one less. */
export type DenseRow<D extends DType, S extends Shape, I extends Int64As> = S extends readonly [number]
  ? Scalars<I>[D]
  : S extends readonly [number, ...infer R extends Shape]
    ? DenseTensor<D, readonly [...R], I>
    : Scalars<I>[D] | DenseTensor<D, Shape, I>;

/** A tensor that has a value at every place, in row-major order. */
export class DenseTensor<D extends DType, const S extends Shape = Shape, I extends Int64As = 'bigint'> {
  /** Type of the values. */
  readonly dtype: D;
  /** Sizes of the dimensions, outermost first; `[]` for a scalar. */
  readonly shape: S;
  /** The values, as many as the product of `shape`. */
  readonly data: Columns<I>[D];

  /** Takes `data` as it is, without a copy. @throws TypeError where the three do not fit one another. */
  constructor(dtype: D, shape: S, data: Columns<I>[D]) {
    const count = checkColumn('data', dtype, data);
    const checked = checkShape('shape', shape);
    if (sizeOf(checked) !== count) {
      throw invalidArgValue('shape', `the shape of ${count} values`, previewShape(checked));
    }
    this.dtype = dtype;
    this.shape = checked as S;
    this.data = data;
  }

  /** Along the first dimension: values, or tensors over the same memory. @throws TypeError for a scalar. */
  *[Symbol.iterator](): IterableIterator<DenseRow<D, S, I>> {
    const [rows, ...rest] = this.shape;
    if (rows === undefined) throw invalidArgValue('tensor', 'no scalar: it has nothing to iterate over', this);
    const size = sizeOf(rest);
    const data: Column = this.data;
    for (let row = 0; row < rows; row++) {
      const value =
        rest.length === 0
          ? valueAt(data, row)
          : new DenseTensor<D, Shape, I>(this.dtype, rest, partOf(data, row * size, (row + 1) * size) as Columns<I>[D]);
      yield value as DenseRow<D, S, I>;
    }
  }

  /**
   * Nested arrays of the values, one level a dimension; a scalar is its value. @throws TFRecordError TFR_RECORD_TOO_LARGE
   * where a dimension is longer than an array.
   */
  toArray(): unknown {
    return allocateDense(this.shape, () => nest(this.shape, (i) => valueAt(this.data, i)));
  }

  /**
   * The same as JSON: int64 beyond ±(2^53 − 1) as strings of digits, NaN and infinities as strings, bytes that are not
   * printable UTF-8 as `{ base64 }`.
   */
  toJSON(): unknown {
    return allocateDense(this.shape, () => nest(this.shape, (i) => scalarJson(this.dtype, valueAt(this.data, i))));
  }

  /** @internal */
  [inspect.custom](): string {
    const values = previewList(valuesOf(this.data), this.data.length);
    return `DenseTensor ${this.dtype} ${previewShape(this.shape)} ${values}`;
  }
}

function* valuesOf(column: Column): IterableIterator<Scalars<Int64As>[DType]> {
  for (let i = 0; i < column.length; i++) yield valueAt(column, i);
}
