/** Converts literals to stored values. Only doubles are rounded, to float32. */
import { isUtf8 } from 'node:buffer';
import { TextEncoder, types } from 'node:util';

import type { Bytes } from '../base';
import type { DType, Scalars } from './types';

/** The stored value of a literal, or the expected kind of value as text that follows "must be". */
type Converted<D extends DType> = { readonly value: Scalars[D] } | { readonly wanted: string };

/**
 * Converts `literal` to a value of `dtype`: int64 to bigint, float32 rounded to float32, bytes to a copy (a string to
 * UTF-8), text to a string (bytes from UTF-8).
 */
export function convertLiteral<D extends DType>(dtype: D, literal: unknown): Converted<D>;
export function convertLiteral(dtype: DType, literal: unknown): Converted<DType> {
  switch (dtype) {
    case 'float32':
      return convertFloat(literal);
    case 'int64':
      return convertInt64(literal);
    case 'bytes':
      return convertBytes(literal);
    case 'text':
      return convertText(literal);
  }
}

/** Returns the value for a missing one: 0, or no bytes. */
export function zeroOf<D extends DType>(dtype: D): Scalars[D];
export function zeroOf(dtype: DType): Scalars[DType] {
  switch (dtype) {
    case 'float32':
      return 0;
    case 'int64':
      return 0n;
    case 'bytes':
      return new Uint8Array(0);
    case 'text':
      return '';
  }
}

/** Returns the UTF-8 of a string, which must not have lone surrogates, or a copy of bytes. */
export function toBytes(value: string | Uint8Array): Bytes {
  return typeof value === 'string' ? new TextEncoder().encode(value) : new Uint8Array(value);
}

/** True if `text` has a lone surrogate, which UTF-8 cannot encode. */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed();
}

function convertFloat(literal: unknown): Converted<'float32'> {
  if (typeof literal !== 'number') return { wanted: 'a number' };
  const value = Math.fround(literal);
  if (Number.isFinite(literal) && !Number.isFinite(value)) return { wanted: 'a number that float32 can hold' };
  return { value };
}

function convertInt64(literal: unknown): Converted<'int64'> {
  if (typeof literal === 'boolean') return { value: literal ? 1n : 0n };
  if (typeof literal === 'number') {
    if (Number.isSafeInteger(literal)) return { value: BigInt(literal) };
    return { wanted: Number.isInteger(literal) ? 'exact: beyond ±(2^53 − 1) write a bigint' : 'an integer' };
  }
  if (typeof literal !== 'bigint') return { wanted: 'an integer (number, bigint or boolean)' };
  return BigInt.asIntN(64, literal) === literal ? { value: literal } : { wanted: 'an integer of 64 bits' };
}

function convertBytes(literal: unknown): Converted<'bytes'> {
  if (typeof literal === 'string') {
    return hasLoneSurrogate(literal)
      ? { wanted: 'text without lone surrogates, or a Uint8Array' }
      : { value: toBytes(literal) };
  }
  return types.isUint8Array(literal) ? { value: toBytes(literal) } : { wanted: 'a string or a Uint8Array' };
}

function convertText(literal: unknown): Converted<'text'> {
  if (typeof literal === 'string') {
    return hasLoneSurrogate(literal) ? { wanted: 'text without lone surrogates' } : { value: literal };
  }
  if (!types.isUint8Array(literal)) return { wanted: 'a string or a Uint8Array' };
  const own = toBytes(literal);
  return isUtf8(own) ? { value: Buffer.from(own.buffer).toString('utf8') } : { wanted: 'text, or bytes in UTF-8' };
}
