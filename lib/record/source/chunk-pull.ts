import { types } from 'node:util';

import { invalidArgType } from '../../errors';
import { givenLength } from '../byte-length';

/**
 * The one interface that every source of bytes except a regular file is brought to: chunks of any size, in order, of
 * one stream. One `next()` at a time.
 */
export interface ChunkPull {
  /** The next chunk, which may be empty; undefined at the end. Rejects with the source's own error. */
  next(): Promise<Uint8Array | undefined>;
  /** Gives the source back; a `next()` that is pending may stay so. Idempotent. */
  close(): Promise<void>;
}

/** `chunk`, if it is one. @throws TypeError ERR_INVALID_ARG_TYPE; ERR_INVALID_ARG_VALUE when its memory is gone. */
export function checkChunk(chunk: unknown): Uint8Array {
  if (types.isUint8Array(chunk)) {
    givenLength('chunk', chunk);
    return chunk;
  }
  throw invalidArgType('chunk', 'a Uint8Array: sources give bytes, without an encoding and not in object mode', chunk);
}
