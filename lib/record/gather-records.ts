import { native } from '../native';
import type { Bytes, Origin } from './origin';
import { encodedBatch, newBatch, partsOf, type BatchFrames, type RecordBatch } from './record-batch';

const EMPTY = new Uint8Array(0);

/** Records in slabs, in any order. */
export interface ScatteredRecords {
  readonly length: number;
  slab(index: number): { readonly source: BatchFrames };
  /** The record's number among the frames of its slab. */
  frame(index: number): number;
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
  const known = new Map<BatchFrames, number>();
  // The first is where they go.
  const buffers: Uint8Array[] = [EMPTY];
  const copies = new Uint32Array(5 * length);
  const frames = new Uint32Array(2 * length);
  let bytes = 0;
  for (let i = 0; i < length; i++) {
    const { source } = records.slab(i);
    const frame = records.frame(i);
    let slab = known.get(source);
    if (slab === undefined) {
      known.set(source, (slab = buffers.length));
      buffers.push(source.slab);
    }
    const size = source.frames[2 * frame + 1] as number;
    copies[5 * i] = slab;
    copies[5 * i + 1] = source.frames[2 * frame] as number;
    copies[5 * i + 3] = bytes;
    copies[5 * i + 4] = size;
    frames[2 * i] = bytes;
    frames[2 * i + 1] = size;
    bytes += size;
  }
  const slab = memory(bytes);
  buffers[0] = slab;
  native().copyAll(buffers, copies, length);
  return newBatch(
    { ...partsOf(encodedBatch(slab, frames)).source, origins: (frame) => places.origin(frame) as Origin },
    0,
    length,
  );
}
