import { constants } from 'node:os';

import { native, type ReaderHandle } from '../native';
import { systemError } from './faults';

/** Copies `chunk` of `file` into the reader's queue; `last` ends it. @throws TFRecordError ENOMEM. */
export function feedNative(handle: ReaderHandle, file: string, chunk: Uint8Array, last: boolean): void {
  try {
    native().readerFeed(handle, chunk, last);
  } catch (cause) {
    // The one thing that can be wrong with it.
    throw systemError(constants.errno.ENOMEM, 'malloc', file, cause);
  }
}
