import { constants } from 'node:os';

import { systemError } from './faults';
import type { Bytes } from './origin';

/** Slabs for small inputs are no smaller than this: a compressed file may hold more than its size tells. */
const MIN_SLAB_BYTES = 16 * 1024;
/** What a reader needs beyond the bytes of the file to see in one fill that it ended. */
const END_MARGIN = 64;

/**
 * Fresh memory of `size` bytes that no user code has seen, not zeroed. Native threads fill it, then its records are
 * handed out; it is never used twice once a record of it was. @throws TFRecordError ENOMEM, naming `file`.
 */
export function newSlab(size: number, file: string): Bytes {
  try {
    return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
  } catch (cause) {
    throw systemError(constants.errno.ENOMEM, 'malloc', file, cause);
  }
}

/** Size of the slabs for an input of `inputBytes`, when that is known: no more than it needs, at most `batchBytes`. */
export function slabSize(batchBytes: number, inputBytes: number | undefined): number {
  if (inputBytes === undefined) return batchBytes;
  return Math.min(batchBytes, Math.max(MIN_SLAB_BYTES, inputBytes + END_MARGIN));
}
