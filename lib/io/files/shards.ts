import { basename, dirname, sep } from 'node:path';

import { counted, systemErrorOf } from '../../base';
import { COMPRESSED_EXTENSIONS, withoutCompression } from '../codecs';
import { isAbsent, listFolder, lookAt, type FileQueries } from './looking';
import type { ExpandedPath } from './named-path';

/**
 * Names of sharded files: `base-00000-of-00002.tfrecord`, the form of `writeTo`, and `base.tfrecord-00000-of-00002`, the
 * form of TensorFlow's tools, which compress such files to `base.tfrecord-00000-of-00002.gz`.
 */

/** Number of digits of a shard's number and of the count. */
const DIGITS = 5;
/** Largest number of shards that these digits can express. More are a mistake, not a data set. */
export const MAX_SHARDS = 99_999;

/** One form of the names of a set: the texts before and after the numbers. `base` has the folder. */
interface ShardForm {
  readonly base: string;
  readonly end: string;
}

/** The shards that `name@N`, `name@N.gz` or the pattern `name-?????-of-NNNNN` means. */
interface ShardSet {
  /** The forms that their names may have. The first whose files exist is read. */
  readonly forms: readonly ShardForm[];
  readonly count: number;
  readonly digits: number;
}

/** Returns the set that `name` means; undefined for names of another form, and for N out of range. */
export function shardSet(name: string): ShardSet | undefined {
  const counted = countedName(name);
  if (counted !== undefined) return setOf(formsOf(counted), counted.count, DIGITS);
  const pattern = /^([^*?[\]]*)-(\?+)-of-(\d+)$/s.exec(name);
  if (pattern === null || pattern[2]?.length !== pattern[3]?.length) return undefined;
  return setOf([{ base: pattern[1]!, end: '' }], Number(pattern[3]), pattern[3]!.length);
}

/** A name with a number of shards, as `base@N`, or as `base@N.gz`, whose `end` is `.gz`. */
interface CountedName {
  readonly base: string;
  readonly count: number;
  readonly end: string;
}

/** Splits `base@N` and `base@N.gz`; undefined for other names. */
export function countedName(name: string): CountedName | undefined {
  const [, base, count, end] = /^(.*[^/])@(\d+)((?:\.[A-Za-z]\w*)*)$/s.exec(name) ?? [];
  return base === undefined ? undefined : { base, count: Number(count), end: end! };
}

/** The forms of a counted name: ours, then that of TensorFlow's tools, then those of compressed files. */
function formsOf({ base, end }: CountedName): ShardForm[] {
  const at = suffixesAt(base);
  const [stem, suffixes] = [base.slice(0, at), base.slice(at)];
  const ours = { base: stem, end: suffixes + end };
  const ofTensorFlow = { base: base + end, end: '' };
  // The numbers stand where the @ does.
  const asWritten = { base, end };
  const compressed = COMPRESSED_EXTENSIONS.find((extension) => (base + end).endsWith(extension));
  const inside =
    compressed === undefined
      ? COMPRESSED_EXTENSIONS.flatMap((extension) => [
          { base: base + end, end: extension },
          { ...ours, end: ours.end + extension },
        ])
      : [{ base: (base + end).slice(0, -compressed.length), end: compressed }];
  const forms = [...(end === '' ? [] : [asWritten]), ours, ofTensorFlow, ...inside];
  return forms.filter(
    (form, i) => i === forms.findIndex((other) => other.base === form.base && other.end === form.end),
  );
}

const TFRECORD = /\.(?:tf_?rec(?:ord)?s?|tfr)(?:-\d+-of-\d+)?$/i;

/** True for names that end as those of TFRecord files do: `a.tfrecord`, `a.tfrecords-00000-of-00002.gz`. */
export function isTFRecordName(name: string): boolean {
  return TFRECORD.test(withoutCompression(name));
}

/** Returns the index in `path` at which the file name's suffixes begin: its first dot after the first character. */
export function suffixesAt(path: string): number {
  const dot = path.indexOf('.', Math.max(path.lastIndexOf('/'), path.lastIndexOf(sep)) + 2);
  return dot < 0 ? path.length : dot;
}

function setOf(forms: readonly ShardForm[], count: number, digits: number): ShardSet | undefined {
  return count < 1 || count > MAX_SHARDS ? undefined : { forms, count, digits };
}

/** Returns the path of shard `index`. */
function shardPath({ count, digits }: ShardSet, { base, end }: ShardForm, index: number): string {
  const pad = (n: number): string => String(n).padStart(digits, '0');
  return `${base}-${pad(index)}-of-${pad(count)}${end}`;
}

