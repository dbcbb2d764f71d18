/** Literals, turned into the value that is stored. Nothing is rounded but doubles to float32. */
import { isUtf8 } from 'node:buffer';
import { TextEncoder, types } from 'node:util';

import type { Bytes } from '../base';
import type { DType, Scalars } from './types';

/** The stored value of a literal, or why it is none, to go on after "must be". */
type Converted<D extends DType> = { readonly value: Scalars[D] } | { readonly wanted: string };

/**
 * `literal` as a value of `dtype`: int64 as bigint, float32 rounded to float32, bytes as a copy of its own (a string as
 * UTF-8), text as a string (bytes from UTF-8).
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

/** The value that stands for an absent one: 0, or no bytes. */
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

/** UTF-8 of a string; a copy of bytes. Lone surrogates must have been refused. */
export function toBytes(value: string | Uint8Array): Bytes {
  return typeof value === 'string' ? new TextEncoder().encode(value) : new Uint8Array(value);
}

/** True if `text` has a surrogate without its other half, for which UTF-8 has no bytes. */
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
