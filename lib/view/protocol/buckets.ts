/**
 * Buckets of a curve as numbers: consecutive values of a log in one row of float64. A page draws the least and the greatest value
 * of each, and smooths their means.
 */

// The columns of a bucket. Number of its finite values; 0 for a gap, which has a step and a time only.
export const COUNT = 0;
/** Mean of the finite values. */
export const MEAN = 1;
/** Step and time (seconds since 1970) of the last value. */
export const STEP = 2;
export const TIME = 3;
/** The least value, with its step and its time. */
export const MIN = 4;
export const MIN_STEP = 5;
export const MIN_TIME = 6;
/** The greatest value, with its step and its time. */
export const MAX = 7;
export const MAX_STEP = 8;
export const MAX_TIME = 9;
/** Number of columns. */
export const BUCKET_WIDTH = 10;

const FLOAT_BYTES = 8;

/** Encodes `numbers`: little-endian, on every machine. */
export function packNumbers(numbers: Float64Array): Uint8Array {
  const bytes = new Uint8Array(numbers.length * FLOAT_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < numbers.length; i++) view.setFloat64(i * FLOAT_BYTES, numbers[i]!, true);
  return bytes;
}

/** Decodes what `packNumbers` returns. */
export function unpackNumbers({ buffer, byteOffset, length }: Uint8Array): Float64Array {
  const view = new DataView(buffer, byteOffset, length);
  const numbers = new Float64Array(Math.floor(length / FLOAT_BYTES));
  for (let i = 0; i < numbers.length; i++) numbers[i] = view.getFloat64(i * FLOAT_BYTES, true);
  return numbers;
}
