import {
  invalidArgType,
  invalidArgValue,
  isList,
  checkBoolean,
  checkOptions,
  isInteger,
  isObject,
  counted,
} from '../../base';
import {
  gather,
  isSparse,
  ownInt64s,
  sparseRow,
  storedDType,
  SparseTensor,
  wordsOf,
  type AnySparse,
  type Column,
  type DType,
  type Int64As,
  type Shape,
} from '../../tensor';
import { allocated, columnOf, numbers, numbersOf, splitRows, valuesGiven, type ColumnValues } from '../columns';
import { columnFeature, rowError } from '../feature';
import type { FeatureOf } from '../message';
import { checkDType, checkKey, checkRank, checkSizes, show, specError } from './checks';
import {
  type BatchValue,
  type DefinitionJSON,
  type ElementValue,
  type FeatureColumns,
  FeatureDefinition,
  type GivenColumn,
  type GivenSparse,
  type KeyUse,
  type Kind,
  type RecordFeatures,
  type Refusal,
  type RowSource,
  type SpecUse,
} from './definition';
import { checkFlag } from './literals';
import {
  checkBounds,
  checkCoordinates,
  checkLengths,
  coordinatesIn,
  givenEntries,
  givenSparseRows,
  matrixOf,
  sortedOrder,
  sparseRows,
} from './sparse-coordinates';
import { newFeature, type kind } from './spec-feature';

/** A sparse tensor, stored in several features of a record. */
export interface Sparse<D extends DType> {
  /** @internal */
  readonly [kind]: 'sparse';
  /** Type of the values. */
  readonly dtype: D;
}

/** The types of its values. */
export interface SparseValues<D extends DType, I extends Int64As> {
  element: SparseTensor<D, I>;
  /** No feature list is of this kind. */
  steps: never;
  batch: SparseTensor<D, I>;
  given: SparseTensor<D> | SparseTensor<D, 'number'> | GivenSparse<D>;
}

/** Options of {@link sparse}. `indexKey` and `size` are both single, or lists of one length. */
export type SparseOptions<D extends DType> = {
  /** Name of the feature that holds the values. */
  readonly valueKey: string;
  /** Type of the values. */
  readonly dtype: D;
  /**
   * True if the coordinates are in lexicographic order in every record, so that they need not be sorted. Default:
   * false.
   */
  readonly alreadySorted?: boolean | undefined;
} & (
  | {
      /** Name of the int64 feature that holds the coordinates. */
      readonly indexKey: string;
      /** Size of the dimension: coordinates are from 0 to `size − 1`. */
      readonly size: number;
    }
  | {
      /** Names of the int64 features that hold the coordinates, one for each dimension. */
      readonly indexKey: readonly string[];
      /** Sizes of the dimensions. */
      readonly size: readonly number[];
    }
);

const OPTIONS = ['indexKey', 'valueKey', 'dtype', 'size', 'alreadySorted'] as const;

/**
 * A sparse tensor (TensorFlow's `SparseFeature`): one feature of a record holds the values, one or more int64 features
 * their coordinates. They must have the same length in every record, and coordinates must be inside `size`; else
 * TFR_FEATURE. Entries are sorted by coordinates; equal ones are all kept, in their order. @throws TFRecordError
 * TFR_SPEC
 *
 * @example
 * const { ratings } = parseExample(records, {
 *   ratings: sparse({ indexKey: 'movie', valueKey: 'stars', dtype: 'float32', size: 1000 }),
 * });
 * console.log(ratings.toDense().shape); // [records, 1000]
 */
