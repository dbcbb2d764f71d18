import { basename, dirname } from 'node:path';

import { systemErrorOf } from '../faults';
import type { ExpandedPath } from './expand-paths';
import { isAbsent, listFolder, lookAt, type Looking } from './looking';
import type { ShardSet } from './shards';

/** Missing shards, and shards of other sets, that an error names. */
const NAMED = 5;

/**
 * The existing shards of `set`; if any are missing, an ENOENT comes first. `name` is the name that the user gave. One
 * listing of the folder shows which shards exist, and in which form of `base.ext@N`. If the folder cannot be listed, or
 * the listing cannot be trusted, the files are opened.
 */
export function* findShards(name: string, set: ShardSet): Looking<ExpandedPath[]> {
  const names = yield* namesIn(dirname(set.base));
  const { base, end, files } = names === undefined ? yield* openable(set) : formThere(set, names);
  if (names === undefined) return files.map((path) => ({ path }));
  const present = files.filter((path) => names.has(basename(path)));
  const missing = files.filter((path) => !names.has(basename(path)));
  const first = missing[0];
  // File systems may know a name in another case, or in other code points, than they list it in.
  if (first === undefined || (yield* isThere(first))) return files.map((path) => ({ path }));
  if (present.length === 0 && set.other !== undefined && (yield* isThere(set.other.files[0]!))) {
    return set.other.files.map((path) => ({ path }));
  }
  const like = present.length > 0 ? [] : [...names].filter((other) => isLike(other, base, end, set.other));
  const others = like.length === 0 ? '' : ` There are others: ${listed(like.sort())}.`;
  const count = `${missing.length} of ${files.length} shards ${missing.length === 1 ? 'is' : 'are'} missing`;
  const error = systemErrorOf('ENOENT', 'open', name, `${count}: ${listed(missing)}.${others}`);
  return [{ path: name, error }, ...present.map((path) => ({ path }))];
}

/** The form of the set that is complete, else the form that has any file; our form goes before TensorFlow's. */
function formThere(set: ShardSet, names: ReadonlySet<string>): ShardSet {
  const forms = set.other === undefined ? [set] : [set, set.other];
  const isIn = (path: string): boolean => names.has(basename(path));
  return forms.find(({ files }) => files.every(isIn)) ?? forms.find(({ files }) => files.some(isIn)) ?? set;
}

/** The form of the set if the folder cannot be listed: the one whose first file exists. */
function* openable(set: ShardSet): Looking<ShardSet> {
  if (set.other === undefined || (yield* isThere(set.files[0]!))) return set;
  return (yield* isThere(set.other.files[0]!)) ? set.other : set;
}

/** True if `name` is of a set with the same base and another number of shards. */
function isLike(name: string, base: string, end: string, other: ShardSet | undefined): boolean {
  if (other !== undefined && isLike(name, other.base, other.end, undefined)) return true;
  const start = `${basename(base)}-`;
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  return /^(?:.*-)?\d+-of-\d+$/s.test(name.slice(start.length, name.length - end.length));
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
