/** Makes the objects for rows and batches. */
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
 * The one prototype of all rows, whatever their spec and reader. It adds only `toJSON` and `toObject` to
 * `Object.prototype`, and they are not enumerable. So a row looks like a plain object to everything except
 * `Object.getPrototypeOf`.
 */
const ROW = Object.create(Object.prototype, {
  constructor: { value: Object, writable: true, configurable: true },
  ...METHODS,
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
 * Gives `batch` the methods of rows, which are not enumerable, so that the batch still equals a literal of its columns.
 * A feature of such a name is not replaced.
 */
export function withMethods<T extends object>(batch: T): T {
  for (const name of ['toJSON', 'toObject'] as const) {
    if (!Object.hasOwn(batch, name)) Object.defineProperty(batch, name, METHODS[name]);
  }
  return batch;
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

/** The JSON of a row or of a batch. */
function rowJson(this: Record<string, unknown>): Record<string, unknown> {
  return plainRecord(this, JSON_FORM);
}

/** The plain object of a row or of a batch. */
function rowObject(this: Record<string, unknown>, options?: ObjectOptions): Record<string, unknown> {
  return plainRecord(this, plainForm(options));
}

function plainRecord(given: object, form: PlainForm): Record<string, unknown> {
  return plainMembers(given, (value) => plainItem(value, form));
}

/**
 * The members of `given`, each made plain. @throws TFRecordError TFR_FEATURE naming the first member whose value the form
 * refuses
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
  // JSON.stringify asks nested values for their own JSON.
  if (form.json) return value;
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => plainItem(item, form));
  return isPlain(value) ? plainRecord(value, form) : value;
}

function plainItem(item: unknown, form: PlainForm): unknown {
  return typeof item === 'object' && item !== null ? plainValue(item, form) : form.scalar(item);
}

/** True for rows and other plain objects. Others, a Date for example, stay as they are. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === ROW || prototype === Object.prototype || prototype === null;
}
