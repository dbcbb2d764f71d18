/** The operations that every class of values has: with them, code that takes any batch need not know the classes. */
import type { TFRecordError } from '../errors';
import type { Column, DType, Shape } from './types';

/** Rows `begin` to `end` of a batch. */
export interface BatchPart<T = unknown> {
  readonly batch: T;
  readonly begin: number;
  readonly end: number;
}

/** The error for `parts` that cannot be joined, because one is not `expected`. */
export type Differ = (expected: string, parts: readonly BatchPart[]) => TFRecordError;

/** The arguments that a value can be made of again. Their names and order are stored in caches. */
export type Parts = Readonly<Record<string, unknown>>;

/** Names of the classes, which caches and messages to workers hold. */
export type ClassName = 'BytesArray' | 'DenseTensor' | 'SparseTensor' | 'RaggedTensor';

/** A value at every place, in row-major order. */
export interface DenseValues {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly data: Column;
}

/** Prints the values of a row as JSON, cut where they are long. */
export interface ValuePrinter {
  /** Adds `json` as it is. */
  add(json: string): void;
  /** Adds a list of `count` items. `item` adds item `index`. Long lists of values and long lists of rows are cut at limits of their own. */
  list(count: number, of: 'values' | 'rows', item: (index: number) => void): void;
  /** Adds the nested lists of `shape` that the values of `data` make from value `first` on; a value alone for `[]`. */
  dense(data: Column, shape: Shape, first: number): void;
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
  /** Adds the JSON of a value to that of a row. */
  print(value: T, printer: ValuePrinter): void;
  parts(value: T): Parts;
  /** The value that `parts` was given. @throws TypeError for parts that do not fit one another */
  make(parts: Parts): T;
}

/** The number of rows of all `parts`. */
export function rowsOf(parts: readonly BatchPart[]): number {
  return parts.reduce((sum, { begin, end }) => sum + end - begin, 0);
}
