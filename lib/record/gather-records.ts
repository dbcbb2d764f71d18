import { native } from '../native';
import type { Bytes, Origin } from './origin';
import { encodedBatch, newBatch, partsOf, type BatchFrames, type RecordBatch } from './record-batch';

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
  const slabs: Uint8Array[] = [];
  const triples = new Uint32Array(3 * length);
  const frames = new Uint32Array(2 * length);
  let bytes = 0;
  for (let i = 0; i < length; i++) {
    const { source } = records.slab(i);
    const frame = records.frame(i);
    let slab = known.get(source);
    if (slab === undefined) {
      known.set(source, (slab = slabs.length));
      slabs.push(source.slab);
    }
    const size = source.frames[2 * frame + 1] as number;
    triples[3 * i] = slab;
    triples[3 * i + 1] = source.frames[2 * frame] as number;
    triples[3 * i + 2] = size;
    frames[2 * i] = bytes;
    frames[2 * i + 1] = size;
    bytes += size;
  }
  const slab = memory(bytes);
  native().gather(slabs, triples, slab);
  return newBatch(
    { ...partsOf(encodedBatch(slab, frames)).source, origins: (frame) => places.origin(frame) as Origin },
    0,
    length,
  );
}
