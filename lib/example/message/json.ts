/**
 * Proto3 JSON, by protobufjs. It converts numbers to doubles, and accepts any base64, so JSON is checked and made exact
 * first.
 */
import { isList, newRecord } from '../../base';
import type { Field, Type } from 'protobufjs/light';

import { losslessJson, protoJson } from './lazy';
import { is64, isMessage } from './plain-message';
import { JSON_VALUES, toProperties } from './properties';

/** A value of JSON. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** Returns the message of JSON text or of a JSON value, in the form of protobufjs. @throws Error if it is not valid */
export function fromJson(type: Type, json: unknown): object {
  return protoJson().fromJson(type, exactJson(type, typeof json === 'string' ? parseJson(json) : json));
}

export function toJson(type: Type, message: unknown): JsonValue {
  return protoJson().toJson(type, toProperties(type, message, JSON_VALUES)) as JsonValue;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The messages with a JSON form of their own. The JSON of a wrapper is that of its member `value`. */
const OWN_FORMS = {
  any: /^\.google\.protobuf\.Any$/,
  text: /^\.google\.protobuf\.(?:Timestamp|Duration|FieldMask)$/,
  value: /^\.google\.protobuf\.(?:Value|Struct|ListValue)$/,
  wrapper: /^\.google\.protobuf\.(?:U?Int(?:32|64)|Float|Double|Bool|String|Bytes)Value$/,
} as const;

export type JsonForm = keyof typeof OWN_FORMS | 'members';

const forms = new WeakMap<Type, JsonForm>();

/** The form of `type` in JSON: its members, or a form of its own. */
export function jsonFormOf(type: Type): JsonForm {
  let form = forms.get(type);
  if (form === undefined) {
    const name = type.fullName;
    const own = (Object.keys(OWN_FORMS) as (keyof typeof OWN_FORMS)[]).find((each) => OWN_FORMS[each].test(name));
    forms.set(type, (form = own ?? 'members'));
  }
  return form;
}

/**
 * `json` with the integers of int64 fields as strings of digits, other numbers as doubles, float32 as float32 holds
 * them, and `null` for a message in a map as the empty one. A number means the same with and without quotes. protobufjs
 * rejects other invalid values, except invalid base64, which it accepts, and integers that may have lost digits.
 */
function exactJson(type: Type, json: unknown): unknown {
  const form = jsonFormOf(type);
  if (form === 'wrapper') return exactSingle(type.fields['value']!.resolve(), json);
  if (!isObject(json) || form === 'value') return exactValues(json);
  return form === 'any' ? exactAny(type, json) : exactMembers(type, json);
}

function exactMembers(type: Type, json: JsonObject): Record<string, unknown> {
  const result = newObject();
  const fields = fieldsByName(type);
  for (const name of Object.keys(json)) {
    const field = fields.get(name);
    const value = field === undefined ? exactValues(json[name]) : exactField(field, json[name]);
    // protobufjs keeps a float that is 0, to keep the sign of -0.
    const isDefault = Object.is(value, 0) && field?.repeated === false && Object.hasOwn(field, 'hasPresence');
    if (!isDefault) result[name] = value;
  }
  return result;
}

/** The message in an Any, whose type `@type` names. protobufjs refuses other types, and what is missing. */
function exactAny(type: Type, { '@type': url, ...members }: JsonObject): unknown {
  if (typeof url !== 'string') return exactValues({ '@type': url, ...members });
  const inner = typeOfUrl(type, url);
  if (inner === undefined) throw new Error(`the type ${JSON.stringify(nameInUrl(url))} is not defined`);
  if (jsonFormOf(inner) === 'members') return { '@type': url, ...exactMembers(inner, members) };
  return { '@type': url, ...members, value: exactJson(inner, members['value']) };
}

/** The full name of a type in the URL of an Any: what is after the last slash. */
export function nameInUrl(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** Returns the type that the URL of an Any names; undefined if it is not defined beside `any`. */
export function typeOfUrl(any: Type, url: string): Type | undefined {
  const name = nameInUrl(url);
  try {
    // The lookup also finds the end of a name, and the root for an empty one.
    const found = any.root.lookupType(name);
    return name !== '' && found.fullName === `.${name}` ? found : undefined;
  } catch {
    return undefined;
  }
}

const byName = new WeakMap<Type, ReadonlyMap<string, Field>>();

/** The fields of `type` by the names that they may have in JSON. */
function fieldsByName(type: Type): ReadonlyMap<string, Field> {
  let fields = byName.get(type);
  if (fields === undefined) {
    fields = new Map(
      type.fieldsArray.flatMap((field) => namesOf(field.resolve()).map((name) => [name, field] as const)),
    );
    byName.set(type, fields);
  }
  return fields;
}

function namesOf(field: Field): readonly string[] {
  if (field.declaringField !== null) return [extensionName(field)];
  return [field.name, field.protoName ?? field.name, field.jsonName ?? field.name];
}

/** The name, in JSON, of a field that extends another message: `[package.name]`. */
export function extensionName({ declaringField }: Field): string {
  const { fullName, protoName, name } = declaringField!;
  return `[${fullName.slice(1, fullName.length - name.length)}${protoName ?? name}]`;
}

/** JSON of any form, with its numbers as doubles. */
function exactValues(json: unknown): unknown {
  if (isList(json)) return json.map(exactValues);
  if (!isObject(json)) return exactNumber(json);
  const result = newObject();
  for (const name of Object.keys(json)) result[name] = exactValues(json[name]);
  return result;
}

function exactField(field: Field, json: unknown): unknown {
  if (field.map && isObject(json)) {
    const result = newObject();
    for (const name of Object.keys(json)) {
      const value = json[name];
      const isEmpty = value === null && isMessage(field) && jsonFormOf(field.resolvedType) !== 'value';
      result[name] = isEmpty ? {} : exactSingle(field, value);
    }
    return result;
  }
  return field.repeated && Array.isArray(json)
    ? json.map((item) => exactSingle(field, item))
    : exactSingle(field, json);
}

function exactSingle(field: Field, json: unknown): unknown {
  if (isMessage(field)) return exactJson(field.resolvedType, json);
  if (is64(field.type)) return exactInt64(field.fullName, json);
  switch (field.type) {
    case 'float': {
      const number = exactFloat(field.fullName, json);
      // The shortest digits of the largest float32 are a little larger than it is.
      const rounded = typeof number === 'number' ? Math.fround(number) : NaN;
      return Number.isFinite(rounded) ? rounded : number;
    }
    case 'double':
      return exactFloat(field.fullName, json);
    case 'bytes':
      if (typeof json === 'string') checkBase64(field.fullName, json);
      return exactNumber(json);
    default:
      return exactNumber(json);
  }
}

/** A number of JSON text as a double. */
function exactNumber(json: unknown): unknown {
  return json instanceof NumberText ? Number(json.text) : json;
}

const NOT_FINITE = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i;

/** Accepts the words for infinity and NaN in any case, with or without a sign, as TensorFlow does. */
function exactFloat(name: string, json: unknown): unknown {
  const text = json instanceof NumberText ? json.text : json;
  if (typeof text !== 'string') return text;
  const [word, sign, nan] = NOT_FINITE.exec(text) ?? [];
  if (word !== undefined) return nan !== undefined ? 'NaN' : sign === '-' ? '-Infinity' : 'Infinity';
  if (!DECIMAL.test(text)) return text;
  const number = Number(text);
  // protobufjs would say that this is not a number.
  if (!Number.isFinite(number)) throw new Error(`${name}: out of range: ${text}`);
  return number;
}

function exactInt64(name: string, json: unknown): unknown {
  const text = json instanceof NumberText ? json.text : json;
  if (typeof text === 'string') {
    const digits = digitsOf(text);
    // With a point or an exponent, most programs write or read it as a double.
    if (digits !== undefined && /[.eE]/.test(text) && !Number.isSafeInteger(Number(digits)))
      throw new Error(`${name}: ${text} may have lost digits: write an integer beyond 2^53 in plain digits`);
    return digits ?? text;
  }
  if (typeof json === 'bigint') return String(json);
  if (typeof json === 'number' && Number.isInteger(json) && !Number.isSafeInteger(json)) {
    throw new Error(`${name}: ${json} may have lost digits: give the text of the JSON, or a string`);
  }
  return json;
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** More digits than any integer of 64 bits has. */
const MAX_DIGITS = 20;

/**
 * Returns the digits of the integer that a decimal represents (`1e2`, `2.0`); undefined if it is not an integer of 64
 * bits.
 */
function digitsOf(decimal: string): string | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(decimal) ?? [];
  if (sign === undefined) return undefined;
  const significant = `${whole}${fraction}`.replace(/^0+/, '');
  if (significant === '') return '0';
  // A regular expression would take quadratic time for zeros that are not at the end.
  let end = significant.length;
  while (significant[end - 1] === '0') end--;
  const digits = significant.slice(0, end);
  const zeros = Number(exponent) - fraction.length + (significant.length - digits.length);
  if (zeros < 0 || digits.length + zeros > MAX_DIGITS) return undefined;
  return `${sign === '-' ? '-' : ''}${digits}${'0'.repeat(zeros)}`;
}

/** Checks standard or URL-safe base64; padding may be missing, but not wrong. */
function checkBase64(name: string, text: string): void {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const length = text.length - padding;
  const whole = padding === 0 ? length % 4 !== 1 : text.length % 4 === 0;
  if (!whole || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw new Error(`${name}: not base64: ${JSON.stringify(text)}`);
}

function isObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof NumberText);
}

function newObject(): Record<string, unknown> {
  return newRecord<unknown>();
}

/** A number as its text. */
class NumberText {
  constructor(readonly text: string) {}

  /** Messages of protobufjs print values as JSON. */
  toJSON(): number {
    return Number(this.text);
  }
}

/**
 * Parses strict JSON; numbers are {@link NumberText}s. @throws SyntaxError if it is not JSON, or an object has
 * duplicate names
 */
function parseJson(text: string): unknown {
  const value = losslessJson().parse(text, null, (number) => new NumberText(number));
  // The parser accepts a name that comes again with an equal value.
  refuseDuplicates(text);
  return value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Checks that no object in `text`, which must be JSON, has duplicate names. @throws SyntaxError */
export function refuseDuplicates(text: string): void {
  const objects: Set<string>[] = [];
  // A regular expression would overflow the stack of its engine in long strings.
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === OPEN) objects.push(new Set());
    else if (unit === CLOSE) objects.pop();
    else if (unit === QUOTE) {
      const end = stringEnd(text, at);
      if (isBeforeColon(text, end)) addName(objects.at(-1), text.slice(at, end));
      at = end - 1;
    }
  }
}

/** `quoted`: the name as it is in JSON. */
function addName(names: Set<string> | undefined, quoted: string): void {
  const name = JSON.parse(quoted) as string;
  if (names?.has(name)) throw new SyntaxError(`The name ${JSON.stringify(name)} comes twice in an object`);
  names?.add(name);
}

/** Returns the position after the string that starts at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isBeforeColon(text: string, start: number): boolean {
  let at = start;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at++;
  return text.charCodeAt(at) === COLON;
}
