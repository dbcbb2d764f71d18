/** Names of the files that a job writes. */
import { basename } from 'node:path';

import { isShardOf, withSuffix } from '../../io';
import { MAX_PARTS } from '../job/parts';

/** Name of the manifest in the folder of a part. */
export const PART_MANIFEST = 'manifest.json';

/** The name of the only file of a side: `out-train.tfrecord.gz`. */
export function sideName(output: string, side: string): string {
  return withSuffix(output, `-${side}`);
}

/** The folder of a part of `output`. */
export function partFolder(output: string, index: number, count: number): string {
  return `${output}.part-${index}-of-${count}`;
}

/** Parses a name that `partFolder` returned for an output called `name`; undefined for other names. */
export function parsePartFolder(name: string, entry: string): { index: number; count: number } | undefined {
  if (!entry.startsWith(`${name}.part-`)) return undefined;
  const digits = /^(0|[1-9]\d{0,8})-of-([1-9]\d{0,8})$/.exec(entry.slice(name.length + 6)) ?? [];
  const [index, count] = [Number(digits[1]), Number(digits[2])];
  return index < count && count <= MAX_PARTS ? { index, count } : undefined;
}

/** True for names of outputs of a side: its only file, or its shards. */
export function isOutputOf(output: string, side: string | undefined, entry: string): boolean {
  const only = side === undefined ? output : sideName(output, side);
  return entry === basename(only) || isShardOf(output, [side], entry);
}

/** True for valid names of sides: they are parts of file names, and a number would change the order of the sides. */
export function isSide(name: string): boolean {
  return /^[A-Za-z_][\w.]*$/.test(name);
}
