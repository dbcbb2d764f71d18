import { types } from 'node:util';

import {
  bufferOf,
  invalidArgValue,
  lengthOf,
  orNoMemory,
  viewOf,
  type Bytes,
  tfrecordError,
  aside,
  worded,
} from '../../base';
import { native } from '../../native';

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is only ever called on its argument
const { at } = Uint8Array.prototype;

/** Returns the true length of argument `name`, a typed array. @throws TypeError ERR_INVALID_ARG_VALUE if it is detached. */
export function givenLength(name: string, array: NodeJS.TypedArray): number {
  const found = lengthOf(array);
  if (found === 0 && isDetached(array)) {
    throw invalidArgValue(
      name,
      'bytes whose memory is not detached: their ArrayBuffer was transferred, or resized to less',
      array,
    );
  }
  return found;
}

/**
 * Copies `bytes` to `to`, starting at `at`. `length` is the length of `bytes` when it was checked. Shared memory may have
 * grown since: then more bytes may be written, but never past the end of `to`.
 */
export function setBytes(to: Uint8Array, bytes: Uint8Array, at: number, length: number): void {
  try {
    to.set(bytes, at);
  } catch {
    to.set(viewOf(bytes, 0, length), at);
  }
}

/**
 * Returns `bytes`, or a copy if other threads can change them. For functions that read the bytes twice. `file` is the
 * name in errors. @throws TFRecordError ENOMEM
 */
export function unsharedBytes(bytes: Uint8Array, file = '<bytes>'): Uint8Array {
  return isShared(bytes) ? copyOf(bytes, file) : bytes;
}

/** True if other threads can change `bytes`. */
export function isShared(bytes: Uint8Array): boolean {
  return types.isSharedArrayBuffer(bufferOf(bytes));
}

/** Copies `bytes`, whose memory others can change. @throws TFRecordError ENOMEM, naming `file` */
export function copyOf(bytes: Uint8Array, file: string): Uint8Array {
  const shared = viewOf(bytes, 0, lengthOf(bytes));
  return orNoMemory(file, shared.length, () => {
    const copy = new Uint8Array(shared.length);
    copy.set(shared);
    return copy;
  });
}

/**
 * True if the memory of `array` is gone; an empty array is not detached. Node 20 lacks `ArrayBuffer.prototype.detached`,
 * which also misses views that a resize left out of bounds.
 */
function isDetached(array: NodeJS.TypedArray): boolean {
  try {
    // Every method of a typed array first throws if the array is detached or out of bounds.
    at.call(array, 0);
    return false;
  } catch {
    return true;
  }
}

/**
 * Returns `bytes`, which belong to the caller and had `length` bytes when reading began. @throws TFRecordError TFR_CLOSED
 * if their memory was transferred or resized since: the missing rest would look like the end of the data.
 */
export function unchanged(bytes: Uint8Array, length: number, file: string): Uint8Array {
  const found = lengthOf(bytes);
  if (found === length) return bytes;
  throw tfrecordError(
    'TFR_CLOSED',
    worded`The source bytes were transferred or resized while they were read (${file}): they were ${length} and are ${found}.${aside` Leave them alone until the end, or give a copy (bytes.slice()).`}`,
    { file },
  );
}

/**
 * Allocates `size` bytes, not zeroed. Native threads fill the slab before user code sees its records; after that, only
 * a MemoryPool or `encodeExamples` with `reuse` fills it again. @throws TFRecordError ENOMEM, TFR_RECORD_TOO_LARGE, as
 * {@link orNoMemory}.
 */
export function newSlab(size: number, file: string): Bytes {
  return orNoMemory(file, size, () => new Uint8Array(Buffer.allocUnsafeSlow(size).buffer));
}

/** Frees the memory of a typed array at once: V8 would keep it until a collection. Only for memory that nobody else uses. */
export function freeBytes({ buffer }: { readonly buffer: ArrayBuffer }): void {
  native().detach([buffer]);
}

/** Allocates `size` bytes that all threads can see, zeroed. @throws TFRecordError ENOMEM, naming `file`. */
export function sharedMemory(size: number, file: string): SharedArrayBuffer {
  return orNoMemory(file, size, () => new SharedArrayBuffer(size));
}
