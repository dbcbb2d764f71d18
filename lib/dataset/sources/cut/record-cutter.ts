import type { TFRecordError } from '../../../errors';

/** What is left of a file behind its last whole record. */
export interface Rest {
  readonly file: string;
  /** Number of the record that it would be. */
  readonly record: number;
  /** Its first byte in the uncompressed stream. */
  readonly offset: number;
  readonly bytes: number;
}

/** Finds the records in the bytes of one file, which come piece by piece. */
export interface RecordCutter {
  /**
   * Adds where the records lie in `bytes` from `begin` to `end`, as pairs (first byte, length), to `frames`. Returns where
   * the bytes begin that are still needed; the next call gives them again, with more behind them. `last`: nothing follows.
   */
  cut(bytes: Uint8Array, begin: number, end: number, last: boolean, frames: number[]): number;
  /** The error for what `cut` left over behind the last record; none where that may be. */
  restError?(rest: Rest): TFRecordError | undefined;
}
