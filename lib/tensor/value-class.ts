/** The operations of every class of values, so that code for any batch need not know the classes. */
import type { TFRecordError } from '../base';
import type { Column } from './column';
import type { BatchPart, DType, Shape } from './types';

/** Returns the error for `parts` that cannot be joined because one is not `expected`. */
export type Differ = (expected: string, parts: readonly BatchPart[]) => TFRecordError;

/** The arguments that restore a value. Caches store their names and order. */
export type Parts = Readonly<Record<string, unknown>>;

/** Names of the classes, which caches and messages to workers contain. */
export type ClassName = 'BytesArray' | 'DenseTensor' | 'SparseTensor' | 'RaggedTensor' | 'NullableColumn';

/** Values at every position of a shape, in row-major order. */
export interface DenseValues {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly data: Column;
}

/**
 * A form of output for values: plain arrays and objects, or the text of the command, which is appended to a line (`R`
 * is then void).
 */
export interface ValueForm<R> {
  /**
   * Makes a list of `count` items; `item(index)` makes an item. The text form cuts lists of values and of rows at
   * different limits.
   */
  list(count: number, of: 'values' | 'rows', item: (index: number) => R): R;
  /** Makes nested lists of `shape` of the values of `data` from value `first` on; a single value for `[]`. */
  dense(data: Column, shape: Shape, first: number): R;
  /** Makes a missing value. */
  nothing(): R;
  /** Makes a list of integers, which is never cut. */
  integers(values: ArrayLike<number | bigint>): R;
  /** Makes an object. Its members are made in order. */
  object(members: Readonly<Record<string, () => R>>): R;
}

/** The operations of one class, whose values are made of the parts `P`. */
export interface ValueClass<T extends object = object, P extends Parts = Parts> {
  readonly name: ClassName;
  readonly class: abstract new (...given: never[]) => T;
  /** Returns the number of rows; undefined for a scalar. */
  rows(value: T): number | undefined;
  /** Returns row `row`, over the same memory, without the padding that parsing added. */
  row(value: T, row: number): unknown;
  /** Concatenates the rows of one or more `parts`. @throws the error that `differ` returns */
  join(parts: readonly BatchPart<T>[], differ: Differ): T;
  /** Returns its values if every position has one, else undefined. */
  dense(value: T): DenseValues | undefined;
  /** Converts a value to a form. */
  walk<R>(value: T, form: ValueForm<R>): R;
  parts(value: T): P;
  /** Makes a value of `parts`. @throws TypeError if they do not fit each other */
  make(parts: P): T;
}

/** Returns the number of rows of all `parts`. */
export function rowsOf(parts: readonly BatchPart[]): number {
  return parts.reduce((sum, { begin, end }) => sum + end - begin, 0);
}
