import { native } from '../native';
import type { Origin } from './origin';
import { encodedBatch, newBatch, partsOf, type BatchFrames, type RecordBatch } from './record-batch';
import { newSlab } from './slab';

/** Records in slabs, in any order. */
export interface ScatteredRecords {
  readonly length: number;
  slab(index: number): BatchFrames;
  /** The record's number among the frames of its slab. */
  frame(index: number): number;
}

/** A batch of `records`, copied side by side into memory of their own. `origins`: where the record of a frame was read. */
export function gatherRecords(records: ScatteredRecords, origins: (frame: number) => Origin): RecordBatch {
  const { length } = records;
  const known = new Map<BatchFrames, number>();
  const slabs: Uint8Array[] = [];
  const places = new Uint32Array(3 * length);
  const frames = new Uint32Array(2 * length);
  let bytes = 0;
  for (let i = 0; i < length; i++) {
    const source = records.slab(i);
    const frame = records.frame(i);
    let slab = known.get(source);
    if (slab === undefined) {
      known.set(source, (slab = slabs.length));
      slabs.push(source.slab);
    }
    const size = source.frames[2 * frame + 1] as number;
    places[3 * i] = slab;
    places[3 * i + 1] = source.frames[2 * frame] as number;
    places[3 * i + 2] = size;
    frames[2 * i] = bytes;
    frames[2 * i + 1] = size;
    bytes += size;
  }
  const slab = newSlab(bytes, length === 0 ? '<gathered>' : records.slab(0).file);
  native().gather(slabs, places, slab);
  return newBatch({ ...partsOf(encodedBatch(slab, frames)).source, origins }, 0, length);
}
