import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { leftoverOf } from '../../record';

/** Most entries that are looked at, so that a whole disk is not walked. */
const MOST_ENTRIES = 100_000;

/** Names that TFRecord files have: `a.tfrecord`, `a.tfrecord-00000-of-00002`, `a-00000-of-00002`, `events.out.tfevents…`. */
const RECORD_NAME = /\.tf_?rec(?:ord)?s?\b|-\d{5}-of-\d{5}|\btfevents\b/i;

/**
 * Returns the files in `folder` and below it whose names are those of TFRecord files, or all of them if none is, in the
 * order of their paths. Names that begin with a dot, unfinished files of a writer and links to folders do not count.
 *
 * @throws Node's error if the folder cannot be listed.
 *
 * @example
 * const host = new Host(await filesIn('data'));
 */
export async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [folder];
  let entries = 0;
  for (let next = folders.shift(); next !== undefined && entries < MOST_ENTRIES; next = folders.shift()) {
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
  const named = files.filter((file) => RECORD_NAME.test(file.slice(folder.length)));
  return (named.length > 0 ? named : files).sort((a, b) => (a < b ? -1 : 1));
}

/** False for a link that leads nowhere, too: opening it says why. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (about) => about.isDirectory(),
    () => false,
  );
}
