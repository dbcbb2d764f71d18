/** The text that `console.log` and `util.inspect` print for readers, writers and batches. */
import { inspect, type InspectOptions } from 'node:util';

/** The phase of a reader: `new` before anything was opened, `closed` once it ended, was left or was closed. */
export type Phase = 'new' | 'open' | 'closed';

/**
 * The options that `util.inspect` gives: newer versions of `@types/node` name them `InspectContext`, older ones
 * `InspectOptionsStylized`.
 */
export interface InspectSettings extends InspectOptions {
  stylize(text: string, style: 'special'): string;
}

/** The arguments of `util.inspect`: the number of levels that may still be printed, and its options. */
export type InspectArguments = readonly [depth: number, options: InspectSettings];

/**
 * Returns `name { …fields }`, or `[name]` below the requested depth. If `fields` throws, returns `name {}`: a Proxy and
 * an object that inherits from ours have no private fields, and printing must never throw.
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
