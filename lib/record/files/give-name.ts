import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf } from '../faults';

/** What Windows says of a file that another program has open. */
const HELD: ReadonlySet<unknown> = new Set(['EACCES', 'EBUSY', 'EPERM']);
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
