/** Batches of neighbouring records of another batch, in the same memory, and batches of records that were made of numbered rows. */
import { type Origin } from '../base';
import { newBatch, partsOf, type RecordBatch } from '../record';

/** The records of `batch` from `start` to `end` (exclusive). */
export function sliceOf(batch: RecordBatch, start: number, end = batch.length): RecordBatch {
  if (start === 0 && end === batch.length) return batch;
  const { source, begin } = partsOf(batch);
  return newBatch(source, begin + start, begin + end);
}

/** A batch of the encoded records of `batch`: record `i` was row `numberOf(i)` of `file`. */
export function numbered(batch: RecordBatch, file: string, numberOf: (i: number) => number): RecordBatch {
  const { source } = partsOf(batch);
  const { frames } = source;
  const origins = (frame: number): Origin => ({
    file,
    record: numberOf(frame),
    offset: frames[2 * frame]!,
    bytes: frames[2 * frame + 1]!,
  });
  return newBatch({ ...source, file, origins }, 0, batch.length);
}
