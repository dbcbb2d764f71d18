import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
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

/** A piece of a stream of bytes. */
export type Chunk = Uint8Array | ArrayBuffer;

/** True if `value` is a chunk, from any realm. */
export function isChunk(value: unknown): value is Chunk {
  return types.isUint8Array(value) || types.isAnyArrayBuffer(value);
}

/**
 * The bytes of `chunk`. @throws TypeError ERR_INVALID_ARG_TYPE if it is no chunk; ERR_INVALID_ARG_VALUE if its memory
 * is gone.
 */
export function checkChunk(chunk: unknown): Uint8Array {
  if (types.isUint8Array(chunk)) {
    givenLength('chunk', chunk);
    return chunk;
  }
  if (types.isAnyArrayBuffer(chunk)) return bytesOf(chunk);
  throw invalidArgType(
    'chunk',
    'a Uint8Array or an ArrayBuffer: sources give bytes, without an encoding and not in object mode',
    chunk,
  );
}

function bytesOf(buffer: ArrayBufferLike): Uint8Array {
  try {
    return new Uint8Array(buffer);
  } catch {
    throw invalidArgValue('chunk', 'an ArrayBuffer that was not transferred', buffer);
  }
}
