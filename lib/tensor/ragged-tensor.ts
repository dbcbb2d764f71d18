import { inspect } from 'node:util';

import { invalidArgType, invalidArgValue, outOfRange, isInstance, isList, checkOptions } from '../base';
import { gather, paddingFor, partOf, sameScalar, valueAt, type Column } from './column';
import { DenseTensor, isDense, joinDense, type AnyDense } from './dense-tensor';
import { allocateDense } from './limits';
import { JSON_FORM, toPlain } from './plain';
import type { BytesForm, Int64Form, ObjectOptions } from './plain-forms';
import type { PlainLists, PlainScalar } from './plain-types';
import { previewShape } from './preview';
import { previewRagged } from './preview-tensor';
import { checkLevels, longestRow, placeRows, rebased, type RowSplits } from './row-splits';
import {
  checkRank,
  nest,
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

/** A ragged tensor of any type. */
export type AnyRagged = RaggedTensor<DType, Shape, Int64As>;

/** True for ragged tensors. */
export function isRagged(value: unknown): value is AnyRagged {
  return isInstance(value, RaggedTensor);
}

/**
 * Options of `RaggedTensor.fromDense`, which determine the ends of rows: one of the two, or none to keep all values.
 */
export interface FromDenseOptions<D extends DType> {
  /** Number of values to keep in each row. */
  readonly lengths?: readonly number[] | Int32Array | undefined;
  /** Values at the end of a row that equal this one are removed. */
  readonly padding?: Literals[D] | undefined;
}

/** A row of a ragged tensor. */
export type RaggedRow<D extends DType, V extends Shape, I extends Int64As> =
  RaggedTensor<D, V, I> | DenseTensor<D, Shape, I>;

/**
 * A tensor whose rows differ in length: `rowSplits`, the outermost level first, divide `values` into rows.
 *
 * @example
 * const rows = new RaggedTensor(new DenseTensor('int64', [3], BigInt64Array.of(1n, 2n, 3n)), [Int32Array.of(0, 2, 3)]);
 * rows.toArray(); // [[1n, 2n], [3n]]
 */
export class RaggedTensor<D extends DType, V extends Shape = Shape, I extends Int64As = 'bigint'> {
  /** Type of the values. */
  readonly dtype: D;
  /** The values, which the innermost splits divide into rows along the first dimension. */
  readonly values: DenseTensor<D, V, I>;
  /** Row r of a level has the values, or rows, from `splits[r]` to `splits[r + 1]` of the level below. */
  readonly rowSplits: readonly RowSplits[];

  /** Uses the parts without a copy. @throws TypeError if they do not fit each other */
  constructor(values: DenseTensor<D, V, I>, rowSplits: readonly RowSplits[]) {
    if (!isDense(values)) throw invalidArgType('values', 'a DenseTensor', values);
    if (!isList(rowSplits)) throw invalidArgType('rowSplits', 'an array of splits', rowSplits);
    const [rows] = values.shape;
    if (rows === undefined) throw invalidArgValue('values', 'no scalar', values);
    this.dtype = values.dtype;
    this.values = values;
    this.rowSplits = Object.freeze(Array.from<RowSplits>(rowSplits));
    checkLevels(this.rowSplits, rows);
  }

  /**
   * Converts the rows of `dense`, which has two or more dimensions, to rows of individual lengths. @throws TypeError
   *
   * @example
   * const dense = new DenseTensor('float32', [2, 2], Float32Array.of(1, 2, 3, 0));
   * RaggedTensor.fromDense(dense, { padding: 0 }).toArray(); // [[1, 2], [3]]
   */
  static fromDense<D extends DType, I extends Int64As = 'bigint'>(
    dense: DenseTensor<D, Shape, I>,
    options?: FromDenseOptions<D>,
  ): RaggedTensor<D, Shape, I> {
    if (!isDense(dense)) throw invalidArgType('dense', 'a DenseTensor', dense);
    const { dtype, shape } = dense;
    const [rows, width, ...inner] = shape;
    if (rows === undefined || width === undefined) {
      throw invalidArgValue('dense', 'of two dimensions or more', previewShape(shape));
    }
    const size = sizeOf(inner);
    const lengthOf = lengthsOf(dense, options);
    const splits = new Int32Array(rows + 1);
    for (let row = 0; row < rows; row++) splits[row + 1] = splits[row]! + lengthOf(row);
    const sources = new Int32Array(splits[rows]! * size);
    for (let row = 0, to = 0; row < rows; row++) {
      const first = row * width * size;
      const count = (splits[row + 1]! - splits[row]!) * size;
      for (let i = 0; i < count; i++) sources[to++] = first + i;
    }
    const data = gather(dense.data, sources, 0);
    return new RaggedTensor<D, Shape, I>(new DenseTensor<D, Shape, I>(dtype, [splits[rows]!, ...inner], data), [
      splits,
    ]);
  }

  /** Sizes of all dimensions; `null` for those that differ between rows. */
  get shape(): readonly (number | null)[] {
    const [outermost] = this.rowSplits;
    const [rows = 0, ...inner]: readonly number[] = this.values.shape;
    if (outermost === undefined) return [rows, ...inner];
    return [outermost.length - 1, ...this.rowSplits.map(() => null), ...inner];
  }

  /** Iterates over the rows, over the same values: ragged if there are levels below, else dense. */
  *[Symbol.iterator](): IterableIterator<RaggedRow<D, V, I>> {
    const rows = this.shape[0]!;
    for (let row = 0; row < rows; row++) yield this.row(row);
  }

  /**
   * Returns row `index`, from 0 on, over the same values. @throws RangeError if there is no such row
   *
   * @example
   * const { words } = parseExample(records, { words: ragged({ dtype: 'bytes' }) });
   * words.row(0);
   */
  row(index: number): RaggedRow<D, V, I> {
    const [outermost, ...below] = this.rowSplits;
    const rows = this.shape[0]!;
    if (!Number.isInteger(index) || index < 0 || index >= rows) {
      throw outOfRange('index', `an integer from 0 to ${rows - 1}`, index);
    }
    if (outermost === undefined) {
      const [, ...inner] = this.values.shape;
      return this.#values(index, index + 1, inner);
    }
    let begin = Number(outermost[index]);
    let end = Number(outermost[index + 1]);
    const rowSplits = below.map((splits) => {
      const part = rebased(splits, begin, end);
      [begin, end] = [Number(splits[begin]), Number(splits[end])];
      return part;
    });
    const [, ...inner] = this.values.shape;
    const values = this.#values(begin, end, [end - begin, ...inner]);
    return rowSplits.length === 0 ? values : new RaggedTensor<D, V, I>(values as DenseTensor<D, V, I>, rowSplits);
  }

  /**
   * Returns the item at these indices, the row first: a row, or an item of it. A negative index counts from the end;
   * undefined if there is no such item.
   * @throws RangeError for more indices than dimensions
   *
   * @example
   * const { words } = parseExample(records, { words: ragged({ dtype: 'text' }) });
   * words.at(0, -1); // the last word of the first record
   */
  at(...indices: readonly number[]): Scalars<I>[D] | RaggedRow<D, V, I> | undefined {
    checkRank(indices, this.shape.length);
    const [index, ...below] = indices;
    if (index === undefined) return this;
    const place = placeOf(index, this.shape[0]!);
    if (place === undefined) return undefined;
    if (this.rowSplits.length === 0) return this.values.at(place, ...below);
    const row: RaggedRow<D, V, I> = this.row(place);
    return row.at(...below);
  }

  /**
   * Returns the smallest dense tensor that has room for every row; `defaultValue` (default 0, or no bytes) pads shorter
   * rows. @throws TFRecordError TFR_RECORD_TOO_LARGE if an array cannot hold that many values
   *
   * @example
   * const { words } = parseExample(records, { words: ragged({ dtype: 'text' }) });
   * words.toDense('').shape; // [records, most words]
   */
  toDense(defaultValue?: Literals[D]): DenseTensor<D, Shape, I> {
    const { dtype, values } = this;
    const padding = paddingFor('defaultValue', dtype, values.data, defaultValue);
    if (this.rowSplits.length === 0) return values;
    const [rows = 0, ...inner]: readonly number[] = values.shape;
    checkLevels(this.rowSplits, rows);
    const ragged = [this.shape[0]!, ...this.rowSplits.map(longestRow)];
    const size = sizeOf(inner);
    const shape = [...ragged, ...inner];
    return allocateDense(shape, () => {
      const places = placeRows(this.rowSplits, ragged);
      const sources = size === 1 ? places : widen(places, size);
      const data = gather(values.data, sources, padding);
      return new DenseTensor<D, Shape, I>(dtype, shape, data);
    });
  }

  /**
   * Returns nested arrays of the values.
   *
   * @example
   * const { words } = parseExample(records, { words: ragged({ dtype: 'text' }) });
   * words.toArray(); // [['a', 'b'], []]
   */
  toArray(): PlainLists<Scalars<I>[D]>[] {
    const [rows = 0, ...inner]: readonly number[] = this.values.shape;
    const size = sizeOf(inner);
    let level = Array.from({ length: rows }, (_, row) => nest(inner, (i) => valueAt(this.values.data, row * size + i)));
    for (const splits of this.rowSplits.toReversed()) {
      const below = level;
      level = Array.from({ length: splits.length - 1 }, (_, row) =>
        below.slice(Number(splits[row]), Number(splits[row + 1])),
      );
    }
    return level as PlainLists<Scalars<I>[D]>[];
  }

  /**
   * Returns nested arrays of the values for JSON, like `DenseTensor.toJSON`.
   *
   * @example
   * const { words } = parseExample(records, { words: ragged({ dtype: 'text' }) });
   * JSON.stringify(words); // [["a","b"],[]]
   */
  toJSON(): unknown {
    return walkRagged(this, JSON_FORM);
  }

  /**
   * Returns nested plain arrays of numbers and strings, the rows outermost.
   * @throws TFRecordError TFR_FEATURE for values that the options do not allow
   *
   * @example
   * const { ids } = parseExample(records, { ids: ragged({ dtype: 'int64' }) });
   * ids.toObject(); // [[1, 2], []]
   */
  toObject<N extends Int64Form = 'number', B extends BytesForm = 'auto'>(
    options?: ObjectOptions<N, B>,
  ): PlainLists<PlainScalar<D, I, N, B>>[];
  toObject(options?: ObjectOptions): unknown {
    return toPlain<AnyRagged>(this, walkRagged, options);
  }

  /** @internal */
  [inspect.custom](): string {
    return `RaggedTensor ${this.dtype} ${previewShape(this.shape)} ${previewRagged(this.rowSplits, this.values)}`;
  }

  /** Returns the values from `begin` to before `end` as a tensor of `shape`, over the same memory. */
  #values(begin: number, end: number, shape: Shape): DenseTensor<D, Shape, I> {
    const [, ...inner] = this.values.shape;
    const size = sizeOf(inner);
    const data = partOf(this.values.data, begin * size, end * size);
    return new DenseTensor<D, Shape, I>(this.dtype, shape, data);
  }
}

