/**
 * Parses numbers as TensorFlow does, with blanks around them. Integers have an optional sign and decimal digits. Floats
 * are decimal or hexadecimal numbers, inf, infinity or nan, in upper or lower case; too large ones become infinite, too
 * small ones 0. A float is rounded once, from the exact value to its format, to the nearest, ties to even.
 */

const MAX_INT32_DIGITS = 10;
const MAX_INT64_DIGITS = 19;
/** Integers with up to this many digits are exact as numbers. */
const MAX_SAFE_DIGITS = 15;

/** True for the blanks that may surround a number: space, tab, line feed, vertical tab, form feed, carriage return. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

/** Parses the int32 in `bytes[start .. end)`; undefined if it is not one. */
export function parseInt32(bytes: Uint8Array, start: number, end: number): number | undefined {
  const digits = findDigits(bytes, start, end);
  if (digits === undefined || digits.end - digits.start > MAX_INT32_DIGITS) return undefined;
  const value = smallInteger(bytes, digits);
  return value === (value | 0) ? value : undefined;
}

/** Parses the int64 in `bytes[start .. end)`; undefined if it is not one. */
export function parseInt64(bytes: Uint8Array, start: number, end: number): bigint | undefined {
  const digits = findDigits(bytes, start, end);
  if (digits === undefined) return undefined;
  const count = digits.end - digits.start;
  if (count <= MAX_SAFE_DIGITS) return BigInt(smallInteger(bytes, digits));
  if (count > MAX_INT64_DIGITS) return undefined;
  const size = BigInt(Buffer.from(bytes.subarray(digits.start, digits.end)).toString('latin1'));
  const value = digits.negative ? -size : size;
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

interface Digits {
  readonly negative: boolean;
  /** Index of the first digit that is not a leading zero; equal to `end` for 0. */
  readonly start: number;
  readonly end: number;
}

function findDigits(bytes: Uint8Array, start: number, end: number): Digits | undefined {
  while (start < end && isBlank(bytes[start])) start++;
  while (end > start && isBlank(bytes[end - 1])) end--;
  const negative = bytes[start] === 0x2d;
  if (negative || bytes[start] === 0x2b) start++;
  if (start >= end) return undefined;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte < 0x30 || byte > 0x39) return undefined;
  }
  while (start < end && bytes[start] === 0x30) start++;
  return { negative, start, end };
}

function smallInteger(bytes: Uint8Array, { negative, start, end }: Digits): number {
  let size = 0;
  for (let i = start; i < end; i++) size = size * 10 + (bytes[i]! - 0x30);
  return negative ? 0 - size : size;
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const HEXADECIMAL = /^([+-]?)0x(?=\.?[\da-f])([\da-f]*)(?:\.([\da-f]*))?(?:p([+-]?\d+))?$/i;
const SPECIAL = /^([+-]?)(?:(inf(?:inity)?)|nan(?:\(\w*\))?)$/i;

/** The powers of ten that are exact as float64. */
const EXACT_TENS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Returns the number that is written as a sign and at most 15 digits, one point among them; undefined for all others. Both
 * the digits and the power of ten are exact as float64 then, so the one division rounds once (W. D. Clinger, How to read
 * floating point numbers accurately).
 */
function shortDecimal(bytes: Uint8Array, start: number, end: number): number | undefined {
  const negative = bytes[start] === 0x2d;
  const first = negative ? start + 1 : start;
  const size = end - first;
  if (size < 1 || size > MAX_SAFE_DIGITS + 1) return undefined;
  let digits = 0;
  let point = end;
  for (let i = first; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === 0x2e && point === end) point = i;
    else if (byte >= 0x30 && byte <= 0x39) digits = digits * 10 + (byte - 0x30);
    else return undefined;
  }
  const count = point === end ? size : size - 1;
  if (count < 1 || count > MAX_SAFE_DIGITS) return undefined;
  const value = point === end ? digits : digits / EXACT_TENS[end - 1 - point]!;
  return negative ? -value : value;
}

/** Parses the float64 in `bytes[start .. end)`; undefined if it is not one. */
export function parseFloat64(bytes: Uint8Array, start: number, end: number): number | undefined {
  const short = shortDecimal(bytes, start, end);
  if (short !== undefined) return short;
  const text = trimmed(bytes, start, end);
  return DECIMAL.test(text) ? Number(text) : parseOther(text, FLOAT64);
}

/** Parses the float32 in `bytes[start .. end)`; undefined if it is not one. */
export function parseFloat32(bytes: Uint8Array, start: number, end: number): number | undefined {
  const text = trimmed(bytes, start, end);
  return DECIMAL.test(text) ? roundToFloat32(text) : parseOther(text, FLOAT32);
}

