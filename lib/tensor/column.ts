/** Columns of every type, and operations on them. Numbers are copied as bits, which preserves NaN payloads. */
import { types } from 'node:util';

import { arrayClass, invalidArgType, invalidArgValue, isList, lengthOf } from '../base';
import { givenLength } from '../io';
import { BytesArray, isBytesArray, newBytesArray } from './bytes-array';
import { convertLiteral, zeroOf } from './literals';
import type { BatchPart, DType, Int64As, Scalar, Scalars } from './types';

/** A flat list of values, for each type. */
export interface Columns<I extends Int64As = 'bigint'> {
  /** A Float32Array. */
  float32: Float32Array<ArrayBuffer>;
  /** A BigInt64Array, or a Float64Array with `int64: 'number'`. */
  int64: I extends 'number' ? Float64Array<ArrayBuffer> : BigInt64Array<ArrayBuffer>;
  /** Byte strings in Arrow's layout. */
  bytes: BytesArray;
  /** Strings. */
  text: string[];
}

/** Any column. */
export type Column = Columns<Int64As>[DType];

type Numbers = Exclude<Column, BytesArray | string[]>;

const WANTED: ReadonlyMap<DType, string> = new Map([
  ['float32', 'a Float32Array'],
  ['int64', 'a BigInt64Array (or a Float64Array of integers)'],
  ['bytes', 'a BytesArray'],
  ['text', 'an array of strings'],
]);

/** Checks that `column` is of `dtype`. Returns the number of its values. @throws TypeError */
export function checkColumn(name: string, dtype: DType, column: unknown): number {
  const wanted = WANTED.get(dtype);
  if (wanted === undefined) throw invalidArgValue('dtype', '"float32", "int64", "bytes" or "text"', dtype);
  if (!isColumnOf(dtype, column)) throw invalidArgType(name, wanted, column);
  return isNumbers(column) ? givenLength(name, column) : column.length;
}

/** Returns the number of values of `column`, ignoring properties of subclasses of typed arrays. */
export function columnLength(column: Column): number {
  return types.isTypedArray(column) ? lengthOf(column) : column.length;
}

/** True if `column` is a column of `dtype`. */
export function isColumnOf(dtype: DType, column: unknown): column is Column {
  switch (dtype) {
    case 'float32':
      return types.isFloat32Array(column) && column instanceof Float32Array;
    case 'int64':
      return types.isTypedArray(column) && (column instanceof BigInt64Array || column instanceof Float64Array);
    case 'bytes':
      return isBytesArray(column);
    case 'text':
      return isList(column) && column.every((value) => typeof value === 'string');
  }
}

/** True for columns of numbers. */
export function isNumbers(column: Column): column is Numbers {
  return !(column instanceof BytesArray || Array.isArray(column));
}

/**
 * Returns value `i`, which must exist. @throws TypeError if the memory of `column` was transferred, or resized to less
 */
export function valueAt<D extends DType, I extends Int64As>(column: Columns<I>[D], i: number): Scalars<I>[D];
export function valueAt(column: Column, i: number): Scalar;
export function valueAt(column: Column, i: number): Scalar {
  const value = column instanceof BytesArray ? column.at(i) : column[i];
  if (value === undefined) throw lacking(column, i + 1);
  return value;
}

/** Returns the error for a column that no longer has `count` values. */
function lacking(column: Column, count: number): TypeError {
  return invalidArgValue('values', `${count} values or more: their memory was transferred, or resized to less`, column);
}

/**
 * Returns the values from `begin` to before `end`, over the same memory; strings as a copy of the list.
 * @throws TypeError if the memory was transferred, or resized to less
 */
export function partOf<C extends Column>(column: C, begin: number, end: number): C;
export function partOf(column: Column, begin: number, end: number): Column {
  if (columnLength(column) < end) throw lacking(column, end);
  return Array.isArray(column) ? column.slice(begin, end) : column.subarray(begin, end);
}

/** Returns a function like {@link partOf} for many parts of one column, with fewer calls. */
export function partsOf(column: Column): (begin: number, end: number) => Column {
  if (!isNumbers(column)) return (begin, end) => partOf(column, begin, end);
  const { buffer, byteOffset, BYTES_PER_ELEMENT: size } = column;
  const of: NumbersClass =
    column instanceof Float32Array ? Float32Array : column instanceof BigInt64Array ? BigInt64Array : Float64Array;
  return (begin, end) => {
    // Splits may have been overwritten, and memory may have been transferred: `subarray` then throws or clamps.
    if (!(begin >= 0 && begin <= end && end <= column.length)) return column.subarray(begin, end);
    return new of(buffer, byteOffset + begin * size, end - begin);
  };
}

type NumbersClass = new (buffer: ArrayBuffer, byteOffset: number, length: number) => Numbers;