/** Returns the number of values to keep for each row of `dense`. */
function lengthsOf<D extends DType, I extends Int64As>(
  dense: DenseTensor<D, Shape, I>,
  options: FromDenseOptions<D> | undefined,
): (row: number) => number {
  const { lengths, padding } = checkOptions<FromDenseOptions<D>>(options, ['lengths', 'padding']);
  const [rows, width, ...inner] = dense.shape as readonly [number, number, ...number[]];
  if (lengths !== undefined && padding !== undefined) {
    throw invalidArgValue('options', 'lengths or padding, not both', lengths);
  }
  if (lengths !== undefined) {
    if (lengths.length !== rows) throw invalidArgValue('options.lengths', `of ${rows} lengths`, lengths.length);
    return (row) => {
      const length = lengths[row]!;
      if (Number.isInteger(length) && length >= 0 && length <= width) return length;
      throw outOfRange(`options.lengths[${row}]`, `an integer from 0 to ${width}`, length);
    };
  }
  if (padding === undefined) return () => width;
  const size = sizeOf(inner);
  const empty = paddingFor('options.padding', dense.dtype, dense.data, padding);
  return (row) => {
    const first = row * width * size;
    let length = width * size;
    while (length > 0 && sameScalar(valueAt(dense.data, first + length - 1), empty)) length--;
    return Math.ceil(length / size);
  };
}

