import { types } from 'node:util';

import { invalidArgValue, TFRecordError } from '../errors';
import { orNoMemory } from './faults';
import type { Bytes } from './origin';

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is only ever called on its argument
const getter = (name: string): unknown => Object.getOwnPropertyDescriptor(typedArray, name)?.get;

// What JavaScript sees of an array may be a subclass's or an own property's word. These are the engine's.
const length = getter('length') as (this: Uint8Array) => number;
const byteOffset = getter('byteOffset') as (this: Uint8Array) => number;
const buffer = getter('buffer') as (this: Uint8Array) => ArrayBufferLike;
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is only ever called on its argument
const { at } = Uint8Array.prototype;

/**
 * The length that `bytes` has, whatever a subclass or an own property says; 0 when its memory was transferred away.
 * `bytes` is a Uint8Array by `types.isUint8Array`, which `instanceof` does not tell.
 */
export function lengthOf(bytes: Uint8Array): number {
  return length.call(bytes);
}

/** The same for the argument `name`. @throws TypeError ERR_INVALID_ARG_VALUE when its memory is gone. */
export function givenLength(name: string, bytes: Uint8Array): number {
  const bytesGiven = length.call(bytes);
  if (bytesGiven === 0 && isDetached(bytes)) {
    throw invalidArgValue(
      name,
      'bytes that are still there, not detached: their ArrayBuffer was transferred (or resized to less)',
      bytes,
    );
  }
  return bytesGiven;
}

/** Bytes `start` to `end` of `bytes`, which has as many, as a view that is no subclass's. */
export function viewOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(buffer.call(bytes), byteOffset.call(bytes) + start, end - start);
}

/**
 * Copies `bytes`, which had `length`, to `to` from `at` on. Shared memory may have grown since: more bytes may be
 * written than `length`, never behind the end of `to`.
 */
export function setBytes(to: Uint8Array, bytes: Uint8Array, at: number, length: number): void {
  try {
    to.set(bytes, at);
  } catch {
    to.set(viewOf(bytes, 0, length), at);
  }
}

/**
 * `bytes`, if only this thread can change them; otherwise a copy, for functions that look at the bytes twice. `file` is
 * the name in errors. @throws TFRecordError ENOMEM
 */
export function unsharedBytes(bytes: Uint8Array, file = '<bytes>'): Uint8Array {
  return isShared(bytes) ? copied(bytes, file) : bytes;
}

/** True if other threads can change `bytes`. */
export function isShared(bytes: Uint8Array): boolean {
  return types.isSharedArrayBuffer(buffer.call(bytes));
}

function copied(bytes: Uint8Array, file: string): Uint8Array {
  const shared = viewOf(bytes, 0, lengthOf(bytes));
  return orNoMemory(file, () => {
    const copy = new Uint8Array(shared.length);
    copy.set(shared);
    return copy;
  });
}

/** An empty array is not. (Node 20 has no `ArrayBuffer.prototype.detached`, which says less, too.) */
function isDetached(bytes: Uint8Array): boolean {
  try {
    // Every method of a typed array begins with this judgement.
    at.call(bytes, 0);
    return false;
  } catch {
    return true;
  }
}

/**
 * `bytes`, which belong to the caller and had `length`, before a part of them is read. @throws TFRecordError TFR_CLOSED
 * when their memory was transferred or resized since: what is left would look like the end of the data.
 */
export function unchanged(bytes: Uint8Array, length: number, file: string): Uint8Array {
  const found = lengthOf(bytes);
  if (found === length) return bytes;
  throw new TFRecordError(
    'TFR_CLOSED',
    `The source bytes were transferred or resized while they were read (${file}): they were ${length} and are ` +
      `${found}. Leave them alone until the end, or give a copy (bytes.slice()).`,
    { file },
  );
}

/**
 * Fresh memory of `size` bytes that no user code has seen, not zeroed. Native threads fill it, then its records are
 * handed out. After that only a SlabPool, or `encodeExamples` with `reuse`, fills it again. @throws TFRecordError ENOMEM,
 * naming `file`.
 */
export function newSlab(size: number, file: string): Bytes {
  return orNoMemory(file, () => new Uint8Array(Buffer.allocUnsafeSlow(size).buffer));
}

/** Memory of `size` bytes that all threads see, zeroed. @throws TFRecordError ENOMEM, naming `file`. */
export function sharedMemory(size: number, file: string): SharedArrayBuffer {
  return orNoMemory(file, () => new SharedArrayBuffer(size));
}
