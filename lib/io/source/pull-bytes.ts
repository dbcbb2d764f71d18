import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../base';
import { givenLength, unchanged } from '../memory/bytes';

/**
 * Pulls the chunks of one stream, of any size and in order. Every source of bytes except a regular file is read through
 * this interface. Only one `next()` may be pending.
 */
export interface ChunkPull {
  /** Returns the next chunk, which may be empty; undefined at the end. Rejects with the source's own error. */
  next(): Promise<Uint8Array | undefined>;
  /** Releases the source. A pending `next()` may stay pending. Idempotent. */
  close(): Promise<void>;
}

/** A chunk of a stream of bytes. */
export type Chunk = Uint8Array | ArrayBuffer;

/** True if `value` is a chunk, from any realm. */
export function isChunk(value: unknown): value is Chunk {
  return types.isUint8Array(value) || types.isAnyArrayBuffer(value);
}

/**
 * Returns the bytes of `chunk`. @throws TypeError ERR_INVALID_ARG_TYPE if it is not a chunk; ERR_INVALID_ARG_VALUE if its
 * memory is detached.
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

/** Pulls bytes in memory as one chunk. `length` is their length when they were given; it is checked when they are read. */
export function pullBytes(bytes: Uint8Array, length: number, file: string): ChunkPull {
  let rest: Uint8Array | undefined = bytes;
  return {
    // Async, so that an error becomes a rejection.
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

/** Pulls a Blob slice by slice, so that only one slice of it is in memory for us. */
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

/** Streams and generators that we have begun to read. Each can be read only once. */
const taken = new WeakSet<object>();

/** Claims `source` for reading. Returns true if it was claimed before. */
export function take(source: object): boolean {
  const before = taken.has(source);
  taken.add(source);
  return before;
}

/**
 * Returns the error for a source that is used up or in use. Reading it would look like an empty file or a part of one.
 * `what` says what the source must be, and `found` why it is not.
 */
export function usedSource(source: object, what: string, found: string): TypeError {
  const reason = `${what}, but it ${found}. Open it again, or keep its bytes if you need them twice`;
  return invalidArgValue('source', reason, source);
}