/** Expands sources of values to sources of numbers, for values of `size` numbers each. */
function widen(sources: Int32Array, size: number): Int32Array {
  const wide = new Int32Array(sources.length * size);
  for (let i = 0, to = 0; i < sources.length; i++) {
    const source = sources[i]!;
    for (let j = 0; j < size; j++) wide[to++] = source < 0 ? -1 : source * size + j;
  }
  return wide;
}

/** Returns the values of row `row` of a tensor with one level of rows. */
export function plainRow(tensor: AnyRagged, row: number): Column {
  const splits = tensor.rowSplits[0]!;
  return partOf<Column>(tensor.values.data, Number(splits[row]), Number(splits[row + 1]));
}

/** Returns row `row`, which for the last level is a tensor without levels. */
export function raggedRow(tensor: AnyRagged, row: number): AnyRagged {
  const rows = tensor.row(row);
  return rows instanceof RaggedTensor ? rows : new RaggedTensor<DType, Shape, Int64As>(rows, []);
}

function joinRagged(parts: readonly BatchPart<AnyRagged>[], differ: Differ): AnyRagged {
  const { batch } = parts[0]!;
  if (parts.some((part) => part.batch.rowSplits.length !== batch.rowSplits.length)) throw differ('ragged', parts);
  let level = parts.map(({ begin, end }) => ({ begin, end }));
  const rowSplits = batch.rowSplits.map((like, k): RowSplits => {
    const lengths: number[] = [];
    level = level.map(({ begin, end }, i) => {
      const splits = parts[i]!.batch.rowSplits[k]!;
      for (let row = begin; row < end; row++) lengths.push(Number(splits[row + 1]) - Number(splits[row]));
      return { begin: Number(splits[begin]), end: Number(splits[end]) };
    });
    const joined = [0];
    for (const length of lengths) joined.push(joined.at(-1)! + length);
    return like instanceof BigInt64Array ? BigInt64Array.from(joined, BigInt) : Int32Array.from(joined);
  });
  const values = joinDense(
    parts.map((part, i) => ({ batch: part.batch.values, ...level[i]! })),
    differ,
  );
  return new RaggedTensor<DType, Shape, Int64As>(values, rowSplits);
}

