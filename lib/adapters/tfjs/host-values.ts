/** Converts the values of columns and rows to arrays with a shape. */
import { isTypedArray, isUint8Array } from 'node:util/types';

import { arrayClass, type TFRecordError, isObject } from '../../base';
import { RecordBatch } from '../../record';
import {
  BytesArray,
  classOf,
  convertLiteral,
  storedDType,
  type AnyNullable,
  type AnyRagged,
  type AnySparse,
  type DenseValues,
} from '../../tensor';
import { misfit, type BatchPart, type TensorRules } from './rules';

/** Numbers and booleans. `number`: JavaScript numbers, which may have fractions. `integer`: int64 and other integers. */
export interface HostNumbers {
  readonly kind: 'float32' | 'number' | 'integer' | 'bool';
  readonly data: NumberArray;
  readonly shape: readonly number[];
}
/** Byte strings. */
export interface HostBytes {
  readonly kind: 'bytes';
  readonly data: readonly Uint8Array[];
  readonly shape: readonly number[];
}
export type HostValues = HostNumbers | HostBytes;
type NumberArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** The dtypes of `TensorValue` that tfjs does not support. */
const FOREIGN: readonly unknown[] = ['float16', 'bfloat16', 'complex64', 'complex128'];

/** Returns the values of a column; undefined if `value` is not one. A Float64Array holds int64 values as numbers. */
export function columnValues(place: BatchPart, value: unknown, rules: TensorRules): HostValues | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof RecordBatch) return { kind: 'bytes', data: [...value], shape: [value.length] };
  const known = classOf(value);
  if (known !== undefined) {
    return denseValues(place, known.dense(value) ?? densified(place, value as ColumnWithGaps, rules));
  }
  if (isTypedArray(value)) return arrayValues(value, [(value as NumberArray).length]);
  if (!isTensorData(value)) return undefined;
  const { dtype, shape, data } = value;
  if (data instanceof BytesArray) return { kind: 'bytes', data: data.toArray(), shape };
  if (FOREIGN.includes(dtype)) throw misfit(place, 'a type that tfjs has', String(dtype));
  if (dtype === 'bool') return { kind: 'bool', data, shape };
  return dtype === 'float64' ? { kind: 'number', data, shape } : arrayValues(data, shape);
}

/** True for a tensor as plain data, a `TensorValue` or `PaddedArray`: it has exactly their members. */
export function isTensorData(value: object): value is {
  readonly dtype?: unknown;
  readonly shape: readonly number[];
  readonly data: NumberArray | BytesArray;
} {
  const { shape, data } = isObject(value) ? value : {};
  if (!Array.isArray(shape) || !(isTypedArray(data) || data instanceof BytesArray)) return false;
  return Object.keys(value).length === ('dtype' in value ? 3 : 2);
}

/**
 * Returns the values of a row's field: one value, of shape [], or an array. Undefined for an object of fields, and for
 * undefined. A Uint8Array is a byte string in a parsed row, in a field with a chosen dtype, and as a record, which is a
 * row itself.
 */
function rowValues(place: BatchPart, value: unknown, rules: TensorRules): HostValues | undefined {
  if (typeof value === 'number') return { kind: 'number', data: Float64Array.of(value), shape: [] };
  if (typeof value === 'boolean') return { kind: 'bool', data: Uint8Array.of(value ? 1 : 0), shape: [] };
  if (typeof value === 'string') return { kind: 'bytes', data: [bytesOf(place, value)], shape: [] };
  if (typeof value === 'bigint') {
    const data = BigInt64Array.of(value);
    if (data[0] !== value) throw misfit(place, 'an int64', String(value));
    return { kind: 'integer', data, shape: [] };
  }
  if (isUint8Array(value)) {
    if (place.parsed !== true && place.name !== '' && !rules.dtypes.has(place.name)) throw eitherOr(place);
    return { kind: 'bytes', data: [value], shape: [] };
  }
  return columnValues(place, value, rules);
}

/**
 * Returns the error for a Uint8Array from a user's function: in tfjs it means numbers, but in this package it means a
 * byte string.
 */
