import { ArrayColumn, type Column } from './column';
import type { Input } from './input';
import { Store } from './store';

/** Elements of an input, in order, and what ended them before there were enough. */
export interface Gathered {
  readonly column: Column;
  readonly failure: { readonly error: unknown } | undefined;
}

/** The next `count` elements of `input`; fewer at its end, and before an error. */
export async function gather(input: Input, count: number): Promise<Gathered> {
  const parts: Column[] = [];
  let length = 0;
  let failure: Gathered['failure'];
  try {
    while (length < count && (await input.load(count - length))) {
      const part = input.take(count - length);
      parts.push(part);
      length += part.length;
    }
  } catch (error) {
    failure = { error };
  }
  return { column: joined(parts), failure };
}

/** The elements of `parts`, one behind the other. */
export function joined(parts: readonly Column[]): Column {
  if (parts.length <= 1) return parts[0] ?? new ArrayColumn([]);
  const store = new Store();
  for (const part of parts) for (let i = 0; i < part.length; i++) store.push(part, i);
  return store.take();
}
