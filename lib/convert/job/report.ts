import { bytesOf } from '../input/inputs';
import type { Job } from './job';
import type { Manifest } from './manifest';

/** The result of {@link convert}. */
export interface ConvertReport {
  /** Paths or URLs of all outputs, in order; empty for a stream. */
  readonly files: readonly string[];
  /** Number of records in the outputs. */
  readonly records: number;
  /** Number of damaged records, and of rests of files, that `onError` skipped. */
  readonly skipped: number;
  /** Number of bytes in these rests of files: the sum of the errors' `lostBytes`. */
  readonly lostBytes: number;
  /** Size of the inputs in bytes, as stored. */
  readonly bytesIn: number;
  /** Size of the outputs in bytes, as stored. */
  readonly bytesOut: number;
  /** Duration in seconds. */
  readonly seconds: number;
  /** Number of outputs that `resume` kept from an earlier run. */
  readonly kept: number;
  /** True if there was nothing to do: the job was complete, and its inputs are unchanged. */
  readonly upToDate: boolean;
  /**
   * Notes about values that differ from how they were written: text that made a column text, numbers that were rounded.
   */
  readonly notes: readonly string[];
}

/**
 * The report of a run of `job`. `bytesRead`: stored bytes that it read, used if inputs have no size. `kept`: number of
 * outputs of an earlier run.
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
