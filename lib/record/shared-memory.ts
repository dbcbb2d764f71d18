import { constants } from 'node:os';

import { systemError } from './faults';

/** Memory of `size` bytes that all threads see, zeroed. @throws TFRecordError ENOMEM, naming `file`. */
export function sharedMemory(size: number, file: string): SharedArrayBuffer {
  try {
    return new SharedArrayBuffer(size);
  } catch (cause) {
    throw systemError(constants.errno.ENOMEM, 'malloc', file, cause);
  }
}