/** Makes nested lists, the rows outermost. */
function walkRagged<R>({ values, rowSplits }: RaggedValues, form: ValueForm<R>): R {
  const [rows = 0, ...inner] = values.shape;
  const size = sizeOf(inner);
  const level = (depth: number, begin: number, end: number): R => {
    const splits = rowSplits[depth];
    if (splits === undefined) return form.dense(values.data, [end - begin, ...inner], begin * size);
    return form.list(end - begin, 'rows', (i) =>
      level(depth + 1, Number(splits[begin + i]), Number(splits[begin + i + 1])),
    );
  };
  return level(0, 0, rowSplits[0] === undefined ? rows : rowSplits[0].length - 1);
}

interface RaggedValues {
  readonly values: { readonly data: Column; readonly shape: Shape };
  readonly rowSplits: readonly RowSplits[];
}

/** The class of ragged tensors. */
export const RAGGED: ValueClass<AnyRagged, { values: AnyDense; rowSplits: readonly RowSplits[] }> = {
  name: 'RaggedTensor',
  class: RaggedTensor,
  rows: ({ shape }) => shape[0] ?? undefined,
  row: (tensor, row) =>
    tensor.rowSplits.length === 1 && tensor.values.shape.length === 1 ? plainRow(tensor, row) : raggedRow(tensor, row),
  join: joinRagged,
  dense: () => undefined,
  walk: walkRagged,
  parts: ({ values, rowSplits }) => ({ values, rowSplits }),
  make: ({ values, rowSplits }) => new RaggedTensor<DType, Shape, Int64As>(values, rowSplits),
};
