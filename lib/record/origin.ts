import { TFRecordError } from '../errors';

/** What we hand out: plain views over memory that we allocated. Inputs may be any `Uint8Array`. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Where a record lies. */
export interface Origin {
  /** The path, or `-` (standard input), `<bytes>`, `<stream>`; `<encoded>` where it was made, not read. */
  readonly file: string;
  /** Number of the record in that file, from 0; damaged records count. */
  readonly record: number;
  /** First byte of the record's 12-byte header in that file's uncompressed stream; of what was encoded, its own. */
  readonly offset: number;
  /** Length of the payload. */
  readonly bytes: number;
}

/** The record at `origin` cannot be handed out: a caller has transferred the memory that it lies in. */
export function transferredError({ file, record, offset }: Origin, cause: unknown): TFRecordError {
  return new TFRecordError(
    'TFR_CLOSED',
    `The memory of the batch that holds record ${record} of ${file} was transferred away. ` +
      'Transfer copies (record.slice()): the records of a batch share one buffer.',
    { file, record, offset, cause },
  );
}
