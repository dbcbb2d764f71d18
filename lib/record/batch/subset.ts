import { newBatch, partsOf, type RecordBatch } from './record-batch';

/** The records of `batch` at `places` (indices), in the same memory and with their origins; undefined if there are none. */
export function subset(batch: RecordBatch, places: ArrayLike<number>): RecordBatch | undefined {
  const { length } = places;
  if (length === 0) return undefined;
  const { source, begin } = partsOf(batch);
  const frames = new Uint32Array(2 * length);
  for (let i = 0; i < length; i++) {
    frames[2 * i] = source.frames[2 * (begin + places[i]!)]!;
    frames[2 * i + 1] = source.frames[2 * (begin + places[i]!) + 1]!;
  }
  return newBatch({ ...source, frames, origins: (frame) => batch.origin(places[frame]!)! }, 0, length);
}
