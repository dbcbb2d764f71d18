/** Finds records that are no Examples: protobuf passes over all their fields, so that a table would have empty rows. */
import { TFRecordError } from '../../errors';
import { isSet, recordType, surveyBatches, type TableBatch } from '../../example';
import { ErrorPolicy, partsOf, type RecordBatch } from '../../record';
import { sliceOf } from '../batches';

/** The tags with which Examples and SequenceExamples begin. */
const TAGS: readonly (number | undefined)[] = [0x0a, 0x12];

/** The first record of `batch` that is of a foreign type, and the error about it. `table`: the rows of the first records. */
export async function firstForeign(
  batch: RecordBatch,
  { rows, vectors }: TableBatch,
): Promise<{ readonly row: number; readonly error: TFRecordError } | undefined> {
  const { source, begin } = partsOf(batch);
  const { slab, frames } = source;
  // A column without missing values has one in each row.
  const mayBeEmpty = vectors.every(({ validity }) => validity !== undefined);
  for (let row = 0; row < rows; row++) {
    const frame = 2 * (begin + row);
    if (frames[frame + 1] === 0) continue;
    const isEmpty = mayBeEmpty && vectors.every(({ validity }) => !isSet(validity, row));
    if (!isEmpty && TAGS.includes(slab[frames[frame]!])) continue;
    const type = recordType(batch.at(row)!);
    if (type === 'Example' || type === 'SequenceExample') continue;
    const error = await refusal(sliceOf(batch, row, row + 1));
    if (error !== undefined) return { row, error };
  }
  return undefined;
}

/** The error that a survey of all records has for the only record of `batch`, if it is one. */
async function refusal(batch: RecordBatch): Promise<TFRecordError | undefined> {
  const batches = [batch];
  try {
    await surveyBatches(() => Promise.resolve(batches.pop()), new ErrorPolicy('throw'));
    return undefined;
  } catch (error) {
    if (error instanceof TFRecordError) return error;
    throw error;
  }
}
