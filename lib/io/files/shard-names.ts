/** Names of the shards that this package writes, and of the manifest beside them. */
import { basename } from 'node:path';

import { suffixesAt } from './shards';

/** Number of digits of the numbers in a shard's name. */
const DIGITS = 5;

/** The name of a shard of `output`: `out-train-00003-of-00010.tfrecord.gz`. `side`: the side of a split. */
export function shardName(output: string, side: string | undefined, index: number, count: number): string {
  const number = (value: number): string => String(value).padStart(DIGITS, '0');
  return withSuffix(output, `${side === undefined ? '' : `-${side}`}-${number(index)}-of-${number(count)}`);
}

/** `output` with `suffix` before its extensions. */
export function withSuffix(output: string, suffix: string): string {
  const at = suffixesAt(output);
  return output.slice(0, at) + suffix + output.slice(at);
}

/** The end of the name of a manifest. */
export const MANIFEST_SUFFIX = '.manifest.json';

/** The manifest of what writes the shards or outputs of `output`. */
export function manifestName(output: string): string {
  return `${output}${MANIFEST_SUFFIX}`;
}

/** True for names of shards of `output`, whatever their number. `sides`: the sides of a split. */
export function isShardOf(output: string, sides: readonly (string | undefined)[], entry: string): boolean {
  const name = basename(output);
  const at = suffixesAt(name);
  const end = name.slice(at);
  return sides.some((side) => {
    const start = `${name.slice(0, at)}${side === undefined ? '' : `-${side}`}`;
    if (!entry.startsWith(start) || !entry.endsWith(end) || entry.length <= start.length + end.length) return false;
    return /^-\d{5}-of-\d{5}$/.test(entry.slice(start.length, entry.length - end.length));
  });
}
