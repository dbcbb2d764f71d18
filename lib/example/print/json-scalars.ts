/** JSON of single values: exact, in one line, and without a byte that a terminal would obey. */
import { shortestFloat32 } from '../tensor';

/** The parts of an int64 as protobufjs gives them. */
export interface Int64Parts {
  readonly low: number;
  readonly high: number;
}

/** A JSON integer of any size: readers that keep 64 bits (lossless-json, Python, jq 1.7) get every digit. */
export function int64Json(value: number | Int64Parts): string {
  if (typeof value === 'number') return String(value);
  const { high } = value;
  const low = value.low >>> 0;
  const exactAsNumber = high >= -0x20_0000 && high < 0x20_0000;
  return String(exactAsNumber ? high * 2 ** 32 + low : (BigInt(high) << 32n) + BigInt(low));
}

/**
 * The shortest digits that read back as the same float32, always with a point or an exponent, so that floats are told
 * from int64. What JSON has no number for is a string: "NaN", "Infinity", "-Infinity".
 */
export function float32Json(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  const digits = Number.isInteger(size) && size < 2 ** 24 ? String(size) : String(shortestFloat32(size));
  return `${value < 0 ? '-' : ''}${digits}${/[.e]/.test(digits) ? '' : '.0'}`;
}

/** The same for doubles, whose shortest digits JavaScript knows. */
export function float64Json(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}

// DEL and the C1 controls, which terminals obey, and the two separators that end a line in old JavaScript.
const UNSAFE_IN_OUTPUT = /[\x7f-\x9f\u2028\u2029]/g;

/** A JSON string; control characters are escaped, the C1 ones too. */
export function textJson(text: string): string {
  return JSON.stringify(text).replace(
    UNSAFE_IN_OUTPUT,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
