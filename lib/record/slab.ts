import { constants } from 'node:os';

import { systemError } from './faults';
import type { Bytes } from './origin';

/**
 * Fresh memory of `size` bytes that no user code has seen, not zeroed. Native threads fill it, then its records are
 * handed out; it is never used twice once a record of it was, but by way of a SlabPool, or of `encodeExamples` with `reuse`. @throws TFRecordError ENOMEM, naming `file`.
 */
export function newSlab(size: number, file: string): Bytes {
  try {
    return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
  } catch (cause) {
    throw systemError(constants.errno.ENOMEM, 'malloc', file, cause);
  }
}