/** Converts a literal to a value of the type that `like` holds. @throws TypeError, which names `name` */
export function paddingFor(name: string, dtype: DType, like: Column, literal: unknown): Scalar {
  if (literal === undefined) return like instanceof Float64Array ? 0 : zeroOf(dtype);
  const converted = convertLiteral(dtype, literal);
  if (!('value' in converted)) throw invalidArgValue(name, converted.wanted, literal);
  const { value } = converted;
  if (!(like instanceof Float64Array)) return value;
  if (!Number.isSafeInteger(Number(value))) throw invalidArgValue(name, 'an integer within ±(2^53 − 1)', literal);
  return Number(value);
}

/** Returns `count` values of the type of `like`, all equal to `padding`. */
export function filled<C extends Numbers>(like: C, count: number, padding: Scalar): C;
export function filled(like: Numbers, count: number, padding: Scalar): Numbers {
  const made = emptyNumbers(like, count);
  // Padding has the type of the values.
  const target: { fill(value: Scalar): unknown } = made;
  if ((padding !== 0 && padding !== 0n) || Object.is(padding, -0)) target.fill(padding);
  return made;
}

function emptyNumbers(like: Numbers, count: number): Numbers {
  if (like instanceof Float32Array) return new Float32Array(count);
  return like instanceof BigInt64Array ? new BigInt64Array(count) : new Float64Array(count);
}

/** Returns a column whose value i is value `sources[i]` of `column`, or `padding` for -1. */
export function gather<C extends Column>(column: C, sources: Int32Array, padding: Scalar): C;
export function gather(column: Column, sources: Int32Array, padding: Scalar): Column {
  if (column instanceof BytesArray) return gatherBytes(column, sources, padding as Uint8Array);
  if (!isNumbers(column)) return Array.from(sources, (source) => (source < 0 ? padding : column[source])) as string[];
  const made = filled(column, sources.length, padding);
  const from = wordsOf(column);
  const to = wordsOf(made);
  const size = column.BYTES_PER_ELEMENT / 4;
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i]!;
    if (source < 0) continue;
    for (let word = 0; word < size; word++) to[i * size + word] = from[source * size + word]!;
  }
  return made;
}

function gatherBytes(column: BytesArray, sources: Int32Array, padding: Uint8Array): BytesArray {
  const offsets = new Int32Array(sources.length + 1);
  let size = 0;
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i]!;
    size += source < 0 ? padding.length : sizeAt(column, source);
    if (size > 0x7fff_ffff) throw new RangeError('The bytes of the result are more than int32 offsets can say');
    offsets[i + 1] = size;
  }
  const data = new Uint8Array(size);
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i]!;
    data.set(source < 0 ? padding : column.at(source)!, offsets[i]);
  }
  return newBytesArray(data, offsets);
}

/**
 * Returns the number of bytes of value `i`. @throws RangeError if its offsets, which callers can overwrite, are invalid
 */
function sizeAt(column: BytesArray, i: number): number {
  const { data, offsets } = column;
  const begin = offsets[i]!;
  const end = offsets[i + 1]!;
  return begin >= 0 && begin <= end && end <= data.length ? end - begin : column.at(i)!.length;
}

/** Returns the memory of numbers as 32-bit words: one for a float32, two for other types, the low one first. */
export function wordsOf(column: Numbers | BigInt64Array): Int32Array<ArrayBuffer> {
  const buffer = column.buffer as ArrayBuffer;
  return new Int32Array(buffer, column.byteOffset, column.byteLength / 4);
}

/** True if the values are equal; 0 equals -0, and NaN equals NaN. */
export function sameScalar(a: Scalar, b: Scalar): boolean {
  if (typeof a === 'object' && typeof b === 'object') return Buffer.compare(a, b) === 0;
  return a === b || (a !== a && b !== b);
}

/** Concatenates the values of `parts`, which have one class; returns a view if there is only one part. */
export function joinColumns(parts: readonly BatchPart<Column>[]): Column {
  const columns = parts.map(({ batch, begin, end }) => partOf(batch, begin, end));
  const first = columns[0]!;
  if (columns.length === 1) return first;
  if (columns.every((column) => column instanceof BytesArray)) {
    return BytesArray.from(columns.flatMap((column) => column.toArray()));
  }
  if (columns.every((column) => Array.isArray(column))) return columns.flat();
  const numbers = columns.filter(isNumbers);
  const made = new (arrayClass(numbers[0]!))(numbers.reduce((sum, { length }) => sum + length, 0));
  const target: { set(values: ArrayLike<unknown>, at: number): void } = made;
  let at = 0;
  for (const column of numbers) {
    target.set(column, at);
    at += column.length;
  }
  return made;
}
