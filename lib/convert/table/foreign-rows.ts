/** Finds records that are no Examples: protobuf passes over all their fields, so that a table would have empty rows. */
import { TFRecordError } from '../../errors';
import { isSet, recordType, surveyBatches, type TableBatch } from '../../example';
import { ErrorPolicy, type Bytes, type RecordBatch } from '../../record';
import { sliceOf } from '../batches';

/** The tags with which Examples and SequenceExamples begin. */
const TAGS: readonly (number | undefined)[] = [0x0a, 0x12];

/** The first row of `table`, the rows of `batch`, whose record is of a foreign type, and the error about it. */
export async function firstForeign(
  batch: RecordBatch,
  { rows, vectors }: TableBatch,
): Promise<{ readonly row: number; readonly error: TFRecordError } | undefined> {
  // A column without missing values has one in each row.
  const mayBeEmpty = vectors.every(({ validity }) => validity !== undefined);
  for (let row = 0; row < rows; row++) {
    const record = batch.at(row)!;
    const isEmpty = mayBeEmpty && vectors.every(({ validity }) => !isSet(validity, row));
    if (!isSuspect(record, isEmpty)) continue;
    const error = await refusal(sliceOf(batch, row, row + 1));
    if (error !== undefined) return { row, error };
  }
  return undefined;
}

function isSuspect(record: Bytes, isEmpty: boolean): boolean {
  if (record.length === 0 || (!isEmpty && TAGS.includes(record[0]))) return false;
  const type = recordType(record);
  return type !== 'Example' && type !== 'SequenceExample';
}

/** The error that a survey of all records has for the only record of `batch`, if it is one. */
async function refusal(batch: RecordBatch): Promise<TFRecordError | undefined> {
  const batches = [batch];
  const inputs = {
    next: () => Promise.resolve(batches.pop()),
    breathe: () => undefined,
    compressedBytes: 0,
    totalBytes: undefined,
    compression: undefined,
    files: [],
  };
  try {
    await surveyBatches(inputs, new ErrorPolicy('throw'));
    return undefined;
  } catch (error) {
    if (error instanceof TFRecordError) return error;
    throw error;
  }
}
