import { types } from 'node:util';

import { invalidArgType, invalidArgValue, isList, checkOptions, type Bytes, counted } from '../../base';
import {
  BytesArray,
  checkedDense,
  columnLength,
  isBytesArray,
  isDense,
  isNullable,
  newDenseTensor,
  newNullable,
  partsOf,
  sizeOf,
  storedDType,
  valueAt,
  zeroOf,
  type AnyDense,
  type AnyNullable,
  type Column,
  type Columns,
  type DenseTensor,
  type DType,
  type Int64As,
  type Literals,
  type NullableColumn,
  type Scalar,
  type Scalars,
  type Shape,
} from '../../tensor';
import {
  bitsOf,
  columnOf,
  columnReader,
  evenRows,
  presentRows,
  rowScalar,
  scalarOf,
  spreadItems,
  valuesGiven,
  type ColumnValues,
} from '../columns';
import { columnFeature, rowError, serializeFeature } from '../feature';
import { checkDefault, checkDType, checkSizes, specError } from './checks';
import {
  type BatchValue,
  type BlockReader,
  type ColumnLayout,
  type DefinitionJSON,
  type ElementValue,
  type FeatureColumns,
  FeatureDefinition,
  type GivenColumn,
  type GivenValue,
  type KeyUse,
  type Kind,
  type RecordFeatures,
  type Refusal,
  type RowSource,
  type Section,
  type SpecUse,
} from './definition';
import { checkGivenDType, checkGivenLength, denseRows, givenDenseRows } from './dense-columns';
import { literalJSON, literalOf, withDefault } from './literals';
import { newFeature, type kind } from './spec-feature';

/** A feature with a fixed number of values, that of `shape`. */
export interface FixedLen<D extends DType, S extends Shape> {
  /** @internal */
  readonly [kind]: 'fixedLen';
  /** Type of the values. */
  readonly dtype: D;
  /** Shape of its values in one record. */
  readonly shape: S;
}

/** The types of its values. */
export interface FixedLenValues<D extends DType, S extends Shape, I extends Int64As> {
  element: S extends readonly [] ? Scalars<I>[D] : DenseTensor<D, S, I>;
  /** Feature lists cannot have this kind. */
  steps: never;
  batch: S extends readonly [] ? Columns<I>[D] : DenseTensor<D, readonly [number, ...S], I>;
  given: GivenValue<D>;
}

/** A feature with one value, which records may lack. */
export interface NullableScalar<D extends DType> extends FixedLen<D, readonly []> {
  /** Marks the feature as nullable. */
  readonly nullable: true;
}

/** The types of its values. */
export interface NullableScalarValues<D extends DType, I extends Int64As> {
  element: Scalars<I>[D] | null;
  /** Feature lists cannot have this kind. */
  steps: never;
  batch: NullableColumn<D, I>;
  given: GivenValue<D>;
}

/** Options of {@link fixedLen}. */
export interface FixedLenOptions<D extends DType> {
  /**
   * The values of a missing feature: the number of values of `shape`, flat, in row-major order; or a single value if
   * `shape` has one value. It replaces a whole feature, never single values. Without a default the feature is required.
   * For shape `[]` it may be null.
   */
  readonly default?:
    | Literals[D]
    | readonly Literals[D][]
    | (D extends 'float32' ? Float32Array | Float64Array : D extends 'int64' ? BigInt64Array | Int32Array : never)
    | undefined;
}

/**
 * Describes a feature with one value, which records may lack: a row then has null. A batch has a {@link
 * NullableColumn}. Encoders do not write the feature for null. (TensorFlow has no such feature.)
 *
 * @example
 * const { age } = parseSingleExample(record, { age: fixedLen([], 'int64', { default: null }) });
 */
export function fixedLen<D extends DType>(
  shape: readonly [],
  dtype: D,
  options: { readonly default: null },
): NullableScalar<D>;
/**
 * Describes a feature with a fixed number of values, that of `shape` (TensorFlow's `FixedLenFeature`); `[]` is a
 * scalar. If it is missing or has no kind, its value is the default; without a default, it is an error (TFR_FEATURE).
 * With `default: null`, which only scalars can have, it is then null.
 * @throws TFRecordError TFR_SPEC
 *
 * @example
 * const { id, image } = parseSingleExample(record, {
 *   id: fixedLen([], 'int64', { default: -1 }),
 *   image: fixedLen([28, 28], 'float32'),
 * });
 */
