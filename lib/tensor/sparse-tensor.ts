import { inspect, types } from 'node:util';

import { TFRecordError, invalidArgType, invalidArgValue, outOfRange, isInstance, isObject, counted } from '../base';
import {
  checkColumn,
  gather,
  joinColumns,
  paddingFor,
  partOf,
  sameScalar,
  valueAt,
  type Column,
  type Columns,
} from './column';
import { DenseTensor, isDense } from './dense-tensor';
import { allocateDense } from './limits';
import { JSON_FORM, toPlain } from './plain';
import type { BytesForm, Int64Form, ObjectOptions } from './plain-forms';
import type { PlainLists, PlainScalar, PlainSparse } from './plain-types';
import { previewAt, previewShape } from './preview';
import { checkLevels, indicesOfRows, indicesOfSteps, longestRow, placeRows } from './row-splits';
import {
  checkShape,
  placeOf,
  sizeOf,
  type DType,
  type Int64As,
  type Literals,
  type Scalars,
  type Shape,
  type BatchPart,
} from './types';
import type { Differ, ValueClass, ValueForm } from './value-class';

/** A sparse tensor of any type. */
export type AnySparse = SparseTensor<DType, Int64As>;

/** True for sparse tensors. */
export function isSparse(value: unknown): value is AnySparse {
  return isInstance(value, SparseTensor);
}

const MAX_PREVIEWED = 4;

/** True while a tensor is made whose row splits are known to be valid. */
let trusted = false;

/** Computed indices, by the list of splits of a tensor. */
const computed = new WeakMap<readonly Int32Array[], BigInt64Array>();

/**
 * The property `indices` of a tensor made of lists. All tensors share one getter: V8 makes a hidden class for each
 * getter, which stays in memory, with all memory that the getter references, until a full collection. The getter may be
 * called on a Proxy, or on an object that inherits from a tensor.
 */
const INDICES: PropertyDescriptor = {
  get(this: { readonly rowSplits: readonly Int32Array[]; readonly values: Column }): BigInt64Array {
    const { rowSplits, values } = this;
    let indices = computed.get(rowSplits);
    if (indices === undefined) computed.set(rowSplits, (indices = indicesOf(rowSplits, values.length)));
    return indices;
  },
  enumerable: true,
  configurable: true,
};

/** The parts of a SparseTensor: `indices`, or the splits of rows whose entries are at the start of each row. */
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

/**
 * A tensor in which only some positions have a value: row i of `indices` has the coordinates of value i.
 *
 * @example
 * const tensor = new SparseTensor('float32', {
 *   values: Float32Array.of(0.5),
 *   denseShape: [2, 3],
 *   indices: BigInt64Array.of(1n, 2n),
 * });
 * tensor.toDense().toArray(); // [[0, 0, 0], [0, 0, 0.5]]
 */
export class SparseTensor<D extends DType, I extends Int64As = 'bigint'> {
  /** Type of the values. */
  readonly dtype: D;
  /** The values of all entries. */
  readonly values: Columns<I>[D];
  /** Sizes of all dimensions. */
  readonly denseShape: readonly number[];
  /**
   * Row-major matrix of int64: the coordinates of each value. With `rowSplits`, it is computed at the first use.
   * Enumerable, like the other parts.
   */
  declare readonly indices: BigInt64Array;
  /**
   * Splits of a tensor that was made of lists (`varLen`): row → values, or row → steps and step → values; otherwise
   * undefined. Not enumerable, because `indices` contain the same, so that equality does not depend on how tensors were
   * made.
   */
  declare readonly rowSplits: readonly Int32Array[] | undefined;

