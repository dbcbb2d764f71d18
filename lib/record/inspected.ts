/** Text that `console.log` and `util.inspect` print of readers, writers and batches. */
import { inspect, type InspectOptionsStylized } from 'node:util';

import type { ClassifiedSource } from './source/record-source';

/** Where a reader or writer is: nothing was opened yet, it can go on, or it ended, was left or closed. */
export type Phase = 'new' | 'open' | 'closed';

/** How `util.inspect` calls: levels that may still be printed, and its options. */
export type InspectArguments = readonly [depth: number, options: InspectOptionsStylized];

/**
 * `name { …fields }`, or `[name]` below the depth that is asked for. Where `fields` throws, `name {}`: a Proxy and what
 * inherits from an object have no private fields, and printing never throws.
 */
export function inspected(name: string, [depth, options]: InspectArguments, fields: () => object): string {
  if (depth < 0) return options.stylize(`[${name}]`, 'special');
  let shown: object;
  try {
    shown = fields();
  } catch {
    shown = {};
  }
  return `${name} ${inspect(shown, { ...options, depth })}`;
}

/** The names that the user gave, one or a list; `<bytes>` or `<stream>` for what has none. */
export function sourceName(source: ClassifiedSource): string | readonly string[] {
  if (source.kind !== 'paths') return source.kind === 'bytes' ? '<bytes>' : '<stream>';
  const paths = source.paths.map(({ path }) => path);
  return paths.length === 1 ? paths[0]! : paths;
}
