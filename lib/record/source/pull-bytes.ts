import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import { givenLength, unchanged } from '../bytes';

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

/** One chunk: bytes in memory, `length` when they were given. They are copied piece by piece while they are read. */
export function pullBytes(bytes: Uint8Array, length: number, file: string): ChunkPull {
  let rest: Uint8Array | undefined = bytes;
  return {
    // Async: what it throws is to be a rejection.
    async next() {
      const chunk = rest;
      rest = undefined;
      return chunk === undefined ? undefined : unchanged(chunk, length, file);
    },
    close() {
      rest = undefined;
      return Promise.resolve();
    },
  };
}

const SLICE_BYTES = 2 ** 20;

/** A Blob, slice by slice, so that never more than a slice of it is in memory on our behalf. */
export function pullBlob(blob: Blob): ChunkPull {
  let position = 0;
  return {
    async next() {
      if (position >= blob.size) return undefined;
      const slice = blob.slice(position, position + SLICE_BYTES);
      position += SLICE_BYTES;
      return new Uint8Array(await slice.arrayBuffer());
    },
    close() {
      position = Infinity;
      return Promise.resolve();
    },
  };
}

/** Streams and generators that we have begun to read: each is read once. */
const taken = new WeakSet<object>();

/** Notes that `source` is read from now on; whether it was before. */
export function take(source: object): boolean {
  const before = taken.has(source);
  taken.add(source);
  return before;
}

/**
 * For a source that is used up or in use: reading it would look like an empty file, or like a part of one. `what` it
 * has to be, and `found` is why it is not.
 */
export function usedSource(source: object, what: string, found: string): TypeError {
  const reason = `${what}, but it ${found}. Open it again, or keep its bytes if you need them twice`;
  return invalidArgValue('source', reason, source);
}
