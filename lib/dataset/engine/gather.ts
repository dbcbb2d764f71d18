import { ArrayColumn, type Column, type Part } from './column';
import type { Input } from './input';
import { Store } from './store';

/** Elements of an input, in order, and what ended them before there were enough. */
export interface Gathered {
  readonly column: Column;
  readonly failure: { readonly error: unknown } | undefined;
}

/** The next `count` elements of `input`; fewer at its end, and before an error. */
export async function gather(input: Input, count: number): Promise<Gathered> {
  const parts: Part[] = [];
  let left = count;
  let failure: Gathered['failure'];
  try {
    while (left > 0 && (await input.load(left))) {
      const part = input.takePart(left);
      parts.push(part);
      left -= part.end - part.begin;
    }
  } catch (error) {
    failure = { error };
  }
  return { column: joined(parts), failure };
}

/** The elements of `parts`, one behind the other. */
export function joined(parts: readonly Part[]): Column {
  const [first] = parts;
  if (first === undefined) return new ArrayColumn([]);
  if (parts.length === 1) return first.column.slice(first.begin, first.end);
  const store = new Store(parts.reduce((sum, { begin, end }) => sum + end - begin, 0));
  for (const { column, begin, end } of parts) for (let i = begin; i < end; i++) store.push(column, i);
  return store.take();
}
