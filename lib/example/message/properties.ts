/** Checks messages that a caller wrote, and converts them to the form of protobufjs. */
import type { Field, Type } from 'protobufjs/light';
import { types } from 'node:util';

import { invalidArgType, invalidArgValue, outOfRange, newRecord } from '../../base';
import { hasLoneSurrogate, shortestFloat32 } from '../../tensor';
import { defaultOf, enumOf, is64, isMap, isMessage, isOptional } from './plain-message';
import { MAX_DEPTH } from './wire';

/** The form of numbers. */
interface NumberForms {
  int64(value: bigint): unknown;
  /** A number that float32 can hold, not yet rounded. */
  float(value: number): unknown;
  double(value: number): unknown;
}

/** For bytes: int64 as the two words that protobufjs writes. It writes 0 for a bigint. */
export const WORDS: NumberForms = {
  int64: (value) => ({ low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)) }),
  float: Math.fround,
  double: (value) => value,
};

/** For the text form: numbers that print in the fewest digits. */
export const DIGITS: NumberForms = { int64: (value) => value, float: fewestDigits, double: (value) => value };

/** For JSON, whose writers lose the sign of zero. */
export const JSON_VALUES: NumberForms = {
  int64: (value) => value,
  float: (value) => (Object.is(value, -0) ? '-0' : fewestDigits(value)),
  double: (value) => (Object.is(value, -0) ? '-0' : value),
};

function fewestDigits(value: number): number {
  return shortestFloat32(Math.fround(value));
}

type Bounds = readonly [min: bigint, max: bigint];

const INT32: Bounds = [-(2n ** 31n), 2n ** 31n - 1n];
const UINT32: Bounds = [0n, 2n ** 32n - 1n];
const INT64: Bounds = [-(2n ** 63n), 2n ** 63n - 1n];
const UINT64: Bounds = [0n, 2n ** 64n - 1n];
const INTEGERS: Readonly<Record<string, Bounds>> = {
  int32: INT32,
  sint32: INT32,
  sfixed32: INT32,
  uint32: UINT32,
  fixed32: UINT32,
  int64: INT64,
  sint64: INT64,
  sfixed64: INT64,
  uint64: UINT64,
  fixed64: UINT64,
};

/** `init` as properties of `type`; members at their default are left out. Errors call it `message`. */
export function toProperties(type: Type, init: unknown, forms: NumberForms): Record<string, unknown> {
  return messageProperties(type, init, forms, 'message', 0);
}

function messageProperties(
  type: Type,
  init: unknown,
  forms: NumberForms,
  path: string,
  depth: number,
): Record<string, unknown> {
  // An object that contains itself would never end.
  if (depth > MAX_DEPTH) throw invalidArgValue(path, `at most ${MAX_DEPTH} messages deep`, init);
  if (!isObject(init)) throw invalidArgType(path, 'an object', init);
  const properties: Record<string, unknown> = {};
  const taken = new Map<string, string>();
  for (const name of Object.keys(init)) {
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (field === undefined) {
      const known = Object.keys(type.fields).join(', ');
      throw invalidArgValue(`a member of ${path}`, `one of ${known}`, name);
    }
    const value = init[name];
    if (value === undefined || value === null) continue;
    const oneof = field.partOf?.name;
    if (oneof !== undefined) {
      const other = taken.get(oneof);
      if (other !== undefined) throw invalidArgValue(`${path}.${name}`, `absent, because ${other} is there`, value);
      taken.set(oneof, name);
    }
    const converted = fieldProperty(field, value, forms, `${path}.${name}`, depth);
    if (isOptional(field) || !isDefault(field, value)) properties[name] = converted;
  }
  for (const { name, required } of type.fieldsArray) {
    if (required && properties[name] === undefined) throw invalidArgValue(`${path}.${name}`, 'given', undefined);
  }
  return properties;
}

