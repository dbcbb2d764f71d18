import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../base';
import { givenLength } from '../memory/bytes';

/** A chunk of a stream of bytes. */
export type Chunk = Uint8Array | ArrayBuffer;

/** True if `value` is a chunk, from any realm. */
export function isChunk(value: unknown): value is Chunk {
  return types.isUint8Array(value) || types.isAnyArrayBuffer(value);
}

/**
 * Returns the bytes of `chunk`, which errors call `name`. @throws TypeError ERR_INVALID_ARG_TYPE if it is not a chunk;
 * ERR_INVALID_ARG_VALUE if its memory is detached.
 */
export function checkChunk(chunk: unknown, name = 'chunk'): Uint8Array {
  if (types.isUint8Array(chunk)) {
    givenLength(name, chunk);
    return chunk;
  }
  if (types.isAnyArrayBuffer(chunk)) return bytesOf(chunk, name);
  throw invalidArgType(
    name,
    'a Uint8Array or an ArrayBuffer: sources give bytes, without an encoding and not in object mode',
    chunk,
  );
}

function bytesOf(buffer: ArrayBufferLike, name: string): Uint8Array {
  try {
    return new Uint8Array(buffer);
  } catch {
    throw invalidArgValue(name, 'an ArrayBuffer that was not transferred', buffer);
  }
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
