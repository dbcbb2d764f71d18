import { basename, dirname } from 'node:path';

import { systemErrorOf } from '../faults';
import type { ExpandedPath } from './expand-paths';
import { isAbsent, listFolder, lookAt, type Looking } from './looking';
import type { ShardSet } from './shards';

/** Missing shards, and shards of other sets, that an error names. */
const NAMED = 5;

/**
 * The shards of `set` that are there, behind an ENOENT when others are not; `name` is what the set was given as. One
 * listing of their folder tells. Where it cannot be listed, or is not to be trusted, opening them tells.
 */
export function* findShards(name: string, { base, files }: ShardSet): Looking<ExpandedPath[]> {
  const names = yield* namesIn(dirname(base));
  if (names === undefined) return files.map((path) => ({ path }));
  const present = files.filter((path) => names.has(basename(path)));
  const missing = files.filter((path) => !names.has(basename(path)));
  const first = missing[0];
  // File systems may know a name in another case, or in other code points, than they list it in.
  if (first === undefined || (yield* isThere(first))) return files.map((path) => ({ path }));
  const like = [...names].filter((other) => other.startsWith(`${basename(base)}-`) && /-\d+-of-\d+$/.test(other));
  const others = present.length > 0 || like.length === 0 ? '' : ` There are others: ${listed(like.sort())}.`;
  const count = `${missing.length} of ${files.length} shards ${missing.length === 1 ? 'is' : 'are'} missing`;
  const error = systemErrorOf('ENOENT', 'open', name, `${count}: ${listed(missing)}.${others}`);
  return [{ path: name, error }, ...present.map((path) => ({ path }))];
}

/** Undefined when the folder, which may be there, cannot be listed. */
function* namesIn(folder: string): Looking<Set<string> | undefined> {
  try {
    const entries = yield* listFolder(folder);
    return new Set(entries.map((entry) => entry.name.toString()));
  } catch (error) {
    return isAbsent(error) ? new Set() : undefined;
  }
}

function* isThere(path: string): Looking<boolean> {
  try {
    yield* lookAt(path);
    return true;
  } catch {
    return false;
  }
}

function listed(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return (
    names
      .slice(0, NAMED)
      .map((name) => `'${name}'`)
      .join(', ') + more
  );
}
