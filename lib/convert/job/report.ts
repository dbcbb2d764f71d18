import { bytesOf, type Job } from './job';
import type { Manifest } from './manifest';

/** The result of {@link convert}. */
export interface ConvertReport {
  /** Paths of all outputs, in order; none for a stream. */
  readonly files: readonly string[];
  /** Records in them. */
  readonly records: number;
  /** Damaged records, and rests of files, that `onError` skipped. */
  readonly skipped: number;
  /** Bytes in these rests of files: the sum of the errors' `lostBytes`. */
  readonly lostBytes: number;
  /** Size of the inputs, as stored. */
  readonly bytesIn: number;
  /** Size of the outputs, as stored. */
  readonly bytesOut: number;
  /** Duration. */
  readonly seconds: number;
  /** Number of outputs that an earlier run had finished, with `resume`. */
  readonly kept: number;
  /** True if there was nothing to do: the job was complete, and its inputs are unchanged. */
  readonly upToDate: boolean;
  /** Notes about values that are not as they were written: text that made a column text, numbers that were rounded. */
  readonly notes: readonly string[];
}

/**
 * The report of a run of `job`. `bytesRead`: the stored bytes that it read; they count if inputs have no size. `kept`:
 * the number of outputs that an earlier run had finished.
 */
export function reportOf(
  { inputs, begun, reading }: Job,
  files: readonly string[],
  { records, skipped, lostBytes = 0, bytesOut }: Pick<Manifest, 'records' | 'skipped' | 'lostBytes' | 'bytesOut'>,
  bytesRead: number,
  kept = 0,
): ConvertReport {
  const bytesIn = inputs.repeatable ? bytesOf(inputs) : bytesRead;
  const seconds = (performance.now() - begun) / 1000;
  return {
    files,
    records,
    skipped,
    lostBytes,
    bytesIn,
    bytesOut,
    seconds,
    kept,
    upToDate: false,
    notes: reading.notes.all(),
  };
}
