import type { TFRecordError } from '../../../errors';
import {
  FillOutcome,
  InputSequence,
  newBatch,
  resolveReadOptions,
  type ClassifiedSource,
  type ErrorPolicy,
  type ReadPlan,
  type RecordBatch,
  type SequenceStart,
  type Splitter,
  type Step,
  type StreamOpener,
} from '../../../record';
import { ByteStream } from './byte-stream';
import type { CutFrames, CutPlan, CutRead } from './cut-plan';
import { pullFile } from './pull-file';

/** The first of the records `begin` to `end` that is no good, and why. */
export type RecordCheck = (
  source: CutFrames,
  begin: number,
  end: number,
) => { readonly frame: number; readonly error: TFRecordError } | undefined;

/** What is wrong with the header of a file that has nothing else. Where records follow, who decodes them looks at it. */
export type HeadCheck = (source: CutFrames) => TFRecordError | undefined;

/** How files are read that are not TFRecord files. */
export interface CutFlowPlan extends CutPlan {
  readonly policy: ErrorPolicy;
  readonly again?: ReadPlan['again'];
  readonly check?: RecordCheck | undefined;
  readonly checkHead?: HeadCheck | undefined;
}

/** The batches of records of a source. */
export type CutFlow = InputSequence<CutRead, RecordBatch>;

/** The records of `source`, one file after the other, in batches of neighbours. */
export function cutFlow(source: ClassifiedSource, plan: CutFlowPlan, start?: SequenceStart): CutFlow {
  const opener: StreamOpener<CutRead> = {
    openFile: (file, bytes, place, at) =>
      new ByteStream({ file, bytes, ahead: true, open: (offset) => pullFile(file, at, offset) }, plan, place),
    openFed: (file, open, bytes) => new ByteStream({ file, bytes, ahead: false, open }, plan, undefined),
  };
  const { policy, again } = plan;
  return new InputSequence(
    source,
    { ...resolveReadOptions(undefined), policy, again },
    opener,
    new CutSplitter(plan),
    start,
  );
}

/** Gives the records that are good, and asks the policy about each that is not, and about what ends a file early. */
class CutSplitter implements Splitter<CutRead, RecordBatch> {
  readonly #policy: ErrorPolicy;
  readonly #check: RecordCheck | undefined;
  readonly #checkHead: HeadCheck | undefined;
  readonly #headRecords: number;
  #read: CutRead | undefined;
  #frame = 0;
  #error: TFRecordError | undefined;

  constructor({ policy, check, checkHead, headRecords }: CutFlowPlan) {
    this.#policy = policy;
    this.#check = check;
    this.#checkHead = checkHead;
    this.#headRecords = headRecords;
  }

  load(_file: string, read: CutRead): void {
    this.#read = read;
    this.#frame = read.begin;
  }

  next(): Step<RecordBatch> {
    if (this.#error !== undefined) return this.#resolve(this.#error);
    const read = this.#read;
    if (read === undefined) return 'fill';
    const { source, fault, result } = read;
    const begin = this.#frame;
    const frames = source.frames.length / 2;
    if (begin < frames) {
      const bad = this.#check?.(source, begin, frames);
      const end = bad?.frame ?? frames;
      this.#error = bad?.error;
      this.#frame = bad === undefined ? end : end + 1;
      if (end === begin) return this.next();
      this.#policy.passed(end - begin);
      return newBatch(source, begin, end);
    }
    this.#read = undefined;
    if (fault !== undefined) return this.#policy.resolve(fault) === 'stop' ? 'stop' : 'done';
    if (result.outcome !== FillOutcome.End) return 'fill';
    const wrong = source.firstRecord + frames === this.#headRecords ? this.#checkHead?.(source) : undefined;
    return wrong !== undefined && this.#policy.resolve(wrong) === 'stop' ? 'stop' : 'done';
  }

  #resolve(error: TFRecordError): 'stop' | 'skipped' {
    this.#error = undefined;
    return this.#policy.resolve(error) === 'stop' ? 'stop' : 'skipped';
  }
}
