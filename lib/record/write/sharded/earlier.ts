import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { codeOf, fromNodeError } from '../../../base';
import { abandonedFor, existsError, INDEX_SUFFIX, isShardOf, manifestName } from '../../../io';

/** An earlier set of files of the same name. */
export interface Earlier {
  /** The paths of its files; the manifest, which says that they are complete, is the first. */
  readonly files: string[];
  /** The paths to which a writer that was killed moved files in order to replace them. */
  readonly movedAside: string[];
}

/**
 * Finds an earlier set of files called `path`: its manifest, its shards, and its files in folders of partitions, whose
 * names begin with `prefixes`, level by level. Removes the unfinished files of killed writers of such a set.
 * @throws TFRecordError EEXIST if there is an earlier file, and `force` does not replace it
 */
export async function findEarlier(path: string, prefixes: readonly string[], force: boolean): Promise<Earlier> {
  const folder = dirname(path);
  const name = basename(path);
  const manifest = basename(manifestName(path));
  const found: Earlier = { files: [], movedAside: [] };
  const isOurs = (entry: string): boolean => isShardOf(path, [undefined], withoutIndex(entry)) || entry === manifest;
  for (const entry of await entriesOf(folder)) {
    const there = join(folder, entry.name);
    if (abandonedFor(entry.name)?.name === name) {
      if (await isAbandoned(there)) await rm(there, { recursive: true, force: true });
    } else await addFile(entry, there, isOurs, found);
  }
  const at = found.files.indexOf(join(folder, manifest));
  if (at > 0) found.files.unshift(...found.files.splice(at, 1));
  if (prefixes.length > 0) await addPartitioned(folder, name, prefixes, found);
  const [first] = found.files;
  if (first !== undefined && !force) throw existsError(first);
  return found;
}

async function addPartitioned(
  folder: string,
  name: string,
  [prefix, ...deeper]: readonly string[],
  found: Earlier,
): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (prefix === undefined) await addFile(entry, path, (each) => withoutIndex(each) === name, found);
    else if (entry.name.startsWith(prefix)) await addPartitioned(path, name, deeper, found);
  }
}

/** Adds `entry`, which is at `path`, to `found` if it is a file of the set. A folder of such a name is never replaced. */
async function addFile(entry: Dirent, path: string, isOurs: (name: string) => boolean, found: Earlier): Promise<void> {
  if (entry.isDirectory()) return;
  if (isOurs(entry.name)) found.files.push(path);
  const left = abandonedFor(entry.name);
  if (left !== undefined && isOurs(left.name) && (await isAbandoned(path))) found.movedAside.push(path);
}

/** True unless this process may be writing the temporary file at `path`, which no other process writes. */
async function isAbandoned(path: string): Promise<boolean> {
  return abandonedFor(basename(path))?.mayBeOurs === false || isOld(path);
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
