import type { ErrorPolicy } from './error-policy';
import { faultError } from './faults';
import type { Filled } from './filled';
import type { Splitter, Step } from './lane';
import { newBatch, type RecordBatch } from './record-batch';
import { stepBehind } from './step-behind';

/**
 * From filled slabs to batches of whole records: damaged records are cut out, and the policy is asked about each fault
 * when all that lies before it was handed out. No I/O: the readers with and without promises share it.
 */
export class FaultSplitter implements Splitter<Filled, RecordBatch> {
  readonly #policy: ErrorPolicy;
  #filled: Filled | undefined;
  #file = '';
  #frame = 0;
  #fault = 0;

  constructor(policy: ErrorPolicy) {
    this.#policy = policy;
  }

  /** Takes the next slab of `file`; the one before is used up. */
  load(file: string, filled: Filled): void {
    this.#file = file;
    this.#filled = filled;
    this.#frame = 0;
    this.#fault = 0;
  }

  /** Throws what the policy decides to throw. */
  next(): Step<RecordBatch> {
    if (this.#filled === undefined) return 'fill';
    const { slab, result } = this.#filled;
    const fault = result.faults.at(this.#fault);
    const end = fault === undefined ? result.frames.length / 2 : fault.record! - result.firstRecord;
    if (end > this.#frame) {
      const { frames, firstRecord, base } = result;
      const batch = newBatch({ file: this.#file, slab, frames, firstRecord, base }, this.#frame, end);
      this.#frame = end;
      this.#policy.passed(batch.length);
      return batch;
    }
    if (fault === undefined) {
      this.#filled = undefined;
      return stepBehind(this.#policy, this.#file, result);
    }
    this.#fault++;
    this.#frame = end + 1;
    return this.#policy.resolve(faultError(fault, { file: this.#file })) === 'stop' ? 'stop' : 'skipped';
  }
}
