import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';

import { codeOf, systemErrorOf, type TFRecordError } from '../../base';
import type { GlobPattern } from './glob';
import { identityOf, isAbsent, listFolder, lookThrough, refusal, type FileQueries } from './looking';
import { MANIFEST_SUFFIX } from './shard-names';

/** The matches of a pattern, in no particular order. */
interface Matches {
  /** All matches except folders. Broken links are included: opening them reports the error. */
  readonly files: string[];
  /** One error for each folder or name that could hold matches but cannot be read. */
  readonly faults: TFRecordError[];
  /** Number of temporary files of writers, killed or still at work, that were left out of the matches. */
  leftovers: number;
  /** Number of other entries that do not match because only their names begin with a dot. */
  hidden: number;
}

interface Folder {
  /** The path with a slash at its end; empty for the working directory. */
  readonly path: string;
  readonly positions: readonly number[];
  readonly parent: Folder | undefined;
  /** True if a link leads to it, or to a folder above it. */
  readonly linked: boolean;
  identity: string | undefined;
}

/** Finds the matches of `pattern`; `name` is its text. Links are followed; a cycle of links is walked only once. */
export function* walkFolders(pattern: GlobPattern, name: string): FileQueries<Matches> {
  const matches: Matches = { files: [], faults: [], leftovers: 0, hidden: 0 };
  const hint = `Files that '${name}' matches may be in there.`;
  const folders: Folder[] = [
    { path: pattern.prefix, positions: pattern.start, parent: undefined, linked: false, identity: undefined },
  ];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      if (yield* isRepeated(folder)) continue;
      for (const entry of yield* listFolder(folder.path === '' ? '.' : folder.path)) {
        const inner = yield* takeEntry(pattern, name, folder, entry, matches, hint);
        if (inner !== undefined) folders.push(inner);
      }
    } catch (error) {
      // A folder that does not exist has no matches.
      if (!isAbsent(error)) matches.faults.push(refusal(error, nameOf(folder.path), 'scandir', hint));
    }
  }
  return matches;
}

/** Adds `entry` to `matches` if it matches `pattern`, whose text is `text`. Returns the folder that it is or leads to, if something below may match. */
function* takeEntry(
  pattern: GlobPattern,
  text: string,
  folder: Folder,
  entry: Dirent<Buffer>,
  matches: Matches,
  hint: string,
): FileQueries<Folder | undefined> {
  const { files, faults } = matches;
  const name = entry.name.toString();
  const positions = pattern.after(folder.positions, name);
  if (positions.length === 0) {
    if (!pattern.hides(folder.positions, name)) return undefined;
    if (leftoverOf(name, entry.isDirectory()) === undefined) matches.hidden++;
    else matches.leftovers++;
    return undefined;
  }
  const path = folder.path + name;
  const isEnd = pattern.isEnd(positions);
  const continues = pattern.continues(positions);
  const isLink = entry.isSymbolicLink();
  if (!isUtf8(entry.name)) {
    const matters = isLink
      ? isEnd || (yield* leadsToFolder(folder, entry.name))
      : entry.isDirectory()
        ? continues
        : isEnd;
    if (matters) faults.push(unnamable(folder, entry.name));
    return undefined;
  }
  try {
    const isFolder = isLink ? (yield* lookThrough(path)).isDirectory() : entry.isDirectory();
    if (leftoverOf(name, isFolder) !== undefined) {
      matches.leftovers++;
      return undefined;
    }
    if (!isFolder && isEnd && !liesBesideRecords(name, text)) files.push(path);
    if (isFolder && continues)
      return { path: `${path}/`, positions, parent: folder, linked: folder.linked || isLink, identity: undefined };
  } catch (error) {
    // Opening it reports the error.
    if (isEnd) files.push(path);
    // Nothing below a broken link can match.
    else if (!leadsNowhere(error)) faults.push(refusal(error, path, 'scandir', hint));
  }
  return undefined;
}

function* leadsToFolder(folder: Folder, link: Buffer): FileQueries<boolean> {
  try {
    return (yield* lookThrough(Buffer.concat([Buffer.from(folder.path), link]))).isDirectory();
  } catch (error) {
    return !leadsNowhere(error);
  }
}

function leadsNowhere(error: unknown): boolean {
  return isAbsent(error) || codeOf(error) === 'ELOOP';
}

/** True if links form a cycle: a folder above is the same folder, at the same positions of the pattern. */
function* isRepeated(folder: Folder): FileQueries<boolean> {
  if (!folder.linked) return false;
  folder.identity = yield* identityOf(folder.path);
  for (let above = folder.parent; above !== undefined; above = above.parent) {
    above.identity ??= yield* identityOf(above.path === '' ? '.' : above.path);
    if (above.identity === folder.identity && String(above.positions) === String(folder.positions)) return true;
  }
  return false;
}

/** Returns the error for a name that is not UTF-8: paths are text, so such a file cannot be opened. */
function unnamable(folder: Folder, name: Buffer): TFRecordError {
  const shown = name.toString('latin1').replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  const hint = `The name '${shown}' in this folder is not UTF-8, so it cannot be opened: rename it.`;
  return systemErrorOf('EILSEQ', 'scandir', nameOf(folder.path), hint);
}

function nameOf(path: string): string {
  if (path === '') return '.';
  return path === '/' ? path : path.slice(0, -1);
}

// The names of files that a killed process leaves behind: temporary files of a RecordWriter (`.NAME.PID-HEX.tmp`, from
// native/core/io/temporary_path.cc) and temporary folders of a disk cache (`FOLDER.PID-HEX.tmp`). They may be incomplete;
// while their process runs, it still writes them.

const FILE = /^\..+\.(\d{1,10})-[\da-f]{12}\.tmp$/s;
const FOLDER = /^.+\.(\d{1,10})-[\da-f]{16}\.tmp$/s;

/**
 * Returns the process id in `name`, a name without its folder, if it is a RecordWriter's temporary file or a disk cache's
 * temporary folder; undefined for other names. Patterns do not match such files, nor files in such folders.
 */
export function leftoverOf(name: string, isFolder: boolean): string | undefined {
  return (isFolder ? FOLDER : FILE).exec(name)?.[1];
}

/** The end of the name of a saved index, which lies beside its file. */
export const INDEX_SUFFIX = '.tfindex';

/** The ends of the names of files that lie beside records, and of the patterns that match them. */
const BESIDE = [
  { end: INDEX_SUFFIX, meant: INDEX_SUFFIX },
  { end: MANIFEST_SUFFIX, meant: '.json' },
];

/** True for the name of a saved index or a manifest, which only patterns that end so match. */
export function liesBesideRecords(name: string, pattern = ''): boolean {
  return BESIDE.some(({ end, meant }) => name.endsWith(end) && !pattern.endsWith(meant));
}