export function sparse<D extends DType>(feature: SparseOptions<D>): Sparse<D>;
export function sparse(feature: SparseOptions<DType>): unknown {
  const call = 'sparse';
  const { indexKey, valueKey, dtype, size, alreadySorted } = checkOptions(feature, OPTIONS);
  checkDType(call, dtype);
  const listed = isList(indexKey);
  const keys: readonly unknown[] = listed ? indexKey : [indexKey];
  checkRank(call, 'indexKey', keys);
  // In a list, the empty name is a valid name of a feature, as everywhere else.
  if (keys.length === 0 || indexKey === '' || indexKey === undefined) {
    throw specError(`${call}: indexKey is missing; give the name of the int64 feature with the coordinates`, {
      expected: 'indexKey',
      found: show(indexKey),
    });
  }
  if (valueKey === undefined || valueKey === '') {
    throw specError(`${call}: valueKey is missing; give the name of the feature with the values`, {
      expected: 'valueKey',
      found: show(valueKey),
    });
  }
  const sizes: readonly unknown[] = isList(size) ? size : [size];
  if (isList(size) !== listed || sizes.length !== keys.length) {
    throw specError(
      `${call}: indexKey is ${show(indexKey)} and size is ${show(size)}; give one of each, or lists of one length`,
      { expected: listed ? `a list of ${keys.length} sizes` : 'one size', found: show(size) },
    );
  }
  const indexKeys = Object.freeze(keys.map((each) => checkKey(call, 'indexKey', each)));
  const checkedKey = checkKey(call, 'valueKey', valueKey);
  const extents = checkExtents(call, sizes);
  const sorted = checkBoolean('alreadySorted', alreadySorted, false);
  return newFeature(
    new SparseDefinition({ dtype, indexKeys, listed, valueKey: checkedKey, size: extents, alreadySorted: sorted }),
  );
}

/** Checks the sizes of a sparse tensor, whose product may exceed any memory. */
function checkExtents(call: string, sizes: readonly unknown[]): readonly number[] {
  const extents = [...sizes];
  return extents.every((size) => isInteger(size, 0)) ? Object.freeze(extents) : checkSizes(call, sizes as Shape, 0);
}

/** The kind `sparse`. */
export const SPARSE: Kind<Sparse<DType>> = {
  name: 'sparse',
  members: ['indexKey', 'valueKey', 'size', 'alreadySorted'],
  fromJSON(dtype, json) {
    checkFlag(json, 'alreadySorted');
    return sparse({ ...json, dtype } as SparseOptions<DType>);
  },
};

class SparseDefinition extends FeatureDefinition {
  readonly kind = 'sparse';
  readonly dtype: DType;
  /** One key a dimension of `size`. */
  readonly indexKeys: readonly string[];
  /** True if `indexKey` and `size` were given as lists. */
  readonly listed: boolean;
  readonly valueKey: string;
  readonly size: Shape;
  readonly alreadySorted: boolean;

  constructor(given: Pick<SparseDefinition, 'dtype' | 'indexKeys' | 'listed' | 'valueKey' | 'size' | 'alreadySorted'>) {
    super();
    this.dtype = given.dtype;
    this.indexKeys = given.indexKeys;
    this.listed = given.listed;
    this.valueKey = given.valueKey;
    this.size = given.size;
    this.alreadySorted = given.alreadySorted;
  }

  args(): readonly unknown[] {
    const { type: _type, ...options } = this.json();
    return [options];
  }

  json(): DefinitionJSON {
    const { kind: type, dtype, indexKeys, listed, valueKey, size, alreadySorted } = this;
    return {
      type,
      indexKey: listed ? indexKeys : indexKeys[0],
      valueKey,
      dtype,
      size: listed ? size : size[0],
      ...(alreadySorted && { alreadySorted }),
    };
  }

  override refusal(use: SpecUse): Refusal | undefined {
    if (use === 'example') return undefined;
    const message = 'sparse() reads Examples only; read the values and the coordinates with varLen()';
    return { message, found: this.kind };
  }

  keys(): readonly KeyUse[] {
    return [
      { key: this.valueKey, dtype: storedDType(this.dtype), group: 'sparse' },
      ...this.indexKeys.map((key): KeyUse => ({ key, dtype: 'int64', group: 'sparse' })),
    ];
  }

  override mayFail(): boolean {
    return true;
  }

  /** `[rows] + size`: the first coordinate is the record. */
  batch(columns: FeatureColumns): BatchValue {
    return this.#compose(columns, true);
  }

