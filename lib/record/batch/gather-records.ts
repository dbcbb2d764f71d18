import { native } from '../../native';
import { type Bytes, type Origin, transferredError } from '../origin';
import {
  encodedBatch,
  frameOrigin,
  isTransferred,
  newBatch,
  partsOf,
  type BatchFrames,
  type RecordBatch,
} from './record-batch';

/** Memory of some records. */
export interface ListedSlab {
  readonly source: BatchFrames;
  /** Nobody but the list's owner has seen its memory, and it stays as it is until its records have left. */
  readonly unseen: boolean;
  /** Number of the list that it was put in last, and its place there: what is asked of each record must be no map. */
  listing: number;
  place: number;
}

/** Records in slabs, in any order. */
export interface ScatteredRecords {
  readonly length: number;
  slab(index: number): ListedSlab;
  /** The record's number among the frames of its slab. */
  frame(index: number): number;
}

/** The same as native code takes them. */
export interface RecordList {
  readonly slabs: readonly Uint8Array[];
  /** Of each record: its slab, its offset in it, its length. */
  readonly records: Uint32Array;
  /** Sum of the lengths. */
  readonly bytes: number;
  /** All slabs are {@link ListedSlab.unseen}. */
  readonly unseen: boolean;
}

let listings = 0;

/** Where `records` lie. @throws TFRecordError TFR_CLOSED for memory that was transferred */
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
      if (isTransferred(source)) throw transferredError(frameOrigin(source, records.frame(i)), undefined);
      slab.listing = listing;
      slab.place = slabs.push(source.slab) - 1;
      unseen &&= slab.unseen;
    }
    const frame = 2 * records.frame(i);
    const size = source.frames[frame + 1]!;
    numbers[3 * i] = slab.place;
    numbers[3 * i + 1] = source.frames[frame]!;
    numbers[3 * i + 2] = size;
    bytes += size;
  }
  return { slabs, records: numbers, bytes, unseen };
}

/**
 * A batch of `records`, copied side by side into what `memory` gives for their bytes. `places`: where each was read.
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