function eitherOr(place: BatchPart): TFRecordError {
  const name = JSON.stringify(place.name);
  const advice =
    `Return an Int32Array for numbers, or a string for text; or define its meaning: dtypes: { ${name}: 'int32' } ` +
    `or 'float32' for one number per byte, 'string' for a byte string`;
  return misfit(place, 'numbers or text', 'a Uint8Array, which may be either', advice);
}

/** Returns `text` as UTF-8. */
function bytesOf(place: BatchPart, text: string): Uint8Array {
  const converted = convertLiteral('bytes', text);
  if ('value' in converted) return converted.value;
  throw misfit(place, converted.wanted, JSON.stringify(text));
}

/** Columns that may lack values at some positions. */
type ColumnWithGaps = AnySparse | AnyRagged | AnyNullable;

function densified(place: BatchPart, tensor: ColumnWithGaps, { defaults, defaultOfAll }: TensorRules): DenseValues {
  const value = defaults.get(place.name) ?? defaultOfAll;
  if (value !== undefined) return tensor.toDense(value);
  const empty = storedDType(tensor.dtype) === 'bytes' ? "''" : '0';
  const advice = `Give options.defaults the value for the gaps: { ${JSON.stringify(place.name)}: ${empty} }`;
  throw misfit(place, 'a value at each place', `a ${classOf(tensor)!.name}`, advice);
}

function denseValues(place: BatchPart, { dtype, data, shape }: DenseValues): HostValues {
  if (data instanceof BytesArray) return { kind: 'bytes', data: data.toArray(), shape };
  if (Array.isArray(data)) return { kind: 'bytes', data: data.map((text) => bytesOf(place, text)), shape };
  return { kind: dtype === 'float32' ? 'float32' : 'integer', data, shape };
}

function arrayValues(data: NumberArray, shape: readonly number[]): HostNumbers {
  return { kind: data instanceof Float32Array ? 'float32' : 'integer', data, shape };
}

/** Joins the values of one field in all rows. @throws TFRecordError TFR_FEATURE unless all have one kind and shape. */
export function stackRows(place: BatchPart, rows: readonly unknown[], rules: TensorRules): HostValues {
  if (rows.every((value) => typeof value === 'number')) {
    return { kind: 'number', data: Float64Array.from(rows), shape: [rows.length] };
  }
  // Elements of an array within a row keep the number of that row.
  const at = (index: number): BatchPart => ({ ...place, row: place.row ?? index });
  const parts = rows.map((value, index) => {
    const part = Array.isArray(value) ? stackRows(at(index), value, rules) : rowValues(at(index), value, rules);
    if (part !== undefined) return part;
    throw misfit(at(index), 'numbers, bigints, booleans, text, bytes or arrays of these', shownValue(value));
  });
  const first = parts[0]!;
  parts.forEach((part, index) => {
    if (sameKind(part, first) && part.shape.join() === first.shape.join()) return;
    const advice = sameKind(part, first) ? 'Dataset.paddedBatch pads values of different lengths' : undefined;
    throw misfit(at(index), `${shown(first)}, as in the first`, shown(part), advice);
  });
  const shape = [parts.length, ...first.shape];
  if (first.kind === 'bytes') return { kind: 'bytes', data: (parts as HostBytes[]).flatMap(({ data }) => data), shape };
  const size = first.data.length;
  const data = new (arrayClass<NumberArray>(first.data))(size * parts.length);
  const target: { set(values: ArrayLike<unknown>, at: number): void } = data;
  parts.forEach((part, index) => target.set(part.data, index * size));
  return { kind: first.kind, data, shape };
}

function sameKind(a: HostValues, b: HostValues): boolean {
  return a.kind === b.kind && a.data.constructor === b.data.constructor;
}

function shown({ kind, data, shape }: HostValues): string {
  const type = kind === 'integer' ? data.constructor.name : kind;
  return shape.length === 0 ? `a single value (${type})` : `${type} of shape [${shape.join(', ')}]`;
}

function shownValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
