import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { HEADER_BYTES } from '../../base';
import { leftoverOf } from '../../io';
import { crc32c, maskCrc32c } from '../crc32c';

/** Most entries that are looked at, so that a whole disk is not walked. */
const MOST_ENTRIES = 100_000;

/** Names that TFRecord files have: `a.tfrecord`, `a.tfrecord-00000-of-00002`, `a-00000-of-00002`, `events.out.tfevents…`. */
const RECORD_NAME = /\.tf_?rec(?:ord)?s?\b|-\d{5}-of-\d{5}|\btfevents\b/i;

/** Files whose beginnings are read at a time. */
const AT_ONCE = 16;
/** Bytes of a file that are inflated to find the first length. */
const HEAD_BYTES = 512;

/** The rest of a folder, of which {@link filesIn} returned some files. */
export interface LeftOut {
  /** Files that neither have the name of a TFRecord file nor begin like one. */
  readonly files: readonly string[];
  /** True if the folder has so many entries that not all of them were looked at. */
  readonly unread: boolean;
}

/** Options of {@link filesIn}. */
export interface FilesInOptions {
  /** Called once if files are left out. */
  readonly onLeftOut?: ((left: LeftOut) => void) | undefined;
}

/**
 * Returns the files in `folder` and below it that have the name of a TFRecord file or begin like one, or all of them if
 * none does, in the order of their paths. Names that begin with a dot, unfinished files of a writer and links to folders
 * do not count.
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
  for (let next = folders.shift(); next !== undefined; next = entries < MOST_ENTRIES ? folders.shift() : undefined) {
    const path = next;
    const listed = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      // Nobody named the folders further down.
      if (path === folder) throw error;
      return [];
    });
    entries += listed.length;
    for (const entry of listed) {
      if (entry.name.startsWith('.') || leftoverOf(entry.name, entry.isDirectory()) !== undefined) continue;
      if (entry.isDirectory()) folders.push(join(path, entry.name));
      else if (entry.isFile() || (entry.isSymbolicLink() && !(await isFolder(join(path, entry.name))))) {
        files.push(join(path, entry.name));
      }
    }
  }
  files.sort((a, b) => (a < b ? -1 : 1));
  const others = files.filter((file) => !RECORD_NAME.test(file.slice(folder.length)));
  const left = new Set<string>();
  for (let at = 0; at < others.length; at += AT_ONCE) {
    const some = others.slice(at, at + AT_ONCE);
    const areRecords = await Promise.all(some.map(beginsLikeRecords));
    some.forEach((file, i) => {
      if (areRecords[i] !== true) left.add(file);
    });
  }
  // If there is nothing else, opening a file says why it cannot be read.
  if (left.size === files.length) left.clear();
  const unread = folders.length > 0;
  if (left.size > 0 || unread) onLeftOut?.({ files: [...left], unread });
  return files.filter((file) => !left.has(file));
}

/** True if the length of a first record has a right checksum, in a plain file, GZIP or ZLIB. */
async function beginsLikeRecords(path: string): Promise<boolean> {
  try {
    // A pipe would keep the call waiting.
    if (!(await stat(path)).isFile()) return false;
    const head = new Uint8Array(HEAD_BYTES);
    const file = await open(path);
    try {
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- only folders need it, and it takes some milliseconds
      const { constants, gunzipSync, inflateSync } = require('node:zlib') as typeof import('node:zlib');
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

/** False for a link that leads nowhere, too: opening it says why. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (about) => about.isDirectory(),
    () => false,
  );
}
