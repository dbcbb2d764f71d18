import { types } from 'node:util';

import {
  checkChoice,
  invalidArgType,
  invalidArgValue,
  isFalseArray,
  isInstance,
  isIterable,
  isRevoked,
  viewOf,
} from '../base';
import { givenLength, unsharedBytes } from '../io';
import { BytesArray, hasLoneSurrogate, isBytesArray } from '../tensor';

/** A byte string. Text means its UTF-8 bytes. */
export type ByteString = string | Uint8Array;

/** A list of byte strings: an array, a `RecordBatch`, a `BytesArray`, or anything that iterates over `Uint8Array`s. */
export type ByteStrings = readonly ByteString[] | Iterable<Uint8Array>;

/** True if `value` is one byte string. */
export function isByteString(value: unknown): value is ByteString {
  return typeof value === 'string' || types.isUint8Array(value);
}

/** Returns argument `name` as bytes. @throws TypeError, also for bytes whose memory is detached. */
export function bytesOf(name: string, value: unknown): Uint8Array {
  if (typeof value === 'string') {
    if (hasLoneSurrogate(value)) throw invalidArgValue(name, 'text without lone surrogates, or a Uint8Array', value);
    return Buffer.from(value);
  }
  if (!types.isUint8Array(value)) throw invalidArgType(name, 'a string or a Uint8Array', value);
  const length = givenLength(name, value);
  // A subclass or an own property may report a wrong length.
  const bytes = value.constructor === Uint8Array && value.length === length ? value : viewOf(value, 0, length);
  return unsharedBytes(bytes);
}

/** True for a Proxy of a column, whose elements cannot be listed, and for a revoked Proxy. */
function isProxyOfColumn(value: object): boolean {
  return isRevoked(value) || isFalseArray(value) || (isInstance(value, BytesArray) && !isBytesArray(value));
}

/** Returns the elements of argument `name` as bytes. One byte string is not a list. @throws TypeError */
export function byteStringsOf(name: string, value: unknown): Uint8Array[] {
  const isOther = isByteString(value) || typeof value !== 'object' || value === null || isProxyOfColumn(value);
  if (isOther || !isIterable(value)) {
    throw invalidArgType(name, 'a list of strings or Uint8Arrays', value);
  }
  return Array.from(value as Iterable<unknown>, (element, i) => bytesOf(`${name}[${i}]`, element));
}

/** Returns `value`, one of `choices`. @throws TypeError, also for undefined. */
export function checkRequiredChoice<T extends string>(name: string, value: unknown, choices: readonly T[]): T {
  if (value === undefined) {
    throw invalidArgType(name, `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`, value);
  }
  return checkChoice<T>(name, value, choices, value as T);
}