function trimmed(bytes: Uint8Array, start: number, end: number): string {
  while (start < end && isBlank(bytes[start])) start++;
  while (end > start && isBlank(bytes[end - 1])) end--;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

function parseOther(text: string, format: BinaryFormat): number | undefined {
  const special = SPECIAL.exec(text);
  if (special !== null) return special[2] === undefined ? NaN : special[1] === '-' ? -Infinity : Infinity;
  const hexadecimal = HEXADECIMAL.exec(text);
  if (hexadecimal === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = hexadecimal;
  const size = hexadecimalValue(whole + fraction, Number(exponent) - 4 * fraction.length, format);
  return sign === '-' ? -size : size;
}

/** Number of hexadecimal digits that are kept. For later digits, it only matters if one of them is not 0. */
const KEPT_HEX_DIGITS = 32;

/** Returns `digits` times 2 to the power `exponent`, rounded to `format`. */
function hexadecimalValue(digits: string, exponent: number, format: BinaryFormat): number {
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return 0;
  const dropped = significant.slice(KEPT_HEX_DIGITS);
  const kept = BigInt(`0x${significant.slice(0, KEPT_HEX_DIGITS)}`);
  return roundBinary(kept, exponent + 4 * dropped.length, /[^0]/.test(dropped), format);
}

/** A binary floating-point format. */
interface BinaryFormat {
  /** Bits of the significand. */
  readonly precision: number;
  /** The smallest positive value is 2 to this power. */
  readonly smallestExponent: number;
  /** The largest finite value. */
  readonly largest: number;
}

const FLOAT64: BinaryFormat = { precision: 53, smallestExponent: -1074, largest: Number.MAX_VALUE };
const FLOAT32: BinaryFormat = {
  precision: 24,
  smallestExponent: -149,
  largest: (2 - 2 ** -23) * 2 ** 127,
};

/** A bound above the exponents of all formats. */
const MAX_EXPONENT = 2000;

/**
 * Returns `significand` times 2 to the power `exponent`, rounded to `format`. `significand` is positive. `sticky`: the
 * exact value is a little larger; `significand` then has many more bits than the format's precision.
 */
function roundBinary(significand: bigint, exponent: number, sticky: boolean, format: BinaryFormat): number {
  const bits = significand.toString(2).length;
  if (bits + exponent > MAX_EXPONENT) return Infinity;
  const unit = Math.max(bits + exponent - format.precision, format.smallestExponent);
  const shift = unit - exponent;
  if (shift <= 0) return inFormat(Number(significand) * 2 ** exponent, format);
  // The value is less than half of the unit.
  if (shift > bits) return 0;
  const width = BigInt(shift);
  let quotient = significand >> width;
  const rest = significand - (quotient << width);
  const half = 1n << (width - 1n);
  const odd = (quotient & 1n) === 1n;
  if (rest > half || (rest === half && (sticky || odd))) quotient += 1n;
  return inFormat(Number(quotient) * 2 ** unit, format);
}

function inFormat(value: number, { largest }: BinaryFormat): number {
  return value > largest ? Infinity : value;
}

/** Returns the float32 nearest to the decimal number `text`, which must be a JavaScript number literal. */
function roundToFloat32(text: string): number {
  const value = Number(text);
  const rounded = Math.fround(value);
  const size = Math.abs(value);
  // Rounding twice is wrong only if the double is halfway between two float32s and the decimal is not.
  if (rounded === value || !isMidpoint(size)) return rounded;
  const order = compareDecimal(text, size);
  if (order === 0) return rounded;
  const right = Math.fround(nextDouble(size, order));
  return value < 0 ? -right : right;
}

const SMALLEST_NORMAL = 2 ** -126;
const BEYOND_FLOAT32 = 2 ** 128;
/** Every midpoint between two float32s is a multiple of this. */
const HALF_SMALLEST = 2 ** -150;

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

function bitsOf(value: number): bigint {
  double[0] = value;
  return bits[0]!;
}

function isMidpoint(size: number): boolean {
  if (size < SMALLEST_NORMAL) return (size / HALF_SMALLEST) % 2 === 1;
  return size < BEYOND_FLOAT32 && (bitsOf(size) & 0x1fff_ffffn) === 0x1000_0000n;
}

/** Returns the next double above `size` for an `order` of 1, or below it for -1. */
function nextDouble(size: number, order: 1 | -1): number {
  bits[0] = bitsOf(size) + BigInt(order);
  return double[0]!;
}

/** A midpoint has at most 113 significant digits. For later digits, it only matters if one of them is not 0. */
const KEPT_DIGITS = 128;

/** Compares the absolute value of the decimal number `text` with the midpoint `size`. */
function compareDecimal(text: string, size: number): -1 | 0 | 1 {
  const [, whole = '', fraction = '', exponent = '0'] = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const significant = (whole + fraction).replace(/^0+/, '');
  const dropped = significant.slice(KEPT_DIGITS);
  const scale = Number(exponent) - fraction.length + dropped.length;
  let left = BigInt(significant.slice(0, KEPT_DIGITS)) << 150n;
  let right = BigInt(size / HALF_SMALLEST);
  if (scale >= 0) left *= 10n ** BigInt(scale);
  else right *= 10n ** BigInt(-scale);
  if (left !== right) return left < right ? -1 : 1;
  return /[^0]/.test(dropped) ? 1 : 0;
}
