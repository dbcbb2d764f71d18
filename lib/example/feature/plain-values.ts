/**
 * Plain values in the form of `exampleToObject`, `toObject` and JSON: digits, words for floats, and base64 in place of
 * values.
 */
import { invalidArgValue, isList, isRevoked } from '../../base';

import type { Base64 } from '../../tensor';
import type { FeatureKind } from '../message';

/** An int64 as decimal digits. */
export type Int64Digits = `${bigint}`;

/** A float that JSON cannot represent as a number. */
export type FloatWord = 'NaN' | 'Infinity' | '-Infinity' | '-0';

/** Plain values of a kind, in addition to those that `int64()`, `float()` and `bytes()` accept. */
export interface PlainValues {
  /** Digits of one value, or a list. */
  int64: Int64Digits | readonly (number | bigint | boolean | Int64Digits)[];
  /** The word of one value, or a list. */
  float: FloatWord | readonly (number | FloatWord)[];
  /** One value in base64, or a list. */
  bytes: Base64 | readonly (string | Uint8Array | Base64)[];
}

/** Returns the integer that has the decimal digits `text`; undefined for other texts. Far longer ones take long to convert. */
export function integerOf(text: string): bigint | undefined {
  return /^-?\d{1,40}$/.test(text) ? BigInt(text) : undefined;
}

const FLOAT_WORDS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity', '-0'] satisfies FloatWord[];

/** Plain values of a kind. */
interface PlainKind {
  readonly type: 'string' | 'object';
  /** Converts a plain value; returns undefined for other values. @throws TypeError for invalid base64 */
  convert(name: string, value: unknown): unknown;
}

const KINDS: Readonly<Record<FeatureKind, PlainKind>> = {
  int64: { type: 'string', convert: (_, value) => (typeof value === 'string' ? integerOf(value) : undefined) },
  float: { type: 'string', convert: (_, value) => (FLOAT_WORDS.includes(value) ? Number(value) : undefined) },
  bytes: { type: 'object', convert: (name, value) => (isBase64(value) ? bytesOf(name, value) : undefined) },
};

/** Returns `values` with plain values converted; `values` itself if there are none. */
export function withoutPlain(name: string, kind: FeatureKind, values: unknown): unknown {
  const plain = KINDS[kind];
  if (!isList(values)) return plain.convert(name, values) ?? values;
  let converted: unknown[] | undefined;
  for (let i = 0; i < values.length; i++) {
    const value: unknown = values[i];
    if (typeof value !== plain.type) continue;
    const found = plain.convert(`${name}[${i}]`, value);
    if (found === undefined) continue;
    converted ??= Array.from<unknown>(values);
    converted[i] = found;
  }
  return converted ?? values;
}

function isBase64(value: unknown): value is Base64 {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || isRevoked(value)) return false;
  const names = Object.keys(value);
  return names.length === 1 && names[0] === 'base64';
}

function bytesOf(name: string, { base64 }: Base64): Uint8Array {
  const bytes = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined;
  if (bytes?.toString('base64') === base64) return bytes;
  throw invalidArgValue(`${name}.base64`, 'base64 with padding', base64);
}
