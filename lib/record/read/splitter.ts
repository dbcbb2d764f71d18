import { faultError, HEADER_BYTES, regionOf, type Fault, type FaultPlace } from '../../base';
import { FillOutcome, type SlabFill } from '../../native';
import { newBatch, type RecordBatch } from '../batch/record-batch';
import type { ErrorPolicy } from '../error-policy';
import type { FilledSlab, Splitter, Step } from './input-stream';

/**
 * Splits filled slabs into batches of whole records. It leaves out damaged records, and applies the policy to each fault
 * after all records before it were handed out. It does no I/O, so synchronous and asynchronous readers share it.
 */
export class FaultSplitter implements Splitter<FilledSlab, RecordBatch> {
  readonly #policy: ErrorPolicy;
  #filled: FilledSlab | undefined;
  #file = '';
  #frame = 0;
  #fault = 0;

  constructor(policy: ErrorPolicy) {
    this.#policy = policy;
  }

  /** Takes the next slab of `file`. The last one must be used up. */
  load(file: string, filled: FilledSlab): void {
    this.#file = file;
    this.#filled = filled;
    this.#frame = 0;
    this.#fault = 0;
  }

  /** Returns the next step. Throws the error of a fault if the policy decides so. */
  next(): Step<RecordBatch> {
    if (this.#filled === undefined) return 'fill';
    const { slab, result } = this.#filled;
    const fault = result.faults.at(this.#fault);
    const end = fault === undefined ? result.frames.length / 2 : fault.record! - result.firstRecord;
    if (end > this.#frame) {
      const { frames, firstRecord } = result;
      const base = result.base - HEADER_BYTES;
      const batch = newBatch({ file: this.#file, slab, frames, firstRecord, base }, this.#frame, end);
      this.#frame = end;
      this.#policy.passed(batch.length);
      return batch;
    }
    if (fault === undefined) {
      this.#filled = undefined;
      return stepAfter(this.#policy, this.#file, result);
    }
    this.#fault++;
    this.#frame = end + 1;
    return this.#policy.resolve(faultError(fault, { file: this.#file })) === 'stop' ? 'stop' : 'skipped';
  }
}

/** The state of reading after the last record of a slab or piece. */
type Standing = Pick<SlabFill, 'outcome' | 'halt' | 'totalBytes' | 'compression'>;

/**
 * Returns the step after the last record of a slab or piece of `file`. `errorOf` makes the error for a halt. Throws that
 * error if the policy decides so.
 */
export function stepAfter(
  policy: ErrorPolicy,
  file: string,
  standing: Standing,
  errorOf = faultError,
): 'fill' | 'skip' | 'done' | 'stop' {
  if (standing.outcome === FillOutcome.End) return 'done';
  const { halt } = standing;
  if (standing.outcome !== FillOutcome.Halt || halt === undefined) return 'fill';
  const skippable = isSkippable(halt);
  const passesOver = halt.code === 'TFR_RECORD_TOO_LARGE' && halt.lostBytes === undefined;
  const lost = passesOver ? {} : lostAfter(halt, standing);
  const region = policy.salvages ? regionOf(halt, standing.totalBytes) : undefined;
  const place: FaultPlace = { file, ...lost, region };
  const decision = policy.resolve(errorOf(halt, place));
  if (decision === 'stop') return 'stop';
  return skippable ? 'skip' : 'done';
}

/** True if a reader can go on after the record, or the damage, of `halt`. */
export function isSkippable({ code, part, resumes }: Fault): boolean {
  return resumes === true || (code === 'TFR_RECORD_TOO_LARGE' && part === 'length');
}

/** Returns what is lost because of `halt`. */
export function lostAfter(
  halt: Fault,
  standing: Pick<Standing, 'totalBytes' | 'compression'>,
): Partial<Pick<FaultPlace, 'lostBytes' | 'lostOf'>> {
  return {
    lostBytes: halt.lostBytes ?? (halt.resumes === true ? undefined : lost(halt, standing)),
    lostOf: halt.lostBytes === undefined || isOfCodec(halt, standing) ? 'file' : 'content',
  };
}

/** True if the bytes after `halt` were counted as stored bytes: inflating failed, or there is no compression. */
function isOfCodec({ code }: Fault, { compression }: Pick<Standing, 'compression'>): boolean {
  return compression === 'none' || code === 'TFR_COMPRESSION' || code === 'TFR_TRAILING_DATA';
}

/** Returns the number of data bytes in the file from `halt` to its end, if both places are known. */
function lost(
  halt: Fault,
  { totalBytes, compression }: Pick<Standing, 'totalBytes' | 'compression'>,
): number | undefined {
  const from = halt.trailerEnd ?? halt.compressedOffset ?? (compression === 'none' ? halt.offset : undefined);
  return from === undefined || totalBytes <= from ? undefined : totalBytes - from;
}
