/** Surveys the records of a source on native threads, in order. */
import { LoopTurns, memoryError, TFRecordError, type Bytes } from '../../base';
import { foreignError, isKnownForeign, notExample, refuseRecord } from '../../example';
import { MemoryPool, type ClassifiedSource } from '../../io';
import { SurveyFaultCode, type SurveyFault, type SurveyHandle } from '../../native';
import {
  partsOf,
  PartSequence,
  recordSequence,
  type DividedFiles,
  type ReadPlan,
  type ErrorPolicy,
  type ReadStats,
  type RecordBatch,
  type RecordSequence,
} from '../../record';
import {
  newSurvey,
  SurveyTotal,
  takeRecords,
  tooManyFeatures,
  type Survey,
  type SurveyCalls,
  type SurveyFindings,
} from './survey-total';

/** Number of slabs that are surveyed in parallel. */
const SLABS_AT_ONCE = 4;
/** Size of slabs if the plan has none. User code does not see these slabs; large ones make few calls of threads. */
const SLAB_BYTES = 2 ** 21;
/**
 * Surveys the Examples and SequenceExamples of `source`. `slice`: the part of them, which has all files of `source`.
 * Default: all. A record that is neither is an error TFR_EXAMPLE, and the
 * plan's policy decides about it. @throws TFRecordError, as when reading; also TFR_EXAMPLE for more than 32,768
 * features
 */
export async function surveyRecords(
  source: ClassifiedSource,
  plan: ReadPlan,
  calls: SurveyCalls,
  slice?: DividedFiles,
): Promise<Survey> {
  const pool = new MemoryPool();
  const sequence = recordSequence(
    source,
    { ...plan, memory: pool, batchBytes: plan.batchBytes ?? SLAB_BYTES },
    slice?.begin?.place === undefined ? undefined : { input: 0, place: slice.begin.place },
  );
  const inputs = slice === undefined ? sequence : new PartSequence(sequence, slice, plan.policy);
  // If a policy decides, it must decide in order: a later slab is not read before.
  const ahead = plan.policy.alwaysThrows ? SLABS_AT_ONCE : 1;
  const surveying = new Surveying(inputs, plan.policy, ahead, calls, (slab) => {
    pool.end(slab);
  });
  try {
    return await surveying.run();
  } finally {
    await surveying.settle();
    await inputs.close();
    pool.close();
  }
}

/**
 * Surveys the batches that `next` returns. Each batch must stay valid until the next call. They have neither a file nor
 * a size.
 */
export async function surveyBatches(
  next: () => Promise<RecordBatch | undefined>,
  policy: ErrorPolicy,
): Promise<Survey> {
  const turns = new LoopTurns();
  const inputs: SurveyInputs = {
    next,
    breathe: () => turns.breathe(),
    compressedBytes: 0,
    totalBytes: undefined,
    compression: undefined,
    files: [],
  };
  const surveying = new Surveying(inputs, policy, 1, {}, () => undefined);
  try {
    return await surveying.run();
  } finally {
    await surveying.settle();
  }
}

/** The source of the records to survey. */
type SurveyInputs = Pick<
  RecordSequence,
  'next' | 'breathe' | 'compressedBytes' | 'totalBytes' | 'compression' | 'files'
>;

/** A batch whose records are being surveyed. */
interface Work {
  readonly batch: RecordBatch;
  readonly survey: SurveyHandle;
  readonly taken: Promise<SurveyFault | undefined>;
}

class Surveying {
  readonly #inputs: SurveyInputs;
  readonly #policy: ErrorPolicy;
  readonly #ahead: number;
  readonly #calls: SurveyCalls;
  readonly #freed: (slab: Bytes) => void;
  readonly #total = new SurveyTotal();
  readonly #idle: SurveyHandle[] = [];
  readonly #queue: Work[] = [];
  /** The slab of the last batch that was read: further batches may be in it. */
  #last: Bytes | undefined;
  #records = 0;
  #bytes = 0;

  /**
   * `ahead`: number of slabs that are surveyed in parallel. `freed` is called with each slab that is no longer in use.
   */
  constructor(
    inputs: SurveyInputs,
    policy: ErrorPolicy,
    ahead: number,
    calls: SurveyCalls,
    freed: (slab: Bytes) => void,
  ) {
    this.#inputs = inputs;
    this.#policy = policy;
    this.#ahead = ahead;
    this.#calls = calls;
    this.#freed = freed;
  }

