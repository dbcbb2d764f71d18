/**
 * Floats as TensorFlow reads them: blanks around, decimal and hexadecimal numbers, inf, infinity and nan in any case. What
 * is too large becomes infinite, what is too small 0. Each format is rounded to once, from the exact value.
 */
import { isBlank } from './parse-integer';
import { FLOAT32, FLOAT64, roundBinary, roundToFloat32, type BinaryFormat } from './round-float';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const HEXADECIMAL = /^([+-]?)0x(?=\.?[\da-f])([\da-f]*)(?:\.([\da-f]*))?(?:p([+-]?\d+))?$/i;
const SPECIAL = /^([+-]?)(?:(inf(?:inity)?)|nan(?:\(\w*\))?)$/i;

/** The float64 in `bytes[start .. end)`, or undefined when there is none. */
export function parseFloat64(bytes: Uint8Array, start: number, end: number): number | undefined {
  const text = trimmed(bytes, start, end);
  return DECIMAL.test(text) ? Number(text) : parseOther(text, FLOAT64);
}

/** The float32 in `bytes[start .. end)`, or undefined when there is none. */
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

/** Of digits beyond these it only counts whether one is not 0. */
const KEPT_DIGITS = 32;

/** `digits` times 2 to the power `exponent`. */
function hexadecimalValue(digits: string, exponent: number, format: BinaryFormat): number {
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return 0;
  const dropped = significant.slice(KEPT_DIGITS);
  const kept = BigInt(`0x${significant.slice(0, KEPT_DIGITS)}`);
  return roundBinary(kept, exponent + 4 * dropped.length, /[^0]/.test(dropped), format);
}
