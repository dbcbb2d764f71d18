/**
 * Converts single values to JSON exactly: float32 to the fewest digits that are read back as the same float32 (`"NaN"`,
 * `"Infinity"`, `"-Infinity"` and `"-0"` are strings), int64 to a string of decimal digits whatever its size, as in
 * protobuf's JSON (numbers, with `int64: 'number'`, stay numbers), bytes to a string if they are printable UTF-8, else
 * to `{ base64 }`.
 */
import { isUtf8 } from 'node:buffer';

import { unsharedBytes } from '../io';
import type { DType, Scalar } from './types';

const SMALLEST_NORMAL_FLOAT32 = 2 ** -126;
/** Up to this number, float32 can represent every integer. */
const MAX_DENSE = 2 ** 24;
/** The powers of ten that doubles hold exactly. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Returns a value of `dtype` for JSON. */
export function scalarJson(dtype: DType, value: Scalar): unknown {
  switch (dtype) {
    case 'float32':
      return floatJson(Number(value));
    case 'int64':
      return typeof value === 'bigint' ? String(value) : value;
    case 'bytes':
      return typeof value === 'object' ? bytesJson(value) : value;
    case 'text':
      return value;
  }
}

export function bytesJson(given: Uint8Array): string | { base64: string } {
  const text = shortText(given, 0, given.length);
  if (text !== undefined) return text;
  const value = unsharedBytes(given);
  return printableText(value) ?? { base64: bufferOf(value).toString('base64') };
}

/** Returns a number for JSON that may be a float32 or a double; integers are already exact. */
export function numberJson(value: number): number | string {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : floatJson(value);
}

/** Maximum number of bytes for which a loop is faster than a decoder. */
const SHORT = 24;

/**
 * Returns the text of the bytes from `begin` to before `end` if they are few and printable ASCII, else undefined. Reads
 * each byte once, because other threads may change it.
 */
export function shortText(bytes: Uint8Array, begin: number, end: number): string | undefined {
  if (!(begin >= 0 && begin <= end && end - begin <= SHORT)) return undefined;
  let text = '';
  for (let i = begin; i < end; i++) {
    const byte = bytes[i];
    if (byte === undefined || byte < 0x20 || byte >= 0x7f) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Returns the text of printable UTF-8; undefined for other bytes. */
export function printableText(value: Uint8Array): string | undefined {
  return isPrintable(value) ? bufferOf(value).toString('utf8') : undefined;
}

function bufferOf(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** Returns a float32, or a number that is not a float32, for JSON. */
export function floatJson(value: number): number | string {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return String(value);
  return Math.fround(value) === value ? shortestFloat32(value) : value;
}

/** True if `value` is valid UTF-8 without control characters other than tab, line feed and carriage return. */
export function isPrintable(value: Uint8Array): boolean {
  let ascii = true;
  for (let i = 0; i < value.length; i++) {
    const byte = value[i] ?? 0;
    if (byte < 0x20 ? byte !== 0x09 && byte !== 0x0a && byte !== 0x0d : byte === 0x7f) return false;
    if (byte >= 0x80) {
      // The C1 controls U+0080 to U+009F are encoded as C2 80 to C2 9F.
      if (byte === 0xc2 && (value[i + 1] ?? 0) < 0xa0) return false;
      ascii = false;
    }
  }
  return ascii || isUtf8(value);
}

/** The largest float32. */
export const MAX_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

/**
 * Returns the number with the fewest digits that rounds to the float32 `value`. Returns the largest float32 unchanged:
 * its shortest form, 3.4028235e38, is larger, and strict readers of float32 (Python's protobuf) reject it.
 */
export function shortestFloat32(value: number): number {
  // Integers below 2^24 are their own shortest form, because float32 can represent all of them.
  if ((value > -MAX_DENSE && value < MAX_DENSE && Math.trunc(value) === value) || !Number.isFinite(value)) return value;
  return value < 0 ? -shortestPositive(-value) : shortestPositive(value);
}

function shortestPositive(value: number): number {
  if (value === MAX_FLOAT32) return value;
  // Decimals of up to 6 digits survive conversion to a normal float32 and back, so 6 digits also find shorter forms;
  // subnormal numbers have fewer digits. 9 digits suffice for every float32.
  const fewest = value < SMALLEST_NORMAL_FLOAT32 ? 1 : 6;
  const exponent = decimalExponent(value);
  for (let digits = fewest; digits < 9; digits++) {
    const candidate = rounded(value, digits, digits - 1 - exponent);
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}

/** Rounds `value` to `digits` significant digits, of which `decimals` are after the point. */
function rounded(value: number, digits: number, decimals: number): number {
  // Divisor and rounded product are exact, so the quotient is the double nearest to the decimal, like the result of
  // Number(text), at a tenth of its cost.
  const power = EXACT_POWERS[decimals];
  return power === undefined ? Number(value.toPrecision(digits)) : Math.round(value * power) / power;
}

/** The smallest decimal exponent of a float32, and the powers of ten from there up to the first above all float32. */
const MIN_EXPONENT = -46;
const POWERS = Float64Array.from({ length: 40 - MIN_EXPONENT }, (_, i) => Number(`1e${i + MIN_EXPONENT}`));

const float = new Float32Array(1);
const floatBits = new Int32Array(float.buffer);

/** Returns the largest e with 10^e <= `value`, a positive float32. */
function decimalExponent(value: number): number {
  float[0] = value;
  const binaryExponent = (floatBits[0]! >> 23) - 127;
  // For subnormal numbers, the search starts at the smallest exponent.
  let exponent = binaryExponent === -127 ? MIN_EXPONENT : Math.floor(binaryExponent * Math.LOG10E * Math.LN2);
  while (value >= POWERS[exponent + 1 - MIN_EXPONENT]!) exponent++;
  return exponent;
}
