import { objectScheme, shownUrl, systemErrorOf } from '../../base';
import { expandUrl } from './expand-urls';
import { isPattern, parseGlob } from './glob';
import { isAbsent, lookAt, lookNow, lookSoon, refusal, type FileQueries } from './looking';
import { hintForUrl, type ExpandedPath, type NamedPath } from './named-path';
import { findShards, countedName, MAX_SHARDS, shardSet } from './shards';
import { walkFolders } from './walk-folders';

/**
 * Returns the files that `name` means, in reading order: the file of that name if it exists, else its shards, else the
 * matches of the pattern in byte order, relative or absolute like the pattern. As in shells, only a segment of the pattern
 * that begins with a dot matches names that do: macOS and Hadoop put such files beside others. Folders, temporary files of
 * a RecordWriter and files in temporary folders of a disk cache never match; saved indexes (`.tfindex`) only if the
 * pattern ends so, and manifests (`.manifest.json`) only if it ends in `.json`. Links are followed.
 *
 * Missing files and folders that cannot be listed become errors, which come before the files that were found. Rejects
 * with TFR_CLOSED soon after `isOver` returns true. Relative names and the returned paths are relative to `folder`.
 * Default: the working directory.
 */
export function expandPath(name: NamedPath, isOver?: () => boolean, folder?: string): Promise<ExpandedPath[]> {
  return lookSoon(expansionOf(name), isOver, folder);
}

/** As {@link expandPath}, but on the calling thread. */
export function expandPathSync(name: NamedPath): ExpandedPath[] {
  return lookNow(expansionOf(name));
}

/** As {@link expandPath}: queries for a driver. */
export function* expansionOf({ path, expands }: NamedPath): FileQueries<ExpandedPath[]> {
  if (!expands || path === '-') return [{ path }];
  if (objectScheme(path) !== undefined) return yield* expandUrl(path);
  const set = shardSet(path);
  const urlHint = hintForUrl(path);
  const counted = set === undefined && countedName(path) !== undefined;
  if (set === undefined && !counted && urlHint === undefined && !isPattern(path)) return [{ path }];
  try {
    yield* lookAt(path);
    return [{ path }];
  } catch (error) {
    if (!isAbsent(error)) return [{ path, error: refusal(error, path, 'open') }];
  }
  if (counted && urlHint === undefined && !isPattern(path)) {
    return [{ path, error: systemErrorOf('ENOENT', 'open', path, `name@N takes 1 to ${MAX_SHARDS} shards.`) }];
  }
  if (urlHint !== undefined) return [{ path, error: systemErrorOf('ENOENT', 'open', shownUrl(path), urlHint) }];
  return set === undefined ? yield* expandGlob(path) : yield* findShards(path, set);
}

function* expandGlob(path: string): FileQueries<ExpandedPath[]> {
  const { files, faults, leftovers, hidden } = yield* walkFolders(parseGlob(path), path);
  if (files.length === 0 && faults.length === 0) {
    const unfinished = leftovers === 0 ? '' : ` Unfinished files of a writer (.NAME.PID-HEX.tmp) do not count.`;
    const dotted = hidden === 0 ? '' : ' Names that begin with a dot match only a pattern that does.';
    return [{ path, error: systemErrorOf('ENOENT', 'glob', path, `No file matches.${unfinished}${dotted}`) }];
  }
  return [...faults.map((error) => ({ path: error.file ?? path, error })), ...inByteOrder(files)];
}

function inByteOrder(files: readonly string[]): ExpandedPath[] {
  const named = files.map((path) => ({ path, bytes: Buffer.from(path) }));
  named.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  return named.map(({ path }) => ({ path }));
}
