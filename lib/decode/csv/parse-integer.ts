/** Integers as TensorFlow reads them: blanks around, a sign, decimal digits. */

const MAX_INT32_DIGITS = 10;
const MAX_INT64_DIGITS = 19;
/** Integers of this many digits are exact as numbers. */
const MAX_SAFE_DIGITS = 15;

/** What may lie around a number: space, tab, line feed, vertical tab, form feed, carriage return. */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

/** The int32 in `bytes[start .. end)`, or undefined when there is none. */
export function parseInt32(bytes: Uint8Array, start: number, end: number): number | undefined {
  const digits = findDigits(bytes, start, end);
  if (digits === undefined || digits.end - digits.start > MAX_INT32_DIGITS) return undefined;
  const value = smallInteger(bytes, digits);
  return value === (value | 0) ? value : undefined;
}

/** The int64 in `bytes[start .. end)`, or undefined when there is none. */
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
  /** Behind leading zeros: `start` is `end` for 0. */
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
