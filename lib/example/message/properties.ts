/** Checks messages that a caller wrote, and converts them to the form of protobufjs. */
import type { Field, Type } from 'protobufjs/light';
import { types } from 'node:util';

import { invalidArgType, invalidArgValue, outOfRange, newRecord } from '../../base';
import { hasLoneSurrogate, shortestFloat32 } from '../../tensor';
import { defaultOf, enumOf, isMessage, isOptional } from './plain-message';

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

const INTEGERS: Readonly<Record<string, readonly [min: bigint, max: bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/** `init` as properties of `type`; members at their default are left out. Errors call it `message`. */
export function toProperties(type: Type, init: unknown, forms: NumberForms): Record<string, unknown> {
  return messageProperties(type, init, forms, 'message');
}

function messageProperties(type: Type, init: unknown, forms: NumberForms, path: string): Record<string, unknown> {
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
    const converted = fieldProperty(field, value, forms, `${path}.${name}`);
    if (isOptional(field) || !isDefault(field, value)) properties[name] = converted;
  }
  return properties;
}

function fieldProperty(field: Field, value: unknown, forms: NumberForms, path: string): unknown {
  if (field.map) {
    if (!isObject(value)) throw invalidArgType(path, 'an object with one member for each name', value);
    const map = newRecord<unknown>();
    for (const name of Object.keys(value)) {
      checkText(`a name in ${path}`, name);
      map[name] = single(field, value[name], forms, `${path}.${name}`);
    }
    return map;
  }
  if (!field.repeated) return single(field, value, forms, path);
  if (!Array.isArray(value) && !(types.isTypedArray(value) && field.type !== 'bytes')) {
    throw invalidArgType(path, 'an array', value);
  }
  return Array.from(value as ArrayLike<unknown>, (item, i) => single(field, item, forms, `${path}[${i}]`));
}

function single(field: Field, value: unknown, forms: NumberForms, path: string): unknown {
  if (isMessage(field)) return messageProperties(field.resolvedType, value, forms, path);
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
      return field.type.endsWith('64') ? forms.int64(integer) : Number(integer);
    }
  }
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
