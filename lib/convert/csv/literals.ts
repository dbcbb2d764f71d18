/** The kinds of values, by the text of fields, if no spec gives them. */
import { parseFloat32, parseInt64 } from '../../decode';
import type { FeatureKind } from '../../example';
import { MAX_FLOAT32, shortestFloat32 } from '../../tensor';

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
const UPPER_X = 0x58;
const LOWER_X = 0x78;
/** Numbers of up to this many digits always fit int64. */
const SURE_DIGITS = 18;

/** Words for floats: those that this package writes, and those of Python. */
const WORDS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity', 'nan', 'inf', '-inf']);
const LONGEST_WORD = 9;
/** Numbers in longer texts are not recognised: they are text. */
const LONGEST_NUMBER = 400;
const INTEGER = /^-?[1-9]\d{18}$/;
const DECIMAL = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The kind of a field without quotes: int64 for digits; float for decimals within float32 and for words of floats; else
 * bytes. Numbers with leading zeros or plus signs are bytes, because int64 would lose these; so are integers beyond
 * int64.
 */
export function literalKind(bytes: Uint8Array, start: number, end: number): FeatureKind {
  const first = bytes[start];
  let at = first === MINUS ? start + 1 : start;
  const digits = at;
  while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  const count = at - digits;
  const isWhole = at === end && count > 0;
  if (isWhole && count <= SURE_DIGITS) {
    if (bytes[digits] !== ZERO) return 'int64';
    return count === 1 && digits === start ? 'int64' : 'bytes';
  }
  const size = end - start;
  if (size > LONGEST_NUMBER) return 'bytes';
  if (count === 0 && bytes[at] !== 0x2e) {
    return size <= LONGEST_WORD && WORDS.has(textOf(bytes, start, end)) ? 'float' : 'bytes';
  }
  const text = textOf(bytes, start, end);
  if (isWhole) return INTEGER.test(text) && parseInt64(bytes, start, end) !== undefined ? 'int64' : 'bytes';
  return DECIMAL.test(text) && Number.isFinite(Math.fround(Number(text))) ? 'float' : 'bytes';
}

/** The kind of a column of kind `kind` after a field of kind `field`. */
export function widened(kind: FeatureKind | undefined, field: FeatureKind): FeatureKind {
  if (kind === undefined || kind === field) return field;
  return kind === 'bytes' || field === 'bytes' ? 'bytes' : 'float';
}

/**
 * The number in a field, rounded once to float32. Accepts blanks around it, any letter case, and hexadecimal digits.
 * Undefined for other text, and for a number beyond float32.
 */
export function floatOf(bytes: Uint8Array, start: number, end: number): number | undefined {
  const value = parseFloat32(bytes, start, end);
  const isWord = value === Infinity || value === -Infinity;
  return isWord && !/^\s*[+-]?inf/i.test(textOf(bytes, start, end)) ? undefined : value;
}

/** Decimals of up to this many digits differ as float32, too, unless they are tiny. */
const SURE_FLOAT_DIGITS = 6;
/** Maximum number of digits in the shortest decimal of a float32. */
const MAX_FLOAT_DIGITS = 9;
const SMALLEST_NORMAL = 2 ** -126;
/** The shortest decimal of the largest float32: other programs write it, although it is larger than that. */
const SHORTEST_OF_LARGEST = 3.4028235e38;

/** True if the number in a field differs from the shortest decimal of `value`, its float32. */
export function isRounded(bytes: Uint8Array, start: number, end: number, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const digits = significantDigits(bytes, start, end);
  const size = Math.abs(value);
  if (digits <= SURE_FLOAT_DIGITS && size >= SMALLEST_NORMAL) return false;
  if (digits > MAX_FLOAT_DIGITS && size !== MAX_FLOAT32) return true;
  const text = textOf(bytes, start, end).trim();
  // Decimals of so few digits differ as float64, too.
  const number = Number(text);
  // Hexadecimal numbers have no shortest decimal.
  if (Number.isNaN(number) || /x/i.test(text)) return hexadecimal(text) !== value;
  return number !== shortestFloat32(value) && (size !== MAX_FLOAT32 || Math.abs(number) !== SHORTEST_OF_LARGEST);
}

/**
 * Number of a decimal's digits without leading and trailing zeros. For hexadecimal digits: enough to be checked
 * closely.
 */
function significantDigits(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  let significant = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === UPPER_E || byte === LOWER_E) break;
    if (byte === UPPER_X || byte === LOWER_X) return MAX_FLOAT_DIGITS;
    if (byte < ZERO || byte > NINE || (byte === ZERO && count === 0)) continue;
    count++;
    if (byte !== ZERO) significant = count;
  }
  return significant;
}

/** The number in C's notation `0x1.8p3`; NaN for other text, and for more digits than a double has. */
function hexadecimal(text: string): number {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole + fraction === '') return NaN;
  const digits = BigInt(`0x${whole}${fraction}`);
  const size = Number(digits);
  if (BigInt(size) !== digits) return NaN;
  return (sign === '-' ? -1 : 1) * size * 2 ** (Number(exponent) - 4 * fraction.length);
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
