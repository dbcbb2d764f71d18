import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { HEADER_BYTES } from '../../base';
import { leftoverOf, liesBesideRecords } from '../../io';
import { crc32c, maskCrc32c } from '../crc32c';

/** Maximum number of entries to list, so that a whole disk is not walked. */
const MAX_ENTRIES = 100_000;

/**
 * Matches names of TFRecord files: `a.tfrecord`, `a.tfrecord-00000-of-00002`, `a-00000-of-00002`,
 * `events.out.tfevents…`.
 */
const RECORD_NAME = /\.tf_?rec(?:ord)?s?\b|-\d{5}-of-\d{5}|\btfevents\b/i;

/** Matches names of indexes of other programs. They lie beside records and have their names, and so need the beginning, too. */
const FOREIGN_INDEX = /\.(?:gzi|gzidx|idx)$/i;

/** Number of files whose beginnings are read at a time. */
const AT_ONCE = 16;
/** Number of bytes of a file that are inflated to find the first length. */
const HEAD_BYTES = 512;

/** The files of a folder that {@link filesIn} did not return. */
export interface LeftOut {
  /** Files that have neither the name nor the beginning of a TFRecord file. */
  readonly files: readonly string[];
  /** True if the folder has too many entries, and not all were listed. */
  readonly unread: boolean;
}

/** Options of {@link filesIn}. */
export interface FilesInOptions {
  /** Called once if files are left out. */
  readonly onLeftOut?: ((left: LeftOut) => void) | undefined;
}

/**
 * Returns the files in and below `folder` that have the name or the beginning of a TFRecord file, or all files if none
 * has, in the order of their paths. Names that begin with a dot, saved indexes, manifests, unfinished files of a writer, and
 * links to folders are ignored.
 *
 * @throws Node's error if the folder cannot be listed.
 *
 * @example
 * const host = new Host(await filesIn('data'));
 */
export async function filesIn(folder: string, { onLeftOut }: FilesInOptions = {}): Promise<string[]> {
  const files: string[] = [];
  const folders = [folder];
  let entries = 0;
  for (let next = folders.shift(); next !== undefined; next = entries < MAX_ENTRIES ? folders.shift() : undefined) {
    const path = next;
    const listed = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      // Errors of subfolders, which the user did not name, are ignored.
      if (path === folder) throw error;
      return [];
    });
    entries += listed.length;
    for (const entry of listed) {
      if (entry.name.startsWith('.') || leftoverOf(entry.name, entry.isDirectory()) !== undefined) continue;
      if (liesBesideRecords(entry.name) && !entry.isDirectory()) continue;
      if (entry.isDirectory()) folders.push(join(path, entry.name));
      else if (entry.isFile() || (entry.isSymbolicLink() && !(await isFolder(join(path, entry.name))))) {
        files.push(join(path, entry.name));
      }
    }
  }
  files.sort((a, b) => (a < b ? -1 : 1));
  const others = files.filter((file) => !RECORD_NAME.test(file.slice(folder.length)) || FOREIGN_INDEX.test(file));
  const left = new Set<string>();
  for (let at = 0; at < others.length; at += AT_ONCE) {
    const some = others.slice(at, at + AT_ONCE);
    const areRecords = await Promise.all(some.map(beginsLikeRecords));
    some.forEach((file, i) => {
      if (areRecords[i] !== true) left.add(file);
    });
  }
  // If there are no other files, all are returned: opening one reports why it cannot be read.
  if (left.size === files.length) left.clear();
  const unread = folders.length > 0;
  if (left.size > 0 || unread) onLeftOut?.({ files: [...left], unread });
  return files.filter((file) => !left.has(file));
}

/** Resolves to true if the length of the first record has a valid checksum, in a plain, GZIP or ZLIB file. */
async function beginsLikeRecords(path: string): Promise<boolean> {
  try {
    // Reading a pipe could wait for ever.
    if (!(await stat(path)).isFile()) return false;
    const head = new Uint8Array(HEAD_BYTES);
    const file = await open(path);
    try {
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- only folders need it, and it takes some milliseconds
      const { constants, gunzipSync, inflateSync } = require('node:zlib');
      const options = { finishFlush: constants.Z_SYNC_FLUSH };
      const bytes = head.subarray(0, bytesRead);
      return [() => bytes, () => gunzipSync(bytes, options), () => inflateSync(bytes, options)].some(hasLength);
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

/** True if the bytes that `inflate` returns begin with a length and its checksum. */
function hasLength(inflate: () => Uint8Array): boolean {
  try {
    const bytes = inflate();
    if (bytes.length < HEADER_BYTES) return false;
    return Buffer.from(bytes).readUInt32LE(8) === maskCrc32c(crc32c(bytes.subarray(0, 8)));
  } catch {
    return false;
  }
}

/** Resolves to true for a folder; to false also for a broken link, for which opening reports the error. */
function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (about) => about.isDirectory(),
    () => false,
  );
}
