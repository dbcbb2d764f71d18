/** Tests as a user whom permissions bind: root is another user meanwhile. */
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The user `nobody`, who may read neither the clone nor a temporary folder of root's. */
const NOBODY = 65534;

const isRoot = process.geteuid?.() === 0;

/**
 * Calls `work` as such a user. What `work` needs must be loaded before, and its files must lie in a folder of
 * `reachableFolder`.
 */
export async function unprivileged(work: () => Promise<void>): Promise<void> {
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

/** Makes a temporary folder to which other users have a way: TMPDIR may be root's own, as with libpam-tmpdir. */
export function reachableFolder(prefix: string): string {
  const found = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].find((folder) => !isRoot || othersEnter(folder));
  if (found === undefined) throw new Error('Other users than root may enter none of /tmp, /var/tmp, /dev/shm');
  return mkdtempSync(join(found, prefix));
}

/** True if all users may enter `folder` and the folders above it. */
function othersEnter(folder: string): boolean {
  const info = statSync(folder, { throwIfNoEntry: false });
  if (info?.isDirectory() !== true || (info.mode & 0o001) === 0) return false;
  return dirname(folder) === folder || othersEnter(dirname(folder));
}
