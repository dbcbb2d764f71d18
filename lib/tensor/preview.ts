/** The first values of a tensor, for `util.inspect`. */
import { unsharedBytes } from '../record';
import { isPrintable } from './json';
import { shortestFloat32 } from './json';
import type { RowSplits } from './row-splits';
import type { Column, Scalar } from './types';

const MAX_VALUES = 6;
const MAX_BYTES = 40;

/** `[7n, null, … 5 more]`. `isNull`: of value `i`. */
export function previewList(data: Column, isNull?: (i: number) => boolean): string {
  const { length } = data;
  const shown = Array.from({ length: Math.min(length, MAX_VALUES) }, (_, i) =>
    isNull?.(i) === true ? 'null' : previewAt(data, i),
  );
  if (length > shown.length) shown.push(`… ${length - shown.length} more`);
  return `[${shown.join(', ')}]`;
}

/** Value `i` of `data`; `…` where its memory was transferred away. */
export function previewAt(data: Column, i: number): string {
  // `at` of a typed array would throw then.
  const value = ArrayBuffer.isView(data) ? data[i] : data.at(i);
  if (value === undefined) return '…';
  return data instanceof Float64Array ? String(value) : previewScalar(value);
}

/** A number as float32 shows it best, an int64 with its `n`, bytes as text or in hexadecimal. */
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

/** `[2, 3]`; a dimension whose size differs from row to row is `null`, shown as `?`. */
export function previewShape(shape: readonly (number | null)[]): string {
  return `[${shape.map((size) => size ?? '?').join(', ')}]`;
}

interface Dense {
  readonly shape: readonly number[];
  readonly data: Column;
}

/** The first values of a tensor, nested as `shape` says: `5n`, `[1, 2, … 7 more]`, `[[1, 2], [3, …]]`. */
export function previewDense({ shape, data }: Dense): string {
  if (shape.length === 0) return previewAt(data, 0);
  if (shape.length > 1) return previewRagged([], { shape, data });
  return previewList(data);
}

/** Text such as `[[10n], [], [20n, …]]`; values with more dimensions are nested further. */
export function previewRagged(rowSplits: readonly RowSplits[], { shape, data }: Dense): string {
  const [, ...inner] = shape;
  const size = inner.reduce((product, length) => product * length, 1);
  let left = MAX_VALUES;
  /** The text of dimension `dimension` of `inner`, whose values begin at `first`. */
  const value = (dimension: number, first: number): string => {
    const length = inner[dimension];
    if (length === undefined || length === 0) left--;
    if (length === undefined) return previewAt(data, first);
    const step = inner.slice(dimension + 1).reduce((product, other) => product * other, 1);
    const parts: string[] = [];
    for (let i = 0; i < length; i++) {
      if (left <= 0) {
        parts.push('…');
        break;
      }
      parts.push(value(dimension + 1, first + i * step));
    }
    return `[${parts.join(', ')}]`;
  };
  const level = (depth: number, begin: number, end: number): string => {
    const parts: string[] = [];
    for (let i = begin; i < end; i++) {
      if (left <= 0) {
        parts.push('…');
        break;
      }
      if (depth === rowSplits.length) {
        parts.push(value(0, i * size));
        continue;
      }
      const splits = rowSplits[depth]!;
      const [first, last] = [Number(splits[i]), Number(splits[i + 1])];
      if (first === last) left--;
      parts.push(level(depth + 1, first, last));
    }
    return `[${parts.join(', ')}]`;
  };
  const [outermost] = rowSplits;
  return level(0, 0, outermost === undefined ? (shape[0] ?? 0) : outermost.length - 1);
}