function fieldProperty(field: Field, value: unknown, forms: NumberForms, path: string, depth: number): unknown {
  if (isMap(field)) {
    if (!isObject(value)) throw invalidArgType(path, 'an object with one member for each name', value);
    const map = newRecord<unknown>();
    for (const name of Object.keys(value)) {
      map[checkKey(field.keyType, name, path)] = single(field, value[name], forms, `${path}.${name}`, depth);
    }
    return map;
  }
  if (!field.repeated) return single(field, value, forms, path, depth);
  if (!Array.isArray(value) && !(types.isTypedArray(value) && field.type !== 'bytes')) {
    throw invalidArgType(path, 'an array', value);
  }
  return Array.from(value as ArrayLike<unknown>, (item, i) => single(field, item, forms, `${path}[${i}]`, depth));
}

function single(field: Field, value: unknown, forms: NumberForms, path: string, depth: number): unknown {
  if (isMessage(field)) return messageProperties(field.resolvedType, value, forms, path, depth + 1);
  const known = enumOf(field);
  if (known !== undefined) return enumNumber(known.values, value, path);
  switch (field.type) {
    case 'bytes':
      if (!types.isUint8Array(value)) throw invalidArgType(path, 'a Uint8Array', value);
      return value;
    case 'string':
      if (typeof value !== 'string') throw invalidArgType(path, 'a string', value);
      return checkText(path, value);
    case 'bool':
      if (typeof value !== 'boolean') throw invalidArgType(path, 'a boolean', value);
      return value;
    case 'double':
    case 'float':
      if (typeof value !== 'number') throw invalidArgType(path, 'a number', value);
      if (field.type === 'double') return forms.double(value);
      if (Number.isFinite(value) && !Number.isFinite(Math.fround(value))) {
        throw outOfRange(path, 'a number that float32 can hold', value);
      }
      return forms.float(value);
    default: {
      const integer = checkInteger(field.type, value, path);
      return is64(field.type) ? forms.int64(integer) : Number(integer);
    }
  }
}

/** Returns the key `name` of a map with keys of `type`. */
function checkKey(type: string, name: string, path: string): string {
  const what = `a name in ${path}`;
  if (type === 'string') return checkText(what, name);
  if (type === 'bool') {
    if (name === 'true' || name === 'false') return name;
    throw invalidArgValue(what, 'true or false', name);
  }
  if (!/^-?\d{1,20}$/.test(name)) throw invalidArgValue(what, 'an integer', name);
  return String(checkInteger(type, BigInt(name), what));
}

function checkInteger(type: string, value: unknown, path: string): bigint {
  if (typeof value !== 'bigint' && typeof value !== 'number') throw invalidArgType(path, 'a bigint or a number', value);
  const [min, max] = INTEGERS[type]!;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw outOfRange(path, 'a bigint, or an integer from -(2^53 - 1) to 2^53 - 1', value);
  }
  const integer = BigInt(value);
  if (integer < min || integer > max) throw outOfRange(path, `an integer from ${min} to ${max}`, value);
  return integer;
}

function enumNumber(values: Readonly<Record<string, number>>, value: unknown, path: string): number {
  if (typeof value === 'string') {
    if (Object.hasOwn(values, value)) return values[value]!;
    throw invalidArgValue(path, `one of ${Object.keys(values).join(', ')}`, value);
  }
  return Number(checkInteger('int32', value, path));
}

function checkText(path: string, text: string): string {
  if (hasLoneSurrogate(text)) throw invalidArgValue(path, 'whole characters: half a surrogate pair is none', text);
  return text;
}

function isDefault(field: Field, value: unknown): boolean {
  if (field.map || field.repeated || isMessage(field)) return false;
  const byDefault = defaultOf(field);
  if (byDefault === 0n) return value === 0 || value === 0n;
  if (types.isUint8Array(byDefault)) return (value as Uint8Array).length === 0;
  return Object.is(value, byDefault);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