/** Returns the paths of all shards, in order. */
export function shardPaths(set: ShardSet, form: ShardForm): string[] {
  return Array.from({ length: set.count }, (_, index) => shardPath(set, form, index));
}

/** Maximum number of file names in one list of an error message. */
const NAMED = 5;

/**
 * Returns the existing shards of `set`, after an ENOENT if any are missing. `name` is the name that the user gave. One
 * listing of the folder shows which shards exist, and in which form. If the folder cannot be listed, or
 * its listing cannot be trusted, all files of the set are returned, and opening them shows which are missing.
 */
export function* findShards(name: string, set: ShardSet): FileQueries<ExpandedPath[]> {
  const names = yield* namesIn(dirname(set.forms[0]!.base));
  const form = names === undefined ? ((yield* openable(set, set.forms)) ?? set.forms[0]!) : formThere(set, names);
  const files = shardPaths(set, form);
  const all = files.map((path) => ({ path }));
  if (names === undefined) return all;
  const present = all.filter(({ path }) => names.has(basename(path)));
  const missing = files.filter((path) => !names.has(basename(path)));
  const first = missing[0];
  // A file system may accept a name in another case, or in other code points, than the listing shows.
  if (first === undefined || (yield* isThere(first))) return all;
  const opened = present.length > 0 ? undefined : yield* openable(set, set.forms.slice(1));
  if (opened !== undefined) return shardPaths(set, opened).map((path) => ({ path }));
  const count = `${missing.length} of ${counted(files.length, 'shard')} ${missing.length === 1 ? 'is' : 'are'} missing`;
  const hint = `${count}: ${listed(missing)}.${present.length > 0 ? '' : otherNames(set, form, names)}`;
  return [{ path: name, error: systemErrorOf('ENOENT', 'open', name, hint) }, ...present];
}

/** Names for an error message: the other forms that were looked for, and what there is instead. */
function otherNames(set: ShardSet, form: ShardForm, names: ReadonlySet<string>): string {
  const tried = set.forms.filter((other) => other !== form).map((other) => `'${basename(shardPath(set, other, 0))}'`);
  const like = [...names].filter((other) => set.forms.some((one) => isLike(other, one))).sort();
  return (
    (tried.length === 0 ? '' : ` Also looked for: ${tried.join(', ')}.`) +
    (like.length === 0 ? '' : ` There are others: ${listed(like)}.`)
  );
}

/** Returns the first form of the set that is complete, else the first that has any file, else the first. */
function formThere(set: ShardSet, names: ReadonlySet<string>): ShardForm {
  const { forms } = set;
  const isComplete = (form: ShardForm): boolean => {
    for (let index = 0; index < set.count; index++) {
      if (!names.has(basename(shardPath(set, form, index)))) return false;
    }
    return true;
  };
  const hasAny = (form: ShardForm): boolean => [...names].some((name) => numberOf(name, set, form) !== undefined);
  return forms.find(isComplete) ?? forms.find(hasAny) ?? forms[0]!;
}

/** Returns the number of the shard of `set` that is called `name` in this form. */
function numberOf(name: string, set: ShardSet, form: ShardForm): number | undefined {
  const number = Number(/^-(\d+)-of-/.exec(name.slice(basename(form.base).length))?.[1]);
  return number < set.count && name === basename(shardPath(set, form, number)) ? number : undefined;
}

/** Returns the first of `forms` whose first file is there; undefined if there is none. */
function* openable(set: ShardSet, forms: readonly ShardForm[]): FileQueries<ShardForm | undefined> {
  for (const form of forms) if (yield* isThere(shardPath(set, form, 0))) return form;
  return undefined;
}

/** True if `name` belongs to a set with the same base and another number of shards. */
function isLike(name: string, { base, end }: ShardForm): boolean {
  const start = `${basename(base)}-`;
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  return /^(?:.*-)?\d+-of-\d+$/s.test(name.slice(start.length, name.length - end.length));
}

/** Returns the names in `folder`: none if it does not exist, undefined if it cannot be listed. */
function* namesIn(folder: string): FileQueries<Set<string> | undefined> {
  try {
    const entries = yield* listFolder(folder);
    return new Set(entries.map((entry) => entry.name.toString()));
  } catch (error) {
    return isAbsent(error) ? new Set() : undefined;
  }
}

function* isThere(path: string): FileQueries<boolean> {
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