export function fixedLen<D extends DType, const S extends Shape>(
  shape: S,
  dtype: D,
  options?: FixedLenOptions<D>,
): FixedLen<D, S>;
export function fixedLen(
  shape: Shape,
  dtype: DType,
  options?: FixedLenOptions<DType> | { readonly default: null },
): unknown {
  const call = 'fixedLen';
  const sizes = checkSizes(call, shape, 0, ': for any number of steps there is fixedLenSequence()');
  checkDType(call, dtype);
  const { default: given } = checkOptions<{ readonly default?: unknown }>(options, ['default']);
  if (given === null && sizes.length > 0) {
    throw specError(
      `${call}: the default is null, which only a feature of shape [] can have; a list that records may lack is read by ` +
        `varLen('${dtype}') or ragged({ dtype: '${dtype}' }), which give no values then`,
      { expected: 'shape []', found: `[${sizes.join(', ')}]` },
    );
  }
  if (given === undefined || given === null) return newFeature(new FixedLenDefinition(dtype, sizes, given));
  const literals = literalsOf(dtype, given);
  const size = sizeOf(sizes);
  if (literals.length !== size) {
    throw specError(
      `${call}: the default has ${literals.length} ${literals.length === 1 ? 'value' : 'values'}, shape ` +
        `[${sizes.join(', ')}] takes ${size}: defaults are neither repeated nor filled up`,
      { expected: String(size), found: String(literals.length) },
    );
  }
  const values = Object.freeze(literals.map((literal) => checkDefault(call, dtype, literal)));
  return newFeature(new FixedLenDefinition(dtype, sizes, values));
}

/** The kind `fixedLen`. */
export const FIXED_LEN: Kind<FixedLen<DType, Shape>> = {
  name: 'fixedLen',
  members: ['shape', 'default'],
  fromJSON: (dtype, json) =>
    fixedLen(json['shape'] as number[], dtype, withDefault(dtype, json) as FixedLenOptions<DType>),
};

class FixedLenDefinition extends FeatureDefinition {
  readonly kind = 'fixedLen';
  readonly dtype: DType;
  readonly shape: Shape;
  /**
   * The default values, in row-major order; undefined if the feature is required, null if a record without it has null.
   */
  readonly default: readonly Scalar[] | null | undefined;

  constructor(dtype: DType, shape: Shape, values: readonly Scalar[] | null | undefined) {
    super();
    this.dtype = dtype;
    this.shape = shape;
    this.default = values;
  }

  override shown(): object {
    return this.default === null ? { shape: this.shape, nullable: true } : { shape: this.shape };
  }

  args(): readonly unknown[] {
    const { dtype, shape, default: values } = this;
    if (values === undefined) return [shape, dtype];
    if (values === null) return [shape, dtype, { default: null }];
    const literals = values.map((value) => literalOf(dtype, value));
    return [shape, dtype, { default: shape.length === 0 ? literals[0] : literals }];
  }

  json(): DefinitionJSON {
    const { kind: type, dtype, shape, default: values } = this;
    if (values === undefined) return { type, dtype, shape };
    if (values === null) return { type, dtype, shape, default: null };
    const literals = values.map((value) => literalJSON(dtype, value));
    return { type, dtype, shape, default: shape.length === 0 ? literals[0] : literals };
  }

  override refusal(use: SpecUse): Refusal | undefined {
    if (use !== 'sequence') return undefined;
    return { message: 'a feature list has steps: use fixedLenSequence()', found: this.kind };
  }

  override required(): boolean {
    // A default without values is like no default.
    return this.default?.length === 0 || this.default === undefined;
  }

  keys(name: string): readonly KeyUse[] {
    return [{ key: name, dtype: storedDType(this.dtype), group: 'dense' }];
  }

  override layout(key: string, _section: Section): ColumnLayout {
    if (this.default === null) return { count: 1, required: false, fallback: undefined, optional: true };
    const fallback = this.required()
      ? undefined
      : serializeFeature(columnFeature(`${key}.default`, this.dtype, this.default));
    return { count: sizeOf(this.shape), required: true, fallback };
  }

  /** `[rows] + shape`; a column for scalars. */
  batch(columns: FeatureColumns): BatchValue {
    const { dtype, shape } = this;
    const { rows } = columns;
    const column = this.valuesIn(columns);
    const { present } = columns.values;
    if (present !== undefined) {
      // int64 may be numbers.
      const empty = column instanceof Float64Array ? 0 : zeroOf(dtype);
      return newNullable(dtype, spreadItems(column, present, empty), bitsOf(present));
    }
    return shape.length === 0 ? column : checkedDense(dtype, [rows, ...shape], column);
  }

  /** `shape`; a value for scalars. */
  element(columns: FeatureColumns): ElementValue {
    const { dtype, shape } = this;
    const column = this.valuesIn(columns);
    if (columns.values.present?.[1] === 0) return null;
    return shape.length === 0 ? valueAt(column, 0) : checkedDense(dtype, shape, column);
  }

  rowSource(value: Column | AnyNullable | AnyDense): RowSource {
    const { dtype, shape } = this;
    if (isNullable(value)) return unlessNull(value, this.rowSource(value.values));
    if (!isDense(value)) return value instanceof BytesArray ? bytesAt(value) : value;
    const size = sizeOf(shape);
    const part = partsOf(value.data);
    return (row) => newDenseTensor(dtype, shape, part(row * size, (row + 1) * size));
  }

