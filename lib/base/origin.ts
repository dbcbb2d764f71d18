import type { TFRecordError } from './errors';
import { tfrecordError } from './errors';
import { advice, messageOf, worded } from './message';

/** Bytes that the library returns: a plain view over memory that it allocated. Inputs may be any `Uint8Array`. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The place of a record in its file. */
export interface Origin {
  /** The path, or `-` (standard input), `<bytes>`, `<stream>`; `<encoded>` for records that were encoded, not read. */
  readonly file: string;
  /** Number of the record in that file, from 0; damaged records count. */
  readonly record: number;
  /**
   * Offset of the record's 12-byte header in the file's uncompressed stream. Encoded records have no header: offset of
   * the payload in their slab.
   */
  readonly offset: number;
  /** Length of the payload. */
  readonly bytes: number;
}

/** `error` with the place of its record, if it has none. */
export function placedError(error: TFRecordError, { file, record, offset }: Origin): TFRecordError {
  if (error.record !== undefined && error.file !== undefined) return error;
  const { code, feature, expected, found } = error;
  const details = { file, record, offset, feature, expected, found, cause: error };
  return tfrecordError(code, worded`Record ${record} of ${file}: ${messageOf(error)}`, details);
}

/** Returns the error for a record whose memory the caller has transferred away. */
export function transferredError({ file, record, offset }: Origin, cause: unknown): TFRecordError {
  return tfrecordError(
    'TFR_CLOSED',
    worded`The memory of the batch that holds record ${record} of ${file} was transferred away.${advice` Transfer copies (record.slice()): the records of a batch share one buffer.`}`,
    { file, record, offset, cause },
  );
}
