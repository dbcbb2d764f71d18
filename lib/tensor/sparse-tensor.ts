import { inspect, types } from 'node:util';

import { TFRecordError, invalidArgType, invalidArgValue, outOfRange } from '../errors';
import { checkColumn, gather, paddingFor, sameScalar, valueAt } from './column';
import { DenseTensor } from './dense-tensor';
import { scalarJson } from './json';
import { allocateDense } from './limits';
import { previewAt, previewShape } from './preview';
import { checkRowSplits, indicesOfRows, indicesOfSteps, placeRows } from './row-splits';
import {
  checkShape,
  sizeOf,
  type Column,
  type Columns,
  type DType,
  type Int64As,
  type Literals,
  type Scalars,
  type Shape,
} from './types';

const MAX_PREVIEWED = 4;

/** Set while a tensor is made whose row splits are known to be right. */
let trusted = false;

/** Computed indices, by a tensor's own list of splits. */
const computed = new WeakMap<readonly Int32Array[], BigInt64Array>();

/**
 * The property of a tensor made of lists. One getter serves all tensors: V8 makes a hidden class for each getter, and
 * such a class lives, with all memory that its getter holds, until a full collection. The getter may be called on a
 * Proxy, or on an object that inherits from a tensor.
 */
const INDICES: PropertyDescriptor = {
  get(this: { readonly rowSplits: readonly Int32Array[] }): BigInt64Array {
    const { rowSplits } = this;
    let indices = computed.get(rowSplits);
    if (indices === undefined) computed.set(rowSplits, (indices = indicesOf(rowSplits)));
    return indices;
  },
  enumerable: true,
  configurable: true,
};

/** What a SparseTensor is made of: `indices`, or the splits of rows whose entries lie one behind the other. */
export interface SparseParts<D extends DType, I extends Int64As = 'bigint'> {
  /** The values of all entries. */
  readonly values: Columns<I>[D];
  /** Sizes of all dimensions. */
  readonly denseShape: Shape;
  /** A row-major matrix: the coordinates of each value. */
  readonly indices?: BigInt64Array | undefined;
  /** One vector of splits (row → values), or two (row → steps, step → values). */
  readonly rowSplits?: readonly Int32Array[] | undefined;
}

/** A tensor of which only some places have a value: value i lies at row i of `indices`. */
export class SparseTensor<D extends DType, I extends Int64As = 'bigint'> {
  /** Type of the values. */
  readonly dtype: D;
  /** The values of all entries. */
  readonly values: Columns<I>[D];
  /** Sizes of all dimensions. */
  readonly denseShape: readonly number[];
  /**
   * Row-major matrix of int64: the coordinates of each value. With `rowSplits` it is computed at the first use. It is
   * enumerable, as the other parts are.
   */
  declare readonly indices: BigInt64Array;
  /**
   * For a tensor that was made of lists (`varLen`): row → values, or row → steps and step → values. Otherwise
   * undefined. Not enumerable, because `indices` hold the same: tensors are equal however they were made.
   */
  declare readonly rowSplits: readonly Int32Array[] | undefined;

  /** Takes the parts as they are, without a copy. @throws TypeError where they do not fit one another. */
  constructor(dtype: D, parts: SparseParts<D, I>) {
    if (typeof parts !== 'object' || (parts as unknown) === null) throw invalidArgType('parts', 'an object', parts);
    const { values, denseShape, indices, rowSplits } = parts;
    const count = checkColumn('values', dtype, values);
    this.dtype = dtype;
    this.values = values;
    this.denseShape = checkShape('denseShape', denseShape);
    if ((indices === undefined) === (rowSplits === undefined)) {
      throw invalidArgValue('parts', 'made of either indices or rowSplits', parts);
    }
    if (rowSplits !== undefined) {
      if (!trusted) checkSplits(rowSplits, this.denseShape, count);
    } else if (!types.isBigInt64Array(indices)) throw invalidArgType('indices', 'a BigInt64Array', indices);
    else if (indices.length !== count * this.denseShape.length) {
      throw invalidArgValue('indices', `${this.denseShape.length} coordinates for each of ${count} values`, indices);
    }
    Object.defineProperties(this, {
      rowSplits: { value: rowSplits && [...rowSplits], configurable: true },
      indices: indices === undefined ? INDICES : { value: indices, enumerable: true, configurable: true },
    });
  }

  /**
   * The places of `dense` that hold another value than `emptyValue` (0, or no bytes), in row-major order. NaN is a value;
   * -0 is 0.
   */
  static fromDense<D extends DType, I extends Int64As = 'bigint'>(
    dense: DenseTensor<D, Shape, I>,
    emptyValue?: Literals[D],
  ): SparseTensor<D, I> {
    if (!(dense instanceof DenseTensor)) throw invalidArgType('dense', 'a DenseTensor', dense);
    const { dtype, shape } = dense;
    const data: Column = dense.data;
    const empty = paddingFor('emptyValue', dtype, data, emptyValue);
    const kept: number[] = [];
    for (let i = 0; i < data.length; i++) if (!sameScalar(valueAt(data, i), empty)) kept.push(i);
    const indices = new BigInt64Array(kept.length * shape.length);
    for (const [entry, position] of kept.entries()) {
      let rest = position;
      for (let k = shape.length - 1; k >= 0; k--) {
        const size = shape[k]!;
        indices[entry * shape.length + k] = BigInt(rest % size);
        rest = Math.floor(rest / size);
      }
    }
    const values = gather(data, Int32Array.from(kept), empty) as Columns<I>[D];
    return new SparseTensor<D, I>(dtype, { values, denseShape: shape, indices });
  }

