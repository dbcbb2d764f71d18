import { native } from '../../native';
import { newSlab } from '../../io';
import { type Bytes, type Origin, transferredError } from '../../base';
import { checkBatchBytes, frameOrigin, type BatchFrames } from './batch-frames';
import { encodedBatch, newBatch, partsOf, type RecordBatch } from './record-batch';

/** A slab with some of the records to gather. */
export interface ListedSlab {
  readonly source: BatchFrames;
  /** True if no user code has seen the memory, and it stays unchanged until its records are gathered. */
  readonly unseen: boolean;
  /**
   * Number of the list that has the slab. It is stored here, with `place`, because a map would cost a lookup per record.
   */
  listing: number;
  /** Index of the slab in that list. */
  place: number;
}

/** Records in slabs, in any order. */
export interface ScatteredRecords {
  readonly length: number;
  slab(index: number): ListedSlab;
  /** Returns the index of the record among the frames of its slab. */
  frame(index: number): number;
}

/** Records in the form that `RecordBinding.gather` takes. */
export interface ListedRecords {
  readonly slabs: readonly Uint8Array[];
  /** Three numbers per record: index of its slab, offset in the slab, length. */
  readonly records: Uint32Array;
}

/** Records of a batch, or of several. */
export interface RecordList extends ListedRecords {
  /** Sum of the lengths. */
  readonly bytes: number;
  /** True if all slabs are {@link ListedSlab.unseen}. */
  readonly unseen: boolean;
}

/** Returns record `i` of a list, as a view. */
export function listedRecord({ slabs, records }: ListedRecords, i: number): Bytes {
  const slab = slabs[records[3 * i]!]!;
  return new Uint8Array(slab.buffer as ArrayBuffer, slab.byteOffset + records[3 * i + 1]!, records[3 * i + 2]);
}

let listings = 0;

/** Lists the places of `records`. @throws TFRecordError TFR_CLOSED if memory was transferred away. */
export function listRecords(records: ScatteredRecords): RecordList {
  const { length } = records;
  const listing = ++listings;
  const slabs: Uint8Array[] = [];
  const numbers = new Uint32Array(3 * length);
  let bytes = 0;
  let unseen = true;
  for (let i = 0; i < length; i++) {
    const slab = records.slab(i);
    const { source } = slab;
    if (slab.listing !== listing) {
      slab.listing = listing;
      slab.place = slabs.push(source.slab) - 1;
      unseen &&= slab.unseen;
    }
    const frame = records.frame(i);
    const offset = source.frames[2 * frame]!;
    const size = source.frames[2 * frame + 1]!;
    checkMemory(source, frame, offset + size);
    numbers[3 * i] = slab.place;
    numbers[3 * i + 1] = offset;
    numbers[3 * i + 2] = size;
    bytes += size;
  }
  checkBatchBytes(bytes);
  return { slabs, records: numbers, bytes, unseen };
}

/**
 * Native code refuses records beyond their slab, with an error that names nothing. @throws TFRecordError TFR_CLOSED if the
 * record in `frame`, which ends at `end`, has lost its memory
 */
function checkMemory(source: BatchFrames, frame: number, end: number): void {
  if (end > source.slab.length) throw transferredError(frameOrigin(source, frame), undefined);
}

/**
 * Copies `records`, one after another, into new memory, and returns their batch. `file`: for errors about memory.
 * @throws TFRecordError TFR_RECORD_TOO_LARGE, ENOMEM
 */
export function batchOf(records: readonly Uint8Array[], file: string): RecordBatch {
  const frames = new Uint32Array(2 * records.length);
  let bytes = 0;
  for (const [i, { length }] of records.entries()) {
    frames[2 * i] = bytes;
    frames[2 * i + 1] = length;
    bytes += length;
  }
  checkBatchBytes(bytes);
  // An empty slab would look as if it had been transferred.
  const slab = newSlab(Math.max(1, bytes), file);
  for (const [i, record] of records.entries()) slab.set(record, frames[2 * i]);
  return encodedBatch(slab, frames);
}

/** Lists the places of the records of `batch`. @throws TFRecordError TFR_CLOSED if memory was transferred away. */
export function listBatch(batch: RecordBatch): RecordList {
  const { source, begin } = partsOf(batch);
  const { slab, frames } = source;
  const records = new Uint32Array(3 * batch.length);
  let bytes = 0;
  for (let i = 0; i < batch.length; i++) {
    const frame = begin + i;
    const offset = frames[2 * frame]!;
    const size = frames[2 * frame + 1]!;
    checkMemory(source, frame, offset + size);
    records[3 * i + 1] = offset;
    records[3 * i + 2] = size;
    bytes += size;
  }
  return { slabs: [slab], records, bytes, unseen: false };
}

/**
 * Copies `records`, one after another, into the slab that `memory` returns for their total size, and returns their batch.
 * `places` gives each record's origin.
 */
export function gatherRecords(
  records: ScatteredRecords,
  places: { origin(frame: number): Origin | undefined },
  memory: (bytes: number) => Bytes,
): RecordBatch {
  const { length } = records;
  const list = listRecords(records);
  const slab = memory(list.bytes);
  native().gather(list.slabs, list.records, length, slab);
  const frames = new Uint32Array(2 * length);
  for (let i = 0, at = 0; i < length; i++) {
    const size = list.records[3 * i + 2]!;
    frames[2 * i] = at;
    frames[2 * i + 1] = size;
    at += size;
  }
  return newBatch(
    { ...partsOf(encodedBatch(slab, frames)).source, origins: (frame) => places.origin(frame)! },
    0,
    length,
  );
}
