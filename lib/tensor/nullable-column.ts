import { inspect, types } from 'node:util';

import { invalidArgType, invalidArgValue, isInstance, isObject } from '../base';
import { givenLength } from '../io';
import { countSet, isSet, newBits, setBit } from './bits';
import { BytesArray } from './bytes-array';
import { checkColumn, gather, joinColumns, paddingFor, valueAt, type Column, type Columns } from './column';
import { DenseTensor } from './dense-tensor';
import { convertLiteral, zeroOf } from './literals';
import { JSON_FORM, toPlain } from './plain';
import type { BytesForm, Int64Form, ObjectOptions } from './plain-forms';
import type { PlainScalar } from './plain-types';
import { previewList } from './preview';
import { placeOf, type DType, type Int64As, type Literals, type Scalars, type BatchPart } from './types';
import { rowsOf, type Differ, type ValueClass, type ValueForm } from './value-class';

/** A nullable column of any type. */
export type AnyNullable = NullableColumn<DType, Int64As>;

/** True for nullable columns. */
export function isNullable(value: unknown): value is AnyNullable {
  return isInstance(value, NullableColumn);
}

/** Makes a column of scalars, for each type. */
const COLUMN_OF: { readonly [D in DType]: (scalars: Scalars[D][]) => Columns[D] } = {
  float32: (scalars) => Float32Array.from(scalars),
  int64: (scalars) => BigInt64Array.from(scalars),
  bytes: (scalars) => BytesArray.from(scalars),
  text: (scalars) => scalars,
};

/** True while a column is made of parts that are known to be valid. */
let trusted = false;

/**
 * A column of single values, some of which may be missing, in Arrow's layout: `values` has an entry for each row, and
 * bit `row` of `validity`, the lowest bit of a byte first, is 1 if the row has a value. The entries of other rows have
 * no meaning.
 *
 * @example
 * const { age } = parseExample(records, { age: fixedLen([], 'int64', { default: null }) });
 * console.log(age.nullCount, age.at(0), age.toArray()); // 1 29n [29n, null]
 */
export class NullableColumn<D extends DType, I extends Int64As = 'bigint'> implements Iterable<Scalars<I>[D] | null> {
  /** Type of the values. */
  readonly dtype: D;
  /** Number of rows. */
  readonly length: number;
  /** Number of rows without a value. */
  readonly nullCount: number;
  /** A value for each row. */
  readonly values: Columns<I>[D];
  /** A bit for each row, the lowest of a byte first: 1 if the row has a value. It may be longer than needed. */
  readonly validity: Uint8Array;

  /** Uses `values` and `validity` without a copy. @throws TypeError if they do not fit each other */
  constructor(dtype: D, values: Columns<I>[D], validity: Uint8Array) {
    this.dtype = dtype;
    this.length = trusted ? values.length : checkParts(dtype, values, validity);
    this.nullCount = this.length - countSet(validity, this.length);
    this.values = values;
    this.validity = validity;
  }

  /**
   * Makes a column of `values`, in which null stands for a missing value. @throws TypeError for a value that is not of
   * `dtype`
   *
   * @example
   * NullableColumn.from('int64', [29, null]).validity; // Uint8Array [1, 0, 0, 0, 0, 0, 0, 0]
   */
  static from<D extends DType>(dtype: D, values: Iterable<Literals[D] | null>): NullableColumn<D> {
    if (!isObject(values) || !(Symbol.iterator in values))
      throw invalidArgType('values', 'a list of values and nulls', values);
    const given = Array.from(values);
    const validity = newBits(given.length);
    const scalars = given.map((literal, row) => {
      if (literal === null) return zeroOf(dtype);
      setBit(validity, row);
      const converted = convertLiteral(dtype, literal);
      if ('value' in converted) return converted.value;
      throw invalidArgType(`values[${row}]`, `${converted.wanted}, or null`, literal);
    });
    return new NullableColumn<D>(dtype, COLUMN_OF[dtype](scalars), validity);
  }

  /**
   * Returns the value of row `index`, counted from the end if negative: null if the row has no value, undefined if
   * there is no such row.
   *
   * @example
   * NullableColumn.from('text', ['a', null]).at(-1); // null
   */
  at(index: number): Scalars<I>[D] | null | undefined {
    const row = placeOf(index, this.length);
    return row === undefined ? undefined : nullableAt<D, I>(this, row);
  }

  /**
   * True if row `index`, counted from the end if negative, has a value.
   *
   * @example
   * NullableColumn.from('text', ['a', null]).isValid(1); // false
   */
  isValid(index: number): boolean {
    const row = placeOf(index, this.length);
    return row !== undefined && isPresent(this, row);
  }

  /** Iterates over the values of all rows, in order; null for a row without a value. */
  *[Symbol.iterator](): IterableIterator<Scalars<I>[D] | null> {
    for (let row = 0; row < this.length; row++) yield nullableAt<D, I>(this, row);
  }

