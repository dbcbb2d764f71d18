import { basename, dirname, sep } from 'node:path';

import { systemErrorOf } from '../faults';
import type { ExpandedPath } from './expand-paths';
import { isAbsent, listFolder, lookAt, type Looking } from './looking';

/**
 * Names of sharded files: `base-00000-of-00002.tfrecord`, the form of `writeTo`, and `base.tfrecord-00000-of-00002`, the
 * form of TensorFlow's tools.
 */

/** Number of digits of a shard's number and of the count. */
const DIGITS = 5;
/** Largest number of shards that these digits can express. More are a mistake, not a data set. */
export const MAX_SHARDS = 99_999;

/** The shards, in order, that `name@N` or the pattern `name-?????-of-NNNNN` means. */
interface ShardSet {
  /** The start of their names, with the folder. */
  readonly base: string;
  /** The end of their names: the suffixes of `base.ext@N`, or ''. */
  readonly end: string;
  readonly files: readonly string[];
  /** The set in TensorFlow's form, if that differs. It is read if `files` do not exist. */
  readonly other?: ShardSet;
}

/** Returns the set that `name` means; undefined for names of another form, and for N out of range. */
export function shardSet(name: string): ShardSet | undefined {
  const counted = countedName(name);
  if (counted !== undefined) {
    const { base, count } = counted;
    const ofTensorFlow = numbered(base, '', count, DIGITS);
    const at = suffixesAt(base);
    const ours = at === base.length ? undefined : numbered(base.slice(0, at), base.slice(at), count, DIGITS);
    return ours === undefined || ofTensorFlow === undefined ? ofTensorFlow : { ...ours, other: ofTensorFlow };
  }
  const pattern = /^([^*?[\]]*)-(\?+)-of-(\d+)$/s.exec(name);
  if (pattern === null || pattern[2]?.length !== pattern[3]?.length) return undefined;
  return numbered(pattern[1]!, '', Number(pattern[3]), pattern[3]!.length);
}

/** Splits `base@N`; undefined for other names. */
export function countedName(name: string): { readonly base: string; readonly count: number } | undefined {
  const [, base, count] = /^(.*[^/])@(\d+)$/s.exec(name) ?? [];
  return base === undefined ? undefined : { base, count: Number(count) };
}

/** Returns the index in `path` at which the file name's suffixes begin: its first dot after the first character. */
export function suffixesAt(path: string): number {
  const dot = path.indexOf('.', Math.max(path.lastIndexOf('/'), path.lastIndexOf(sep)) + 2);
  return dot < 0 ? path.length : dot;
}

function numbered(base: string, end: string, count: number, digits: number): ShardSet | undefined {
  if (count < 1 || count > MAX_SHARDS) return undefined;
  const pad = (n: number): string => String(n).padStart(digits, '0');
  return {
    base,
    end,
    files: Array.from({ length: count }, (_, index) => `${base}-${pad(index)}-of-${pad(count)}${end}`),
  };
}

/** Most file names in one list of an error message. */
const NAMED = 5;

/**
 * Returns the existing shards of `set`, after an ENOENT if any are missing. `name` is the name that the user gave. One
 * listing of the folder shows which shards exist, and in which form of `base.ext@N`. If the folder cannot be listed, or
 * its listing cannot be trusted, all files of the set are returned, and opening them shows which are missing.
 */
export function* findShards(name: string, set: ShardSet): Looking<ExpandedPath[]> {
  const names = yield* namesIn(dirname(set.base));
  const { base, end, files } = names === undefined ? yield* openable(set) : formThere(set, names);
  if (names === undefined) return files.map((path) => ({ path }));
  const present = files.filter((path) => names.has(basename(path)));
  const missing = files.filter((path) => !names.has(basename(path)));
  const first = missing[0];
  // A file system may accept a name in another case, or in other code points, than the listing shows.
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

/** Returns the form of the set that is complete, else the form that has any file. Our form precedes TensorFlow's. */
function formThere(set: ShardSet, names: ReadonlySet<string>): ShardSet {
  const forms = set.other === undefined ? [set] : [set, set.other];
  const isIn = (path: string): boolean => names.has(basename(path));
  return forms.find(({ files }) => files.every(isIn)) ?? forms.find(({ files }) => files.some(isIn)) ?? set;
}

/** Returns the form of the set whose first file exists, for folders that cannot be listed. */
function* openable(set: ShardSet): Looking<ShardSet> {
  if (set.other === undefined || (yield* isThere(set.files[0]!))) return set;
  return (yield* isThere(set.other.files[0]!)) ? set.other : set;
}

/** True if `name` belongs to a set with the same base and another number of shards. */
function isLike(name: string, base: string, end: string, other: ShardSet | undefined): boolean {
  if (other !== undefined && isLike(name, other.base, other.end, undefined)) return true;
  const start = `${basename(base)}-`;
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  return /^(?:.*-)?\d+-of-\d+$/s.test(name.slice(start.length, name.length - end.length));
}

/** Returns the names in `folder`: none if it does not exist, undefined if it cannot be listed. */
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
