/** Prints the first values of a tensor, nested by its dimensions, for `util.inspect`. */
import type { Column } from './column';
import { MAX_VALUES, previewAt, previewList } from './preview';
import type { RowSplits } from './row-splits';

interface Dense {
  readonly shape: readonly number[];
  readonly data: Column;
}

/** Prints the first values of a tensor, nested by `shape`: `5n`, `[1, 2, … 7 more]`, `[[1, 2], [3, …]]`. */
export function previewDense({ shape, data }: Dense): string {
  if (shape.length === 0) return previewAt(data, 0);
  if (shape.length > 1) return previewRagged([], { shape, data });
  return previewList(data);
}

/** Prints the first rows, such as `[[10n], [], [20n, …]]`; values with more dimensions are nested further. */
export function previewRagged(rowSplits: readonly RowSplits[], { shape, data }: Dense): string {
  const [, ...inner] = shape;
  const size = inner.reduce((product, length) => product * length, 1);
  let left = MAX_VALUES;
  /** Prints dimension `dimension` of `inner`, whose values begin at `first`. */
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
