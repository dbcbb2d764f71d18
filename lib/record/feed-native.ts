import { constants } from 'node:os';

import { systemError } from './faults';

/** Calls `feed`, which copies a chunk of `file` into native's queue. @throws TFRecordError ENOMEM. */
export function feedNative(file: string, feed: () => void): void {
  try {
    feed();
  } catch (cause) {
    // The one thing that can be wrong with it.
    throw systemError(constants.errno.ENOMEM, 'malloc', file, cause);
  }
}
