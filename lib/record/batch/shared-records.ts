import { types } from 'node:util';

import {
  invalidArgType,
  invalidArgValue,
  isFalseArray,
  isObject,
  type Bytes,
  type Origin,
  isList,
  isInteger,
} from '../../base';
import { sharedMemory } from '../../io';
import { checkBatchBytes, type BatchFrames } from './batch-frames';

/** Size of a record's pair (offset, length). */
const PAIR_BYTES = 2 * Uint32Array.BYTES_PER_ELEMENT;

/**
 * The records of a batch in shared memory. `RecordBatch.share()` makes it, and `RecordBatch.from()` turns it into a batch
 * in another thread. All its values can be posted; posting does not copy the memory.
 */
export interface SharedRecords {
  /** The file that the records were read from. */
  readonly file: string;
  /** Number of the first record in `file`. */
  readonly firstRecord: number;
  /** A record's offset in the stream of `file` minus the offset of its bytes in `memory`. The same for all records. */
  readonly base: number;
  /** Number of records. */
  readonly length: number;
  /** Two 32-bit numbers per record, its offset in `memory` and its length, followed by the bytes of the records. */
  readonly memory: SharedArrayBuffer;
  /** For gathered records: the origin of each record. */
  readonly origins?: readonly Origin[] | undefined;
}

/** Copies frames `begin` to `end` of `source` into shared memory. @throws TFRecordError ENOMEM */
export function shareFrames(source: BatchFrames, begin: number, end: number): SharedRecords {
  const { file, slab, firstRecord, base, origins } = source;
  const frames = source.frames.subarray(2 * begin, 2 * end);
  let first = Infinity;
  let last = 0;
  for (let i = 0; i < frames.length; i += 2) {
    first = Math.min(first, frames[i]!);
    last = Math.max(last, frames[i]! + frames[i + 1]!);
  }
  if (frames.length === 0) first = 0;
  const length = end - begin;
  const start = PAIR_BYTES * length;
  checkBatchBytes(start + last - first);
  const memory = sharedMemory(start + last - first, file);
  const pairs = new Uint32Array(memory, 0, 2 * length);
  for (let i = 0; i < frames.length; i += 2) {
    pairs[i] = frames[i]! - first + start;
    pairs[i + 1] = frames[i + 1]!;
  }
  new Uint8Array(memory, start).set(slab.subarray(first, last));
  return {
    file,
    firstRecord: firstRecord + begin,
    base: base + first - start,
    length,
    memory,
    origins: origins === undefined ? undefined : Array.from({ length }, (_, i) => origins(begin + i)),
  };
}

/** Returns frames over the memory of shared records. @throws TypeError for anything that `share()` did not return. */
export function framesOfShared(shared: SharedRecords): BatchFrames {
  if (!isObject(shared) || isFalseArray(shared)) throw notShared(shared);
  // Each member is read once: a getter can return something else the next time, as memory that shrinks.
  const { file, firstRecord, base, length, memory, origins } = shared;
  if (!types.isSharedArrayBuffer(memory)) throw notShared(shared);
  // Shared memory can grow, but does not shrink.
  const slab = new Uint8Array(memory) as Uint8Array as Bytes;
  const size = slab.length;
  const known = [firstRecord, base, length].every(Number.isSafeInteger) && length >= 0 && typeof file === 'string';
  if (!known || PAIR_BYTES * length > size) throw unfit(shared);
  // A copy, because other threads could change the memory after the check.
  const frames = new Uint32Array(memory, 0, 2 * length).slice();
  for (let i = 0; i < frames.length; i += 2) {
    if (frames[i]! + frames[i + 1]! > size) throw unfit(shared);
  }
  const places = origins === undefined ? undefined : originsOf(origins, length);
  if (origins !== undefined && places === undefined) throw unfit(shared);
  return { file, slab, frames, firstRecord, base, origins: places && ((frame) => places[frame]!) };
}

/** Returns a copy of `origins`; undefined if they are not those of `length` records. */
function originsOf(origins: unknown, length: number): readonly Origin[] | undefined {
  if (!isList(origins)) return undefined;
  const copies: Origin[] = [];
  for (const origin of origins) {
    const { file, record, offset, bytes } = isObject(origin) ? origin : {};
    if (typeof file !== 'string') return undefined;
    if (!isInteger(record, MIN) || !isInteger(offset, MIN) || !isInteger(bytes, MIN)) return undefined;
    copies.push({ file, record, offset, bytes });
  }
  return copies.length === length ? copies : undefined;
}

const MIN = Number.MIN_SAFE_INTEGER;

function notShared(shared: unknown): TypeError {
  return invalidArgType('shared', 'what share() of a RecordBatch gave', shared);
}

function unfit(shared: SharedRecords): TypeError {
  return invalidArgValue('shared', 'as share() of a RecordBatch gave it', shared);
}
