/** Makes the objects of rows and batches. */
import { isTypedArray } from 'node:util/types';

import { classOf } from './classes';
import { JSON_FORM, plainForm, type PlainForm } from './plain';
import { plainError, type ObjectOptions } from './plain-forms';

/** The methods of rows and batches. They are not enumerable. */
const METHODS = {
  toJSON: { value: rowJson, writable: true, configurable: true },
  toObject: { value: rowObject, writable: true, configurable: true },
} as const;

/**
 * The prototype of all rows, whatever their spec and reader. It inherits from `Object.prototype`, and adds only
 * `toJSON` and `toObject`, which are not enumerable. So a row looks like a plain object to everything except
 * `Object.getPrototypeOf`.
 */
const ROW = Object.create(Object.prototype, {
  constructor: { value: Object, writable: true, configurable: true },
  ...METHODS,
}) as object;

/** Returns a row without features. */
export function newRow(): Record<string, unknown> {
  // `Object.create` returns `any`.
  return Object.create(ROW) as Record<string, unknown>;
}

/** Makes an object a row again, after it was sent to another thread or stored on disk. */
export function asRow(row: object): void {
  Object.setPrototypeOf(row, ROW);
}

/** True if `value` is a row that parsing made. */
export function isRow(value: object): boolean {
  return Object.getPrototypeOf(value) === ROW;
}

/**
 * Adds the methods of rows to `batch`. They are not enumerable, so the batch still equals a literal of its columns. A
 * feature with the name of a method is not replaced.
 */
export function withMethods<T extends object>(batch: T): T {
  for (const name of ['toJSON', 'toObject'] as const) {
    if (!Object.hasOwn(batch, name)) Object.defineProperty(batch, name, METHODS[name]);
  }
  return batch;
}

/**
 * Sets `row[name] = value`; `i` is the index of the feature. V8 caches names for each store in the code, and a store
 * with many names is four times slower. So sixteen stores are used in turn, and each has few names as long as few specs
 * are in use.
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

/** True if every object inherits a property of that name, so that assigning to it may call a setter, or throw. */
export function isInherited(name: string): boolean {
  return name in ROW;
}

/** Sets `values[name] = value` for any name, even `__proto__`. */
export function setFeature<T>(values: Record<string, T>, name: string, value: T): void {
  if (!isInherited(name)) values[name] = value;
  else Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns a row or a batch for JSON. */
function rowJson(this: Record<string, unknown>): Record<string, unknown> {
  return plainRecord(this, JSON_FORM);
}

/** Returns a row or a batch as a plain object. */
function rowObject(this: Record<string, unknown>, options?: ObjectOptions): Record<string, unknown> {
  return plainRecord(this, plainForm(options));
}

function plainRecord(given: object, form: PlainForm): Record<string, unknown> {
  return plainMembers(given, (value) => plainItem(value, form));
}

/**
 * Converts the members of `given` to plain values. @throws TFRecordError TFR_FEATURE, which names the first member
 * whose value the form cannot represent
 */
export function plainMembers(given: object, make: (value: unknown, name: string) => unknown): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  const names = Object.keys(given);
  const values: unknown[] = Object.values(given);
  let i = 0;
  try {
    for (; i < names.length; i++) {
      const name = names[i]!;
      const value = make(values[i], name);
      if (isInherited(name)) setFeature(plain, name, value);
      else storeFeature(plain, i, name, value);
    }
  } catch (error) {
    throw plainError(error, names[i]);
  }
  return plain;
}

function plainValue(value: object, form: PlainForm): unknown {
  if (isTypedArray(value)) return value instanceof Uint8Array ? form.scalar(value) : form.values(value);
  const known = classOf(value);
  if (known !== undefined) return known.walk(value, form);
  // JSON.stringify calls `toJSON` of nested values.
  if (form.json) return value;
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => plainItem(item, form));
  return isPlain(value) ? plainRecord(value, form) : value;
}

function plainItem(item: unknown, form: PlainForm): unknown {
  return typeof item === 'object' && item !== null ? plainValue(item, form) : form.scalar(item);
}

/** True for rows and other plain objects. Other objects, such as a Date, are not converted. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === ROW || prototype === Object.prototype || prototype === null;
}