  /**
   * Returns the values as an array, with null for a row without a value.
   *
   * @example
   * NullableColumn.from('int64', [1, null]).toArray(); // [1n, null]
   */
  toArray(): (Scalars<I>[D] | null)[] {
    return [...this];
  }

  /**
   * Returns a dense tensor of shape `[length]`, with `defaultValue` (default 0, or no bytes) for rows without a value.
   *
   * @example
   * NullableColumn.from('int64', [1, null]).toDense(-1).data; // BigInt64Array [1n, -1n]
   */
  toDense(defaultValue?: Literals[D]): DenseTensor<D, readonly [number], I> {
    const { dtype, length, values } = this;
    const padding = paddingFor('defaultValue', dtype, values, defaultValue);
    const sources = Int32Array.from({ length }, (_, row) => (isPresent(this, row) ? row : -1));
    const data = gather(values, sources, padding);
    return new DenseTensor<D, readonly [number], I>(dtype, [length], data);
  }

  /**
   * Returns the values for JSON, like `DenseTensor.toJSON`; null for a row without a value.
   *
   * @example
   * JSON.stringify(NullableColumn.from('int64', [1, null])); // ["1",null]
   */
  toJSON(): unknown {
    return walkNullable(this, JSON_FORM);
  }

  /**
   * Returns a plain array of numbers, strings and nulls. @throws TFRecordError TFR_FEATURE for values that the options
   * do not allow
   *
   * @example
   * NullableColumn.from('int64', [1, null]).toObject(); // [1, null]
   */
  toObject<N extends Int64Form = 'number', B extends BytesForm = 'auto'>(
    options?: ObjectOptions<N, B>,
  ): (PlainScalar<D, I, N, B> | null)[];
  toObject(options?: ObjectOptions): unknown {
    return toPlain<AnyNullable>(this, walkNullable, options);
  }

  /** @internal */
  [inspect.custom](): string {
    const { dtype, length, values, validity } = this;
    return `NullableColumn ${dtype} [${length}] ${previewList(values, (i) => !isSet(validity, i))}`;
  }
}

/** Makes a column over parts that are known to be valid. */
export function newNullable(dtype: DType, values: Column, validity: Uint8Array): AnyNullable {
  trusted = true;
  const column = new NullableColumn<DType, Int64As>(dtype, values, validity);
  trusted = false;
  return column;
}

/** Checks the parts of a column. Returns the number of values. @throws TypeError */
function checkParts(dtype: DType, values: Column, validity: unknown): number {
  const length = checkColumn('values', dtype, values);
  if (!types.isUint8Array(validity)) throw invalidArgType('validity', 'a Uint8Array', validity);
  if (8 * givenLength('validity', validity) < length) {
    throw invalidArgValue('validity', `of a bit for each of ${length} values`, validity.length);
  }
  return length;
}

/** True if row `row` has a value. @throws TypeError if the memory of the bits was transferred */
function isPresent({ length, validity }: AnyNullable, row: number): boolean {
  const byte = validity[row >>> 3];
  if (byte !== undefined) return (byte & (1 << (row & 7))) !== 0;
  givenLength('validity', validity);
  throw invalidArgValue('validity', `of a bit for each of ${length} values`, validity);
}

function nullableAt<D extends DType, I extends Int64As>(
  column: NullableColumn<D, I>,
  row: number,
): Scalars<I>[D] | null {
  return isPresent(column, row) ? valueAt<D, I>(column.values, row) : null;
}

function joinNullable(parts: readonly BatchPart<AnyNullable>[], differ: Differ): AnyNullable {
  const { dtype } = parts[0]!.batch;
  if (parts.some(({ batch }) => batch.dtype !== dtype)) throw differ(`a NullableColumn of ${dtype}`, parts);
  const validity = newBits(rowsOf(parts));
  let to = 0;
  for (const { batch, begin, end } of parts) {
    for (let row = begin; row < end; row++, to++) if (isPresent(batch, row)) setBit(validity, to);
  }
  return newNullable(dtype, joinColumns(parts.map((part) => ({ ...part, batch: part.batch.values }))), validity);
}

/**
 * Makes a list of the values and nulls. Test runners copy a column member by member, so it must not call methods of the
 * column.
 */
function walkNullable<R>(
  { values, validity, length }: Pick<AnyNullable, 'values' | 'validity' | 'length'>,
  form: ValueForm<R>,
): R {
  return form.list(length, 'values', (row) => (isSet(validity, row) ? form.dense(values, [], row) : form.nothing()));
}

/** The class of nullable columns. */
export const NULLABLE: ValueClass<AnyNullable, { dtype: DType; values: Column; validity: Uint8Array }> = {
  name: 'NullableColumn',
  class: NullableColumn,
  rows: ({ length }) => length,
  row: nullableAt,
  join: joinNullable,
  dense({ dtype, length, values, validity }) {
    return countSet(validity, length) === length ? { dtype, shape: [length], data: values } : undefined;
  },
  walk: walkNullable,
  parts: ({ dtype, values, validity }) => ({ dtype, values, validity }),
  make: ({ dtype, values, validity }) => new NullableColumn<DType, Int64As>(dtype, values, validity),
};
