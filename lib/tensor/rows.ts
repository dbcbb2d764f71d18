/** Makes the objects for rows and batches. */
import { isTypedArray } from 'node:util/types';

import { bytesJson, numberJson, numbersJson } from './json';

/**
 * The one prototype of all rows, whatever their spec and reader. It adds only `toJSON` to `Object.prototype`, and it is
 * not enumerable. So a row looks like a plain object to everything except `Object.getPrototypeOf`.
 */
const ROW = Object.create(Object.prototype, {
  constructor: { value: Object, writable: true, configurable: true },
  toJSON: { value: rowJson, writable: true, configurable: true },
}) as object;

/** A row without features. */
export function newRow(): Record<string, unknown> {
  // `Object.create` returns `any`.
  return Object.create(ROW) as Record<string, unknown>;
}

/** Turns an object into a row again, after it was sent to another thread or kept on disk. */
export function asRow(row: object): void {
  Object.setPrototypeOf(row, ROW);
}

/** True if `value` is a row that parsing made. */
export function isRow(value: object): boolean {
  return Object.getPrototypeOf(value) === ROW;
}

/**
 * Gives `batch` a `toJSON`, which is not enumerable, so that the batch still equals a literal of its columns. A feature
 * of that name is not replaced.
 */
export function withJSON<T extends object>(batch: T): T {
  if (Object.hasOwn(batch, 'toJSON')) return batch;
  return Object.defineProperty(batch, 'toJSON', { value: rowJson, writable: true, configurable: true });
}

/**
 * Does `row[name] = value`, where `i` counts the features. V8 remembers the names at each store, and a store that has
 * seen many names is four times slower. So sixteen stores are used in turn, and each sees few names as long as few
 * specs are in use.
 */
export function storeFeature(row: Record<string, unknown>, i: number, name: string, value: unknown): void {
  switch (i & 15) {
    case 0:
      row[name] = value;
      return;
    case 1:
      row[name] = value;
      return;
    case 2:
      row[name] = value;
      return;
    case 3:
      row[name] = value;
      return;
    case 4:
      row[name] = value;
      return;
    case 5:
      row[name] = value;
      return;
    case 6:
      row[name] = value;
      return;
    case 7:
      row[name] = value;
      return;
    case 8:
      row[name] = value;
      return;
    case 9:
      row[name] = value;
      return;
    case 10:
      row[name] = value;
      return;
    case 11:
      row[name] = value;
      return;
    case 12:
      row[name] = value;
      return;
    case 13:
      row[name] = value;
      return;
    case 14:
      row[name] = value;
      return;
    default:
      row[name] = value;
  }
}

/** True if every object inherits a property of that name: assigning to it may call a setter, or throw. */
export function isInherited(name: string): boolean {
  return name in ROW;
}

/** Does `values[name] = value` for any name, even `__proto__`. */
export function setFeature<T>(values: Record<string, T>, name: string, value: T): void {
  if (!isInherited(name)) values[name] = value;
  else Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The JSON of a row or of a batch. Its tensors have their own `toJSON`. */
function rowJson(this: Record<string, unknown>): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const name of Object.keys(this)) setFeature(json, name, valueJson(this[name]));
  return json;
}

function valueJson(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return String(value);
    case 'number':
      return numberJson(value);
    default:
      if (value instanceof Uint8Array) return bytesJson(value);
      return isTypedArray(value) ? numbersJson(value) : value;
  }
}
