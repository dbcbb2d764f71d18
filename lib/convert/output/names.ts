/** Names of the files that a job writes. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { isTemporary, suffixesAt } from '../../io';
import { codeOf } from '../../base';
import { MAX_PARTS } from '../job/parts';

/** Number of digits of the numbers in a shard's name. */
const DIGITS = 5;

/** Name of the manifest in the folder of a part. */
export const PART_MANIFEST = 'manifest.json';

/** The name of a shard of `output`: `out-train-00003-of-00010.tfrecord.gz`. `side`: the side of a split. */
export function shardName(output: string, side: string | undefined, index: number, count: number): string {
  const number = (value: number): string => String(value).padStart(DIGITS, '0');
  return withSuffix(output, `${side === undefined ? '' : `-${side}`}-${number(index)}-of-${number(count)}`);
}

/** The name of the only file of a side: `out-train.tfrecord.gz`. */
export function sideName(output: string, side: string): string {
  return withSuffix(output, `-${side}`);
}

function withSuffix(output: string, suffix: string): string {
  const at = suffixesAt(output);
  return output.slice(0, at) + suffix + output.slice(at);
}

/** The manifest of a job that writes `output`. */
export function manifestName(output: string): string {
  return `${output}.manifest.json`;
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

/** True for names of outputs of a side: its only file, or its shards. */
export function isOutputOf(output: string, side: string | undefined, entry: string): boolean {
  const only = side === undefined ? output : sideName(output, side);
  return entry === basename(only) || isShardOf(output, [side], entry);
}

/** True for valid names of sides: they are parts of file names, and a number would change the order of the sides. */
export function isSide(name: string): boolean {
  return /^[A-Za-z_][\w.]*$/.test(name);
}

const TEMPORARY = /^(?:\.(.+)\.(\d{1,10})-[\da-f]{12}|(.+)\.(\d{1,10})-[\da-f]{16})\.tmp$/s;

/**
 * For a temporary file or folder of ours that nobody writes any more, because its process has ended as far as this
 * machine knows: the name that it was to get. Undefined for others. `mayBeOurs`: true if another thread of this process
 * may be writing it; if the file is older than this process, an earlier process with the same number left it.
 */
export function abandonedFor(entry: string): { readonly name: string; readonly mayBeOurs: boolean } | undefined {
  const [, file, filePid, folder, folderPid] = TEMPORARY.exec(entry) ?? [];
  const name = file ?? folder;
  if (name === undefined || isTemporary(entry)) return undefined;
  const pid = Number(filePid ?? folderPid);
  if (pid === process.pid) return { name, mayBeOurs: true };
  return isAlive(pid) ? undefined : { name, mayBeOurs: false };
}

/** True for a process that has ended, but that its parent has not yet awaited. Linux only. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // The name of the program, in parentheses, may contain any characters.
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