  /** `size`. */
  element(columns: FeatureColumns): ElementValue {
    return this.#compose(columns, false);
  }

  #compose(all: FeatureColumns, batch: boolean): AnySparse {
    const { name, rows, values, others: indices } = all;
    const splits = values.splits!;
    const columns = { name, definition: this, indices };
    checkLengths(columns, splits);
    const coordinates = indices.map(numbersOf);
    checkBounds(columns, coordinates, splits);
    const order = this.alreadySorted ? undefined : sortedOrder(coordinates, splits);
    const column = this.valuesIn(all);
    return new SparseTensor<DType, Int64As>(this.dtype, {
      values: order === undefined ? column : gather<Column>(column, order, 0),
      denseShape: batch ? [rows, ...this.size] : this.size,
      indices: matrixOf(coordinates, order, batch ? splits : undefined),
    });
  }

  rowSource(value: AnySparse): RowSource {
    return (row) => sparseRow(value, row);
  }

  countRows(value: unknown, wrong: (expected: string) => TypeError): number {
    return sparseRows(value, wrong);
  }

  givenRows(name: string, value: unknown): number {
    return givenSparseRows(name, value, this.dtype, this.size);
  }

  /** Returns the columns of the values, then of the coordinates in each dimension of a record's tensor. */
  encodeBatch(given: GivenColumn<AnySparse>): readonly ColumnValues[] {
    const { name, feature } = given;
    const { size, indexKeys } = this;
    const values = valuesGiven(`${name}.values`, feature, this.dtype, given.value.values);
    const rank = 1 + size.length;
    const { splits, words } = givenEntries(given, rank, values);
    const ranges = splitRows(splits);
    return [
      columnOf(values, ranges),
      ...indexKeys.map((_, k): ColumnValues => {
        const coordinates = allocated(8 * values.length, () => new BigInt64Array(values.length));
        const to = wordsOf(coordinates);
        for (let i = 0, from = 2 * (k + 1); i < values.length; i++, from += 2 * rank) {
          to[2 * i] = words[from]!;
          to[2 * i + 1] = words[from + 1]!;
        }
        checkCoordinates(given, splits, to, k, size[k]!);
        return columnOf(numbers(coordinates), ranges);
      }),
    ];
  }

  encodeRow(name: string, value: unknown): RecordFeatures {
    if (!isSparse(value) && !isPlainSparse(value)) throw invalidArgType(`row.${name}`, 'a SparseTensor', value);
    const { denseShape } = value;
    const where = `row.${name}.indices`;
    const indices = isSparse(value)
      ? ownInt64s(where, value.indices)
      : (columnFeature(where, 'int64', value.indices) as FeatureOf<'int64'>).values;
    const { size, indexKeys, valueKey, dtype } = this;
    if (denseShape.join() !== size.join()) {
      throw rowError(name, `a tensor of shape [${size.join(', ')}]`, `[${denseShape.join(', ')}]`);
    }
    const values = columnFeature(`row.${name}.values`, dtype, value.values);
    const rank = indexKeys.length;
    const count = values.values.length;
    if (indices.length !== count * rank) {
      throw invalidArgValue(
        `row.${name}.indices`,
        `${counted(rank, 'coordinate')} for each of ${counted(count, 'value')}`,
        indices.length,
      );
    }
    return [
      [valueKey, values],
      ...indexKeys.map((key, dimension) => {
        const coordinates = new BigInt64Array(count);
        const limit = size[dimension]!;
        for (let i = 0; i < coordinates.length; i++) {
          const found = indices[i * rank + dimension]!;
          if (found < 0n || found >= limit) {
            throw rowError(name, coordinatesIn(`dimension ${dimension}`, limit), String(found));
          }
          coordinates[i] = found;
        }
        return [key, { kind: 'int64', values: coordinates }] as const;
      }),
    ];
  }
}

/** True for a sparse tensor as a plain object, in the form of `toObject` and JSON. */
function isPlainSparse(value: unknown): value is GivenSparse<DType> {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return names.length === 3 && ['indices', 'values', 'denseShape'].every((name) => Array.isArray(value[name]));
}
