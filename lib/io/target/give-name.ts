import { link, lstat, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf } from '../../base';

/** The codes that Windows gives for a file that another program has open. */
const HELD: ReadonlySet<unknown> = new Set(['EACCES', 'EBUSY', 'EPERM']);
/** Errors of systems and disks that have no hard links. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 1280;

/**
 * Gives the finished file `temporary` its name, as `rename` of Node does. On Windows, a virus scanner or an indexer may
 * hold one of the two for a moment, so it tries again, for 2.5 seconds in all, as native writers do.
 */
export async function giveName(temporary: string, path: string): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    try {
      await rename(temporary, path);
      return;
    } catch (error) {
      if (process.platform !== 'win32' || !HELD.has(codeOf(error)) || pause > LAST_PAUSE_MS) throw error;
      await sleep(pause);
    }
  }
}

/**
 * Gives the finished file `temporary` a name that nothing has yet. Where the disk has no hard links, a file that appears at
 * the very moment is replaced. @throws an error EEXIST of Node if there is something called `path`
 */
export async function giveNewName(temporary: string, path: string): Promise<void> {
  try {
    // Unlike a new name, a link never replaces a file.
    await link(temporary, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    const there = await lstat(path).catch(() => undefined);
    if (there !== undefined) throw Object.assign(new Error(`EEXIST: file exists, '${path}'`), { code: 'EEXIST' });
    await giveName(temporary, path);
    return;
  }
  await rm(temporary);
}
