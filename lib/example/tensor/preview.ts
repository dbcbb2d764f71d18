/** The first values of a tensor, for `util.inspect`. */
import type { Column, Scalar } from './dtype';
import type { RowSplits } from './row-splits';
import { isPrintable } from './scalar-json';
import { shortestFloat32 } from './shortest-float32';

const MAX_VALUES = 6;
const MAX_BYTES = 40;

/** `[7n, 8n, … 5 more]`. */
export function previewList(values: Iterable<Scalar>, length: number): string {
  const shown: string[] = [];
  for (const value of values) {
    if (shown.length === MAX_VALUES) break;
    shown.push(previewScalar(value));
  }
  if (length > shown.length) shown.push(`… ${length - shown.length} more`);
  return `[${shown.join(', ')}]`;
}

/** A number as float32 shows it best, an int64 with its `n`, bytes as text or in hexadecimal. */
export function previewScalar(value: Scalar): string {
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

/** `[[10n], [], [20n, …]]`; values of more dimensions flat. */
export function previewRagged(
  rowSplits: readonly RowSplits[],
  values: { readonly shape: readonly number[]; readonly data: Column },
): string {
  const { shape, data } = values;
  const size = (shape[0] ?? 0) === 0 ? 0 : data.length / (shape[0] as number);
  let left = MAX_VALUES;
  const level = (depth: number, begin: number, end: number): string => {
    const parts: string[] = [];
    for (let i = begin; i < end; i++) {
      if (left <= 0) {
        parts.push('…');
        break;
      }
      if (depth === rowSplits.length) {
        left--;
        parts.push(shape.length === 1 ? previewScalar(data.at(i) as Scalar) : previewPart(data, i * size, size));
        continue;
      }
      const splits = rowSplits[depth] as RowSplits;
      const [first, last] = [Number(splits[i]), Number(splits[i + 1])];
      if (first === last) left--;
      parts.push(level(depth + 1, first, last));
    }
    return `[${parts.join(', ')}]`;
  };
  const [outermost] = rowSplits;
  return level(0, 0, outermost === undefined ? (shape[0] ?? 0) : outermost.length - 1);
}

function previewPart(data: Column, begin: number, count: number): string {
  return previewList(data.subarray(begin, begin + Math.min(count, MAX_VALUES)) as Iterable<Scalar>, count);
}
