/** The operations that every class of values has: with them, code that takes any batch need not know the classes. */
import type { TFRecordError } from '../base';
import type { Column } from './column';
import type { BatchPart, DType, Shape } from './types';

/** The error for `parts` that cannot be joined, because one is not `expected`. */
export type Differ = (expected: string, parts: readonly BatchPart[]) => TFRecordError;

/** The arguments that a value can be made of again. Their names and order are stored in caches. */
export type Parts = Readonly<Record<string, unknown>>;

/** Names of the classes, which caches and messages to workers hold. */
export type ClassName = 'BytesArray' | 'DenseTensor' | 'SparseTensor' | 'RaggedTensor' | 'NullableColumn';

/** A value at every place, in row-major order. */
export interface DenseValues {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly data: Column;
}

/**
 * A form that values are given: plain arrays and objects, or the text of the command, which is added to a line and is no
 * value (`R` is void).
 */
export interface ValueForm<R> {
  /** A list of `count` items. `item` gives item `index`. Text cuts long lists of values and of rows at limits of their own. */
  list(count: number, of: 'values' | 'rows', item: (index: number) => R): R;
  /** The nested lists of `shape` that the values of `data` make from value `first` on; a value alone for `[]`. */
  dense(data: Column, shape: Shape, first: number): R;
  /** A value that is missing. */
  nothing(): R;
  /** A list of whole numbers, never cut. */
  integers(values: ArrayLike<number | bigint>): R;
  /** An object. Its members are made in their order. */
  object(members: Readonly<Record<string, () => R>>): R;
}

/** The operations of one class. */
export interface ValueClass<T extends object = object> {
  readonly name: ClassName;
  readonly class: abstract new (...given: never[]) => T;
  /** Number of rows; undefined for a scalar. */
  rows(value: T): number | undefined;
  /** Row `row`, over the same memory, without the padding that parsing added. */
  row(value: T, row: number): unknown;
  /** The rows of `parts`, of which there is one or more, behind one another. @throws the error that `differ` returns */
  join(parts: readonly BatchPart<T>[], differ: Differ): T;
  /** Its values, if it has one at every place. */
  dense(value: T): DenseValues | undefined;
  /** Gives a value the form. */
  walk<R>(value: T, form: ValueForm<R>): R;
  parts(value: T): Parts;
  /** The value that `parts` was given. @throws TypeError for parts that do not fit one another */
  make(parts: Parts): T;
}

/** The number of rows of all `parts`. */
export function rowsOf(parts: readonly BatchPart[]): number {
  return parts.reduce((sum, { begin, end }) => sum + end - begin, 0);
}