  async run(): Promise<Survey> {
    let going = true;
    while (going) {
      const batch = await this.#next();
      if (batch !== undefined) this.#queue.push(this.#start(batch));
      going = batch !== undefined;
      while (going && this.#queue.length >= this.#ahead) going = await this.#finishFirst();
    }
    return { ...(await this.#total.result(this.#inputs)), files: this.#inputs.files, stats: this.#stats() };
  }

  /** Waits until no native thread uses memory of JavaScript. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#queue.map(({ taken }) => taken));
  }

  /** The next batch. At the end, and before an error of reading, finishes those that were read before. */
  async #next(): Promise<RecordBatch | undefined> {
    let batch: RecordBatch | undefined;
    try {
      batch = await this.#inputs.next();
    } catch (error) {
      await this.#finishAll();
      throw error;
    }
    if (batch === undefined) await this.#finishAll();
    const slab = batch && partsOf(batch).source.slab;
    const last = this.#last;
    this.#last = slab;
    if (last !== undefined && last !== slab) this.#free(last);
    return batch;
  }

  #start(batch: RecordBatch): Work {
    const survey = this.#idle.pop() ?? newSurvey();
    const taken = takeRecords(survey, batch, 0);
    // Its error is thrown later, in order.
    taken.catch(() => undefined);
    return { batch, survey, taken };
  }

  async #finishAll(): Promise<void> {
    while (this.#queue.length > 0 && (await this.#finishFirst()));
  }

  /** Adds the first batch of the queue to the whole survey. Resolves with false if the policy ends reading. */
  async #finishFirst(): Promise<boolean> {
    const { batch, survey, taken } = this.#queue[0]!;
    let [row, fault] = [0, await taken];
    for (;;) {
      await this.#total.add(batch, survey, { row, count: fault?.row ?? batch.length - row }, this.#calls, this.#inputs);
      if (fault === undefined) break;
      row += fault.row;
      if (this.#policy.resolve(recordError(batch, row, fault)) === 'stop') {
        this.#queue.shift();
        return false;
      }
      fault = await takeRecords(survey, batch, ++row);
    }
    this.#queue.shift();
    this.#idle.push(survey);
    this.#free(partsOf(batch).source.slab);
    this.#records += batch.length;
    this.#bytes += batch.byteLength;
    this.#calls.onProgress?.(this.#stats());
    return true;
  }

  /** Ends the lease of `slab` if it is no longer in use. */
  #free(slab: Bytes): void {
    if (slab === this.#last || this.#queue.some(({ batch }) => partsOf(batch).source.slab === slab)) return;
    this.#freed(slab);
  }

  #stats(): ReadStats {
    const { skipped, lostBytes } = this.#policy;
    return {
      records: this.#records,
      bytes: this.#bytes,
      compressedBytes: this.#inputs.compressedBytes,
      totalBytes: this.#inputs.totalBytes,
      compression: this.#inputs.compression,
      skipped,
      lostBytes,
    };
  }
}

/** The survey of some records of a source, which a survey of all of them has found sound. */
export class PartialSurvey {
  readonly #total = new SurveyTotal();
  readonly #own = newSurvey();
  readonly #calls: SurveyCalls;
  readonly #turns: LoopTurns;

  constructor(calls: SurveyCalls, turns: LoopTurns) {
    this.#calls = calls;
    this.#turns = turns;
  }

  /** Adds the records of `batch`, whose memory nobody writes to, or transfers, until the promise settles. */
  async add(batch: RecordBatch): Promise<void> {
    const fault = await takeRecords(this.#own, batch, 0);
    if (fault !== undefined) throw recordError(batch, fault.row, fault);
    await this.#total.add(batch, this.#own, { row: 0, count: batch.length }, this.#calls, this.#turns);
  }

  /** The findings about all records that were added. */
  findings(): Promise<SurveyFindings> {
    return this.#total.result(this.#turns);
  }
}

function recordError(batch: RecordBatch, row: number, { code }: SurveyFault): TFRecordError {
  const place = batch.origin(row)!;
  const what = 'an Example or SequenceExample';
  switch (code) {
    case SurveyFaultCode.OutOfMemory:
      throw memoryError(place.file);
    case SurveyFaultCode.TooManyFeatures:
      throw tooManyFeatures(place.file);
    case SurveyFaultCode.Foreign:
      return foreignError(what, place, batch.at(row)!);
    case SurveyFaultCode.Malformed: {
      const found = malformation(batch.at(row)!);
      if (found === undefined) return foreignError(what, place, batch.at(row)!);
      return notExample(what, place, `the protobuf data is malformed: ${found}`, { found });
    }
  }
}

/** The reason why `record` is malformed, and the position; undefined for a valid message of another type. */
function malformation(record: Uint8Array): string | undefined {
  if (isKnownForeign(record)) return undefined;
  try {
    return refuseRecord(record, 'a SequenceExample');
  } catch (error) {
    return (error instanceof TFRecordError ? error.found : undefined) ?? 'malformed data';
  }
}