  /** The entries: coordinates and value. */
  *[Symbol.iterator](): IterableIterator<[index: number[], value: Scalars<I>[D]]> {
    for (let i = 0; i < this.values.length; i++) yield [this.#coordinates(i), valueAt(this.values, i) as Scalars<I>[D]];
  }

  /**
   * All places of `denseShape`; those without a value hold `defaultValue` (0, or no bytes). @throws RangeError where an
   * entry lies outside of `denseShape` @throws TFRecordError TFR_FEATURE where two entries lie at one place,
   * TFR_RECORD_TOO_LARGE where no array holds so many values.
   */
  toDense(defaultValue?: Literals[D]): DenseTensor<D, Shape, I> {
    const padding = paddingFor('defaultValue', this.dtype, this.values, defaultValue);
    return allocateDense(this.denseShape, () => {
      const sources = this.rowSplits === undefined ? this.#sources() : placeRows(this.rowSplits, this.denseShape);
      const data = gather<Column>(this.values, sources, padding) as Columns<I>[D];
      return new DenseTensor<D, Shape, I>(this.dtype, this.denseShape, data);
    });
  }

  /** Nested arrays of all places, those without a value 0 or no bytes. */
  toArray(): unknown {
    return this.toDense().toArray();
  }

  /** `{ indices, values, denseShape }` with a list of coordinates for each value; values as in `DenseTensor.toJSON`. */
  toJSON(): unknown {
    const indices: number[][] = [];
    const values: unknown[] = [];
    for (const [index, value] of this) {
      indices.push(index);
      values.push(scalarJson(this.dtype, value));
    }
    return { indices, values, denseShape: this.denseShape };
  }

  /** @internal */
  [inspect.custom](): string {
    const shown: string[] = [];
    const entries = Math.min(this.values.length, MAX_PREVIEWED);
    for (let i = 0; i < entries; i++) {
      shown.push(`${previewShape(this.#coordinates(i))}: ${previewAt(this.values, i)}`);
    }
    const { length } = this.values;
    if (length > shown.length) shown.push(`… ${length - shown.length} more`);
    return `SparseTensor ${this.dtype} ${previewShape(this.denseShape)} {${shown.join(', ')}}`;
  }

  /** For each place the number of its entry, or -1. */
  #sources(): Int32Array {
    const sources = new Int32Array(sizeOf(this.denseShape)).fill(-1);
    for (let i = 0; i < this.values.length; i++) {
      const position = this.#position(i);
      const other = sources[position]!;
      if (other !== -1) {
        const place = previewShape(this.#coordinates(i));
        throw new TFRecordError(
          'TFR_FEATURE',
          `Entries ${other} and ${i} of the sparse tensor lie at one place, ${place}`,
        );
      }
      sources[position] = i;
    }
    return sources;
  }

  #coordinates(entry: number): number[] {
    const rank = this.denseShape.length;
    return Array.from(this.indices.subarray(entry * rank, (entry + 1) * rank), Number);
  }

  #position(entry: number): number {
    let position = 0;
    for (const [k, size] of this.denseShape.entries()) {
      const index = Number(this.indices[entry * this.denseShape.length + k]);
      if (index < 0 || index >= size) {
        throw outOfRange(`indices[${entry}][${k}]`, `an integer from 0 to ${size - 1}`, index);
      }
      position = position * size + index;
    }
    return position;
  }
}

/** The tensor over row splits that are known to be right. */
export function newSparseTensor(dtype: DType, parts: SparseParts<DType, Int64As>): SparseTensor<DType, Int64As> {
  trusted = true;
  try {
    return new SparseTensor<DType, Int64As>(dtype, parts);
  } finally {
    trusted = false;
  }
}

function indicesOf(rowSplits: readonly Int32Array[]): BigInt64Array {
  return rowSplits.length === 1
    ? indicesOfRows(rowSplits as readonly [Int32Array])
    : indicesOfSteps(rowSplits as readonly [Int32Array, Int32Array]);
}

function checkSplits(rowSplits: readonly Int32Array[], denseShape: Shape, values: number): void {
  if (rowSplits.length < 1 || rowSplits.length > 2 || denseShape.length !== rowSplits.length + 1) {
    throw invalidArgValue('rowSplits', 'one less than the dimensions, and one or two', rowSplits.length);
  }
  rowSplits.forEach((splits, k) => {
    const below = rowSplits[k + 1];
    checkRowSplits(`rowSplits[${k}]`, splits, below === undefined ? values : below.length - 1);
  });
}
