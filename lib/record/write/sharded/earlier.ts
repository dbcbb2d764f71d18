import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { codeOf, fromNodeError } from '../../../base';
import { abandonedFor, existsError, INDEX_SUFFIX, isShardOf, manifestName } from '../../../io';

/**
 * Returns the paths of an earlier set of files called `path`: its shards, its files in folders of partitions, whose names
 * begin with `prefixes`, level by level, and its manifest. Removes what killed writers of such a set left behind.
 */
export async function findEarlier(path: string, prefixes: readonly string[]): Promise<string[]> {
  const folder = dirname(path);
  const name = basename(path);
  const found: string[] = [];
  for (const entry of await entriesOf(folder)) {
    const there = join(folder, entry.name);
    const isOurs =
      isShardOf(path, [undefined], withoutIndex(entry.name)) || entry.name === basename(manifestName(path));
    if (isOurs && !entry.isDirectory()) found.push(there);
    const left = abandonedFor(entry.name);
    if (left?.name !== name) continue;
    if (!left.mayBeOurs || (await isOld(there))) await rm(there, { recursive: true, force: true });
  }
  if (prefixes.length > 0) await addPartitioned(folder, name, prefixes, found);
  return found;
}

/** @throws TFRecordError EEXIST if `found` has a file, and `force` does not replace it */
export function checkEarlier([first]: readonly string[], force: boolean): void {
  if (first !== undefined && !force) throw existsError(first);
}

async function addPartitioned(
  folder: string,
  name: string,
  [prefix, ...deeper]: readonly string[],
  found: string[],
): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (prefix === undefined) {
      // A folder of that name is never replaced.
      if (withoutIndex(entry.name) === name && !entry.isDirectory()) found.push(path);
    } else if (entry.name.startsWith(prefix)) {
      await addPartitioned(path, name, deeper, found);
    }
  }
}

/** The name of the file of which `name` is the saved index; else `name`. */
function withoutIndex(name: string): string {
  return name.endsWith(INDEX_SUFFIX) ? name.slice(0, -INDEX_SUFFIX.length) : name;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw fromNodeError(error, folder, 'scandir');
  }
}

/** True if `path` is older than this process, so that an earlier one with the same number left it. */
async function isOld(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there !== undefined && there.mtimeMs < Date.now() - 1000 * process.uptime();
}
