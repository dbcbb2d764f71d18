/** Prints values for `util.inspect`: a value, the first of a list, a shape. */
import { unsharedBytes } from '../io';
import { isPrintable, shortestFloat32 } from './json';
import type { Scalar } from './types';

/** Maximum number of values in a preview. */
export const MAX_VALUES = 6;
const MAX_BYTES = 40;

/** A column, or the values of a column of one class. */
type Values =
  Float32Array | Float64Array | BigInt64Array | { readonly length: number; at(index: number): Scalar | undefined };

/** Prints a list, such as `[7n, null, … 5 more]`. `isNull` returns true if value `i` is missing. */
export function previewList(data: Values, isNull?: (i: number) => boolean): string {
  const { length } = data;
  const shown = Array.from({ length: Math.min(length, MAX_VALUES) }, (_, i) =>
    isNull?.(i) === true ? 'null' : previewAt(data, i),
  );
  if (length > shown.length) shown.push(`… ${length - shown.length} more`);
  return `[${shown.join(', ')}]`;
}

/** Prints value `i` of `data`; `…` if its memory was transferred. */
export function previewAt(data: Values, i: number): string {
  // Not `at`, which throws for a typed array without memory.
  const value = ArrayBuffer.isView(data) ? data[i] : data.at(i);
  if (value === undefined) return '…';
  return data instanceof Float64Array ? String(value) : previewScalar(value);
}

/** Prints a number with the fewest digits of float32, an int64 with its `n`, bytes as text or in hexadecimal. */
function previewScalar(given: Scalar): string {
  if (typeof given === 'string') {
    const more = given.length > MAX_BYTES ? `… ${given.length} characters` : '';
    return `${JSON.stringify(given.slice(0, MAX_BYTES))}${more}`;
  }
  const value = given instanceof Uint8Array ? unsharedBytes(given) : given;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return '-0';
    return String(Math.fround(value) === value ? shortestFloat32(value) : value);
  }
  const more = value.length > MAX_BYTES ? `… ${value.length} bytes` : '';
  const whole = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (isPrintable(value)) return `${JSON.stringify(whole.toString('utf8').slice(0, MAX_BYTES))}${more}`;
  return `<${whole.toString('hex', 0, MAX_BYTES / 2)}${value.length > MAX_BYTES / 2 ? `… ${value.length} bytes` : ''}>`;
}

/** Prints a shape, such as `[2, 3]`; a dimension whose size differs between rows is `null`, printed as `?`. */
export function previewShape(shape: readonly (number | null)[]): string {
  return `[${shape.map((size) => size ?? '?').join(', ')}]`;
}
