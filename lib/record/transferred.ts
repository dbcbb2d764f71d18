import { TFRecordError } from '../errors';
import type { Origin } from './origin';

/** The record at `origin` cannot be handed out: a caller has transferred the memory that it lies in. */
export function transferredError({ file, record, offset }: Origin, cause: unknown): TFRecordError {
  return new TFRecordError(
    'TFR_CLOSED',
    `The memory of the batch that holds record ${record} of ${file} was transferred away. ` +
      'Transfer copies (record.slice()): the records of a batch share one buffer.',
    { file, record, offset, cause },
  );
}