  /** Uses the parts without a copy. @throws TypeError if they do not fit each other */
  constructor(dtype: D, parts: SparseParts<D, I>) {
    if (!isObject(parts)) throw invalidArgType('parts', 'an object', parts);
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
      throw invalidArgValue(
        'indices',
        `${counted(this.denseShape.length, 'coordinate')} for each of ${counted(count, 'value')}`,
        indices,
      );
    }
    Object.defineProperties(this, {
      rowSplits: { value: rowSplits && [...rowSplits], configurable: true },
      indices: indices === undefined ? INDICES : { value: indices, enumerable: true, configurable: true },
    });
  }

  /**
   * Makes a sparse tensor of the values of `dense` that differ from `emptyValue` (default 0, or no bytes), in row-major
   * order. NaN is a value; -0 equals 0.
   *
   * @example
   * const dense = new DenseTensor('float32', [2, 2], Float32Array.of(0, 2, 0, 0));
   * SparseTensor.fromDense(dense).values; // Float32Array [2]
   */
  static fromDense<D extends DType, I extends Int64As = 'bigint'>(
    dense: DenseTensor<D, Shape, I>,
    emptyValue?: Literals[D],
  ): SparseTensor<D, I> {
    if (!isDense(dense)) throw invalidArgType('dense', 'a DenseTensor', dense);
    const { dtype, shape } = dense;
    const { data } = dense;
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
    const values = gather(data, Int32Array.from(kept), empty);
    return new SparseTensor<D, I>(dtype, { values, denseShape: shape, indices });
  }

  /** Iterates over the entries: coordinates and value. */
  *[Symbol.iterator](): IterableIterator<[index: number[], value: Scalars<I>[D]]> {
    for (let i = 0; i < this.values.length; i++) yield [this.#coordinates(i), valueAt<D, I>(this.values, i)];
  }

  /**
   * Returns the value at these coordinates, one for each dimension; a negative one counts from the end. Undefined if
   * there is no value. The time is in proportion to the number of entries; constant for a tensor made of lists
   * (`varLen`).
   * @throws RangeError for another number of coordinates
   *
   * @example
   * const { tags } = parseExample(records, { tags: varLen('text') });
   * tags.at(0, 1); // the second tag of the first record
   */
  at(...coordinates: readonly number[]): Scalars<I>[D] | undefined {
    const { denseShape, values, rowSplits } = this;
    const rank = denseShape.length;
    if (coordinates.length !== rank) throw outOfRange('coordinates', `${rank}, one a dimension`, coordinates.length);
    const places: number[] = [];
    for (const [k, coordinate] of coordinates.entries()) {
      const place = placeOf(coordinate, denseShape[k]!);
      if (place === undefined) return undefined;
      places.push(place);
    }
    if (rowSplits?.length === 1) {
      const [begin, end] = entriesOf(this, places[0]!);
      const entry = begin + places[1]!;
      return entry < end ? valueAt<D, I>(values, entry) : undefined;
    }
    const { indices } = this;
    for (let i = 0; i < values.length; i++) {
      if (places.every((place, k) => Number(indices[i * rank + k]) === place)) return valueAt<D, I>(values, i);
    }
    return undefined;
  }

  /**
   * Returns a dense tensor of `denseShape`, with `defaultValue` (default 0, or no bytes) at positions without a value.
   * @throws RangeError if an entry is outside `denseShape` @throws TFRecordError TFR_FEATURE if two entries have one
   * position; TFR_RECORD_TOO_LARGE if an array cannot hold that many values
   *
   * @example
   * const { tags } = parseExample(records, { tags: varLen('text') });
   * tags.toDense('').shape; // [records, most tags]
   */
  toDense(defaultValue?: Literals[D]): DenseTensor<D, Shape, I> {
    const padding = paddingFor('defaultValue', this.dtype, this.values, defaultValue);
    if (this.rowSplits !== undefined) checkLevels(this.rowSplits, this.values.length);
    return allocateDense(this.denseShape, () => {
      const sources = this.rowSplits === undefined ? this.#sources() : placeRows(this.rowSplits, this.denseShape);
      const data = gather(this.values, sources, padding);
      return new DenseTensor<D, Shape, I>(this.dtype, this.denseShape, data);
    });
  }

  /**
   * Returns nested arrays of all positions, with 0 or no bytes at those without a value.
   *
   * @example
   * const { ids } = parseExample(records, { ids: varLen('int64') });
   * ids.toArray(); // [[1n, 2n], [3n, 0n]]
   */
  toArray(): PlainLists<Scalars<I>[D]> {
    return this.toDense().toArray();
  }

  /**
   * Returns `{ indices, values, denseShape }` for JSON, with a list of coordinates for each value; values as in
   * `DenseTensor.toJSON`.
   *
   * @example
   * const { ids } = parseExample(records, { ids: varLen('int64') });
   * JSON.stringify(ids);
   */
  toJSON(): unknown {
    return walkSparse(this, JSON_FORM);
  }

  /**
   * Returns `{ indices, values, denseShape }` of plain arrays, with a list of coordinates for each value.
   * @throws TFRecordError TFR_FEATURE for values that the options do not allow
   *
   * @example
   * const { ids } = parseExample(records, { ids: varLen('int64') });
   * const { indices, values, denseShape } = ids.toObject();
   */
  toObject<N extends Int64Form = 'number', B extends BytesForm = 'auto'>(
    options?: ObjectOptions<N, B>,
  ): PlainSparse<PlainScalar<D, I, N, B>>;
  toObject(options?: ObjectOptions): unknown {
    return toPlain<AnySparse>(this, walkSparse, options);
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

  /** Returns the number of the entry at each position, or -1. */
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

/** Makes a tensor over row splits that are known to be valid. */
export function newSparseTensor(dtype: DType, parts: SparseParts<DType, Int64As>): AnySparse {
  trusted = true;
  try {
    return new SparseTensor<DType, Int64As>(dtype, parts);
  } finally {
    trusted = false;
  }
}

/**
 * Computes the indices. Test runners copy a tensor member by member, with typed arrays as plain objects: `indices` of
 * such a copy has no meaning, but must not throw. @throws TypeError if the splits of a tensor were overwritten
 */
function indicesOf(rowSplits: readonly Int32Array[], values: number): BigInt64Array {
  if (rowSplits.every((splits) => types.isInt32Array(splits))) checkLevels(rowSplits, values);
  const [outer, inner] = rowSplits;
  return inner === undefined ? indicesOfRows(outer!) : indicesOfSteps(outer!, inner);
}

function checkSplits(rowSplits: readonly Int32Array[], denseShape: Shape, values: number): void {
  if (rowSplits.length < 1 || rowSplits.length > 2 || denseShape.length !== rowSplits.length + 1) {
    throw invalidArgValue('rowSplits', 'one less than the dimensions, and one or two', rowSplits.length);
  }
  checkLevels(rowSplits, values);
}

/** Returns row `row`, with the first coordinate removed. @throws like {@link entriesOf} */
export function sparseRow(tensor: AnySparse, row: number): AnySparse {
  const [begin, end] = entriesOf(tensor, row);
  const [, ...denseShape] = tensor.denseShape;
  const rank = tensor.denseShape.length;
  const indices = new BigInt64Array((end - begin) * (rank - 1));
  for (let i = begin, to = 0; i < end; i++) {
    for (let k = 1; k < rank; k++) indices[to++] = tensor.indices[i * rank + k]!;
  }
  return new SparseTensor<DType, Int64As>(tensor.dtype, {
    values: partOf<Column>(tensor.values, begin, end),
    denseShape,
    indices,
  });
}

/** Tensors whose entries are known to be in the order of their rows. */
const ordered = new WeakSet<object>();

/**
 * Returns the range of the entries of row `row`. It is searched, because `denseShape` may have more rows than fit in
 * memory. @throws TypeError unless the entries are in the order of their rows
 */
export function entriesOf(tensor: AnySparse, row: number): readonly [begin: number, end: number] {
  const { rowSplits } = tensor;
  if (rowSplits?.length === 1) {
    const splits = rowSplits[0]!;
    return [splits[row]!, splits[row + 1]!];
  }
  checkOrder(tensor);
  const begin = firstEntry(tensor, row, 0);
  return [begin, firstEntry(tensor, row + 1, begin)];
}

/** Returns the first entry from `low` on that is in row `row` or a later one. */
function firstEntry({ indices, values, denseShape }: AnySparse, row: number, low: number): number {
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Number(indices[middle * denseShape.length]) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

function checkOrder(tensor: AnySparse): void {
  if (ordered.has(tensor)) return;
  const { denseShape, indices, values } = tensor;
  const rows = denseShape[0]!;
  let row = 0;
  for (let i = 0; i < values.length; i++) {
    const next = Number(indices[i * denseShape.length]);
    if (!(next >= row && next < rows)) {
      throw invalidArgValue('batch', 'of sparse tensors whose entries are in the order of their rows', next);
    }
    row = next;
  }
  ordered.add(tensor);
}

function joinSparse(parts: readonly BatchPart<AnySparse>[], differ: Differ): AnySparse {
  const { batch } = parts[0]!;
  const rank = batch.denseShape.length;
  const inner = batch.denseShape.slice(1);
  const indices: bigint[] = [];
  const columns: BatchPart<Column>[] = [];
  let before = 0;
  for (const { batch: tensor, begin, end } of parts) {
    if (tensor.dtype !== batch.dtype || tensor.denseShape.length !== rank) throw differ(batch.dtype, parts);
    tensor.denseShape.slice(1).forEach((size, k) => (inner[k] = Math.max(inner[k]!, size)));
    let first = -1;
    let last = -1;
    for (let i = 0; i < tensor.values.length; i++) {
      const row = Number(tensor.indices[i * rank]);
      if (row < begin || row >= end) continue;
      if (first < 0) first = i;
      last = i;
      indices.push(BigInt(row - begin + before));
      for (let k = 1; k < rank; k++) indices.push(tensor.indices[i * rank + k]!);
    }
    columns.push({ batch: tensor.values, begin: Math.max(first, 0), end: last + 1 });
    before += end - begin;
  }
  const values = joinColumns(columns);
  if (rank !== 2 || batch.rowSplits === undefined) {
    const denseShape = [before, ...inner];
    return new SparseTensor<DType, Int64As>(batch.dtype, { values, denseShape, indices: BigInt64Array.from(indices) });
  }
  // A tensor of lists has the width of its longest row.
  const splits = splitsOf(indices, before);
  const denseShape = [before, longestRow(splits)];
  return new SparseTensor<DType, Int64As>(batch.dtype, { values, denseShape, rowSplits: [splits] });
}

/** Returns the splits of entries with two coordinates, in the order of their rows. */
function splitsOf(indices: readonly bigint[], rows: number): Int32Array {
  const splits = new Int32Array(rows + 1);
  for (let i = 0; i < indices.length; i += 2) splits[Number(indices[i]) + 1] = i / 2 + 1;
  for (let row = 1; row <= rows; row++) splits[row] = Math.max(splits[row]!, splits[row - 1]!);
  return splits;
}

/** Makes an object such as `{ indices: [[0]], values: [1], denseShape: [4] }`. */
function walkSparse<R>({ values, indices, denseShape }: SparseValues, form: ValueForm<R>): R {
  const rank = denseShape.length;
  return form.object({
    indices: () => form.list(values.length, 'values', (i) => form.integers(indices.subarray(i * rank, (i + 1) * rank))),
    values: () => form.dense(values, [values.length], 0),
    denseShape: () => form.integers(denseShape),
  });
}

type SparseValues = { readonly values: Column } & Pick<AnySparse, 'indices' | 'denseShape'>;

/** The class of sparse tensors. */
export const SPARSE: ValueClass<AnySparse> = {
  name: 'SparseTensor',
  class: SparseTensor,
  rows: ({ denseShape }) => denseShape[0],
  row: (tensor, row) =>
    tensor.rowSplits?.length === 1 ? partOf<Column>(tensor.values, ...entriesOf(tensor, row)) : sparseRow(tensor, row),
  join: joinSparse,
  dense: () => undefined,
  walk: walkSparse,
  parts(tensor) {
    const { dtype, values, denseShape, rowSplits } = tensor;
    // Row splits are smaller, and reading `indices` would compute them.
    return { dtype, values, denseShape, ...(rowSplits === undefined ? { indices: tensor.indices } : { rowSplits }) };
  },
  make: ({ dtype, ...parts }) => new SparseTensor<DType, Int64As>(dtype as DType, parts as never),
};
