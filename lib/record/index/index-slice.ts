import { checkInteger, checkOptions } from '../../base';
import type { ClassifiedSource } from '../../io';
import type { IndexStart } from '../../native';
import { dropFirst, firstNumber, keepFirst, type RecordBatch } from '../batch/record-batch';
import type { ErrorPolicy } from '../error-policy';
import { InputSequence } from '../read/input-sequence';
import type { FilledSlab, Splitter, Step } from '../read/input-stream';
import { resolveReadOptions, type ReadOptions, type ReadPlan } from '../read/read-options';
import { slabStreams } from '../read/record-cursor';
import { FaultSplitter } from '../read/splitter';
import { missingRecord } from './index-read';
import type { IndexSettings } from './index-scan';

/** Options of {@link RecordIndex.slice}, as for `readRecords`. */
export type SliceOptions = Pick<ReadOptions, 'onError' | 'batchBytes' | 'readAhead' | 'signal'>;

/** The numbers of the first record of a slice, and of the one after its last. */
export interface SliceRange {
  readonly first: number;
  readonly last: number;
}

/** Returns the range that `begin` and `end` mean among `count` records, as in `Array.prototype.slice`. @throws RangeError, TypeError */
export function sliceRange(begin: number | undefined, end: number | undefined, count: number): SliceRange {
  const at = (name: string, given: number | undefined, missing: number): number => {
    const index = checkInteger(name, given, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, missing);
    return Math.min(Math.max(index < 0 ? index + count : index, 0), count);
  };
  return { first: at('begin', begin, 0), last: at('end', end, count) };
}

/** Checks the options of a slice of a source that is read as `settings` say. @throws TypeError, RangeError */
export function slicePlan(options: SliceOptions | undefined, settings: IndexSettings): ReadPlan {
  const given = checkOptions(options, ['onError', 'batchBytes', 'readAhead', 'signal']);
  const { compression, verify, maxRecordBytes } = settings;
  return { ...resolveReadOptions(given), compression, verify, maxRecordBytes };
}

/** Reads the records of `range`, of which there is one, as any reader does that begins at `start`. */
export function sliceSequence(
  source: ClassifiedSource,
  plan: ReadPlan,
  start: IndexStart,
  range: SliceRange,
): InputSequence<FilledSlab, RecordBatch> {
  const splitter = new RangeSplitter(plan.policy, range);
  return new InputSequence(source, plan, slabStreams(plan), splitter, { input: 0, place: start });
}

/** Leaves out the records before and after a range. */
class RangeSplitter implements Splitter<FilledSlab, RecordBatch> {
  readonly #policy: ErrorPolicy;
  readonly #range: SliceRange;
  readonly #records: FaultSplitter;
  #file = '';
  /** The number after that of the last record. */
  #next: number;

  constructor(policy: ErrorPolicy, range: SliceRange) {
    this.#policy = policy;
    this.#range = range;
    this.#records = new FaultSplitter(policy);
    this.#next = range.first;
  }

  load(file: string, filled: FilledSlab): void {
    this.#file = file;
    this.#records.load(file, filled);
  }

  next(): Step<RecordBatch> {
    const { first, last } = this.#range;
    if (this.#next >= last) return 'stop';
    const step = this.#records.next();
    if (typeof step === 'string') {
      // The file has become shorter, unless the policy has left something out.
      if (step === 'done' && this.#policy.skipped === 0) throw missingRecord(this.#next, this.#file);
      return step;
    }
    const number = firstNumber(step);
    const end = number + step.length;
    if (end <= first) return 'skipped';
    this.#next = end;
    if (number >= last) return 'stop';
    const head = end > last ? keepFirst(step, last - number) : step;
    return number < first ? dropFirst(head, first - number) : head;
  }
}
