import type { TFRecordError } from '../../base';
import { ErrorPolicy, type ErrorAction, type OnError } from '../../record';
import type { Faults, RecordNumber } from '../format';

/** Applies `onError` to all that a job reads and writes, and counts the records that each output lacks. */
export class JobFaults implements Faults {
  /** The policy for readers. */
  readonly policy: ErrorPolicy;
  stopped = false;
  /** Number of the range that is being written. Faults of records count for it. */
  range = 0;
  /** Finds the range of a damaged record. `place`: default: the file and record of `error`. */
  rangeOf: (error: TFRecordError, place?: RecordNumber) => number = () => 0;
  readonly #skipped = new Map<number, number>();
  readonly #lost = new Map<number, number>();
  #converting = false;
  #place: RecordNumber | undefined;

  /** @throws TypeError, RangeError for an invalid `onError` */
  constructor(onError: OnError | undefined) {
    // Validates the caller's value, before `#noting` changes it.
    new ErrorPolicy(onError);
    this.policy = new ErrorPolicy(this.#noting(onError ?? 'throw'));
  }

  leaveOut(error: TFRecordError, place?: RecordNumber): void {
    this.#converting = place === undefined;
    this.#place = place;
    try {
      if (this.policy.resolve(error) === 'stop') this.stopped = true;
    } finally {
      this.#converting = false;
      this.#place = undefined;
    }
  }

  /** Number of errors that were skipped in a range. */
  skippedIn(range: number): number {
    return this.#skipped.get(range) ?? 0;
  }

  /** Number of bytes that were lost in a range, because the rest of a file was given up. */
  lostIn(range: number): number {
    return this.#lost.get(range) ?? 0;
  }

  #noting(onError: OnError): OnError {
    if (onError === 'skip' || onError === 'salvage') return this.#noting({ action: onError });
    if (typeof onError === 'string') return onError;
    if (typeof onError === 'function') {
      return (error): ErrorAction => {
        const action = onError(error);
        if (action === 'skip') this.#note(error);
        return action;
      };
    }
    const { report } = onError;
    return {
      ...onError,
      report: (error) => {
        this.#note(error);
        report?.(error);
      },
    };
  }

  #note(error: TFRecordError): void {
    const range = this.#converting ? this.range : this.rangeOf(error, this.#place);
    this.#skipped.set(range, this.skippedIn(range) + 1);
    this.#lost.set(range, this.lostIn(range) + (error.lostBytes ?? 0));
  }
}
