/** Makes mutants of JSON: members are changed to values that nobody would write there. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The values that replace a member. */
const WRONG: readonly Json[] = [
  1e15,
  -1,
  0,
  1,
  2,
  7,
  0.5,
  2 ** 31,
  2 ** 32 + 1,
  2 ** 53,
  1e300,
  null,
  true,
  '',
  'x',
  '1e15',
  [],
  {},
  [null, 0],
  [null, 1e15],
  [[], 0],
  [[[[[[[[[[null, 0], 0], 0], 0], 0], 0], 0], 0], 0], 0],
  { cut: [null, 0] },
  Array<number>(10_000).fill(3),
  Array.from({ length: 5000 }, (_, i) => [i, [null, 0]]),
];

/** Returns the paths of all members of `value`, and its own path, `[]`. */
export function waysIn(value: unknown): (string | number)[][] {
  const ways: (string | number)[][] = [[]];
  if (typeof value !== 'object' || value === null) return ways;
  for (const [name, inner] of Object.entries(value)) {
    const key = Array.isArray(value) ? Number(name) : name;
    for (const way of waysIn(inner)) ways.push([key, ...way]);
  }
  return ways;
}

/** Returns a copy of the JSON `value` with one or two changes drawn by `pick`. */
export function mutant(value: unknown, pick: (below: number) => number): unknown {
  let changed = structuredClone(value);
  for (let changes = pick(4) === 0 ? 2 : 1; changes > 0; changes--) {
    const ways = waysIn(changed);
    const way = ways[pick(ways.length)]!;
    changed = changedAt(changed, way, pick, ways);
  }
  return changed;
}

function changedAt(
  whole: unknown,
  way: readonly (string | number)[],
  pick: (below: number) => number,
  ways: readonly (readonly (string | number)[])[],
): unknown {
  const old = memberAt(whole, way);
  const other = memberAt(whole, ways[pick(ways.length)]!);
  const kind = pick(10);
  const wrong =
    kind === 0
      ? structuredClone(other)
      : kind < 4 && typeof old === 'number'
        ? ([old + 1, old - 1, 2 * old, -old, old + 2 ** 20, old + 1e12] as const)[pick(6)]
        : structuredClone(WRONG[pick(WRONG.length)]);
  const [last] = way.slice(-1);
  if (last === undefined) return wrong;
  const holder = memberAt(whole, way.slice(0, -1)) as Record<string | number, unknown>;
  if (kind === 9 && Array.isArray(holder)) holder.splice(Number(last), 1 + pick(2));
  else if (kind === 8 && Array.isArray(holder)) holder.push(structuredClone(old));
  else if (kind === 9) Reflect.deleteProperty(holder, last);
  else holder[last] = wrong;
  return whole;
}

function memberAt(value: unknown, way: readonly (string | number)[]): unknown {
  return way.reduce((inner: unknown, name) => (inner as Record<string | number, unknown>)[name], value);
}