  countRows(value: unknown, wrong: (expected: string) => TypeError): number {
    if (this.shape.length > 0) return denseRows(value, this.shape, 1, wrong);
    if (isColumn(value)) return columnLength(value);
    if (this.default === null && isNullable(value)) return value.length;
    throw wrong('a column');
  }

  override blockReader(entry: number, int64: Int64As): BlockReader {
    const { dtype, shape } = this;
    if (this.default === null) {
      const scalar = rowScalar(dtype, int64);
      return (block) => (block.places[entry] === 0 ? null : scalarOf(block, scalar, entry + 1));
    }
    if (shape.length === 0) return rowScalar(dtype, int64);
    const column = columnReader(dtype, entry, int64);
    return (block) => {
      const data = column(block);
      return data && newDenseTensor(dtype, shape, data);
    };
  }

  givenRows(name: string, value: unknown): number {
    const { dtype, shape } = this;
    if (isColumn(value)) return shape.length === 0 ? columnLength(value) : flatRows(name, columnLength(value), shape);
    if (shape.length > 0) return givenDenseRows(name, value, dtype, shape, 1);
    if (this.default !== null) throw invalidArgType(name, COLUMNS[dtype], value);
    if (!isNullable(value)) throw invalidArgType(name, `a NullableColumn, or ${COLUMNS[dtype]}`, value);
    checkGivenDType(name, value.dtype, dtype);
    return columnLength(value.values);
  }

  /**
   * Returns the column of the values: each row has the values of the shape; in a nullable column, a row may have none.
   */
  encodeBatch({ name, feature, value, rows }: GivenColumn<Column | AnyNullable | AnyDense>): readonly ColumnValues[] {
    const { dtype, shape } = this;
    if (isNullable(value)) {
      const values = valuesGiven(`${name}.values`, feature, dtype, value.values);
      checkGivenLength(name, values, rows);
      return [columnOf(values, presentRows(name, value.validity, rows))];
    }
    const count = sizeOf(shape);
    const column = isDense(value) ? value.data : value;
    const values = valuesGiven(name, feature, dtype, column);
    checkGivenLength(name, values, rows * count);
    return [columnOf(values, evenRows(count))];
  }

  encodeRow(name: string, value: unknown): RecordFeatures {
    const feature = columnFeature(`row.${name}`, this.dtype, value);
    const count = sizeOf(this.shape);
    const { length } = feature.values;
    if (length !== count) {
      throw rowError(name, `${counted(count, 'value')} for shape [${this.shape.join(', ')}]`, String(length));
    }
    return [[name, feature]];
  }
}

/** Returns the values of a default: a list, a typed array of numbers, or a single value. */
function literalsOf(dtype: DType, given: unknown): readonly unknown[] {
  if (isList(given)) return given;
  return types.isTypedArray(given) && storedDType(dtype) !== 'bytes' ? Array.from<unknown>(given) : [given];
}

const COLUMNS: Readonly<Record<DType, string>> = {
  float32: 'a Float32Array',
  int64: 'a BigInt64Array or a Float64Array',
  bytes: 'a BytesArray or an array of strings',
  text: 'a BytesArray or an array of strings',
};

function isColumn(value: unknown): value is Column {
  return isBytesArray(value) || ArrayBuffer.isView(value) || isList(value);
}

/**
 * Returns the number of rows of a flat column, which has the values of all rows one after the other. @throws TypeError
 */
function flatRows(name: string, length: number, shape: Shape): number {
  const size = sizeOf(shape);
  if (size > 0 && length % size === 0) return length / size;
  const wanted = size > 0 ? `a multiple of ${size} values` : 'a DenseTensor, as there are no values to count';
  throw invalidArgValue(name, `${wanted} for shape [rows, ${shape.join(', ')}]`, length);
}

/** Returns a reader of the rows of a nullable column, whose values `source` reads. */
function unlessNull({ validity }: AnyNullable, source: RowSource): RowSource {
  const read = typeof source === 'function' ? source : (row: number) => source[row];
  return (row) => {
    const byte = validity[row >>> 3];
    // The memory was transferred: no row exists.
    if (byte === undefined) return undefined;
    return (byte & (1 << (row & 7))) === 0 ? null : read(row);
  };
}

/** Returns a function like `BytesArray.at`, with fewer calls. */
function bytesAt(column: BytesArray): (row: number) => Bytes | undefined {
  const { data, offsets } = column;
  return (row) => {
    const begin = offsets[row]!;
    const end = offsets[row + 1]!;
    // If offsets were overwritten, or memory was transferred, `at` throws.
    if (!(begin >= 0 && begin <= end && end <= data.length) || data.length === 0) return column.at(row);
    return new Uint8Array(data.buffer, data.byteOffset + begin, end - begin);
  };
}
