/** Batches of neighbouring records of another batch, in the same memory, and batches of records that were made of numbered rows. */
import { type Origin } from '../base';
import { newBatch, partsOf, type RecordBatch } from '../record';
import type { UnitBatch } from './format';

/** The records of `batch` from `start` to `end` (exclusive). */
export function sliceOf(batch: RecordBatch, start: number, end = batch.length): RecordBatch {
  if (start === 0 && end === batch.length) return batch;
  const { source, begin } = partsOf(batch);
  return newBatch(source, begin + start, begin + end);
}

/** The lines of `portion` from `start` to `end` (exclusive). */
export function linesOf({ batch, input, numbers }: UnitBatch, start: number, end = batch.length): UnitBatch {
  return { batch: sliceOf(batch, start, end), input, numbers: numbers + start };
}

/** Number of threads that read the lines of a portion. */
export const LINE_PARTS = 2;

/** Divides `portion` into up to `count` parts that have lines, for as many threads. */
export function partsOfLines(portion: UnitBatch, count: number): readonly UnitBatch[] {
  const { length } = portion.batch;
  const size = Math.ceil(length / count);
  return Array.from({ length: count }, (_, i) => i * size)
    .filter((begin) => begin < length)
    .map((begin) => linesOf(portion, begin, Math.min(begin + size, length)));
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
