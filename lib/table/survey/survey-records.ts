/** Surveys the records of a source on native threads, in order. */
import { callNative, LoopTurns, memoryError, TFRecordError, type Bytes } from '../../base';
import { foreignError, isKnownForeign, notExample, refuseRecord } from '../../example';
import { MemoryPool, type ClassifiedSource } from '../../io';
import { native, SurveyFaultCode, type SurveyFault, type SurveyHandle } from '../../native';
import {
  newBatch,
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
import { featureSurvey, type FeatureSurvey } from './feature-survey';

/** A survey of all records of a source. */
export interface Survey {
  /** Number of records that were surveyed. */
  readonly records: number;
  /**
   * Number of records with a field of feature lists, which makes them SequenceExamples. A SequenceExample without that
   * field has the same bytes as an Example.
   */
  readonly withLists: number;
  /** The features, in the order of their first appearance. */
  readonly features: readonly FeatureSurvey[];
  /** The names of the files that were read. */
  readonly files: readonly string[];
  readonly stats: ReadStats;
}

/** A value that starts like a picture. It is valid only during the call. */
export interface FoundPicture {
  /** Index in {@link Survey.features}. */
  readonly feature: number;
  /** The value. It must not be used after the call. */
  readonly bytes: Uint8Array;
}

/** Callbacks of a survey. */
export interface SurveyCalls {
  /** Called after each slab of records. */
  readonly onProgress?: ((stats: ReadStats) => void) | undefined;
  /** Called with the first pictures of each slab: at most 16 of one feature, and 1024 in all. */
  readonly onPicture?: ((picture: FoundPicture) => void) | undefined;
  /**
   * Called with all surveyed records, in order, after `onPicture` for these. The survey waits for the promise; until
   * then nobody else uses the memory of the batch.
   */
  readonly onRecords?: ((batch: RecordBatch, known: SurveySoFar) => Promise<void>) | undefined;
}

/** The current state of a survey. */
export interface SurveySoFar {
  /** Number of features. */
  readonly features: number;
  /** True if a record had a field of feature lists. */
  readonly lists: boolean;
  /** Returns feature `index`, in the order of their first appearance. */
  feature(index: number): FeatureSurvey;
  /** The survey of this call's records alone. It is valid until the promise of the call settles. */
  readonly own: OwnSurvey;
}

/** The survey of one batch. The indices of its features may differ from those in the whole survey. */
export interface OwnSurvey {
  /** Number of features. No record may have some of them. */
  readonly features: number;
  /** Feature `index`. */
  feature(index: number): FeatureSurvey;
}

/** Number of slabs that are surveyed in parallel. */
const SLABS_AT_ONCE = 4;
/** Size of slabs if the plan has none. User code does not see these slabs; large ones make few calls of threads. */
const SLAB_BYTES = 2 ** 21;
/** The same value as `Survey::kMostFeatures` in native code. */
const MAX_FEATURES = 32_768;
/** Number of features that are converted between two checks of the clock. */
const FEATURES_AT_ONCE = 64;

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
  readonly #all: SurveyHandle;
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
    this.#all = newSurvey();
  }

  async run(): Promise<Survey> {
    let going = true;
    while (going) {
      const batch = await this.#next();
      if (batch !== undefined) this.#queue.push(this.#start(batch));
      going = batch !== undefined;
      while (going && this.#queue.length >= this.#ahead) going = await this.#finishFirst();
    }
    return this.#result();
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
    const taken = this.#take(survey, batch, 0);
    // Its error is thrown later, in order.
    taken.catch(() => undefined);
    return { batch, survey, taken };
  }

  /** Starts to survey the records of `batch` from `row` on. */
  #take(survey: SurveyHandle, batch: RecordBatch, row: number): Promise<SurveyFault | undefined> {
    const { source, begin } = partsOf(batch);
    return callNative(source.file, () =>
      native().surveyTake(survey, source.slab, source.frames, begin + row, begin + batch.length),
    );
  }

  async #finishAll(): Promise<void> {
    while (this.#queue.length > 0 && (await this.#finishFirst()));
  }

  /** Adds the first batch of the queue to the whole survey. Resolves with false if the policy ends reading. */
  async #finishFirst(): Promise<boolean> {
    const { batch, survey, taken } = this.#queue[0]!;
    let [row, fault] = [0, await taken];
    for (;;) {
      await this.#add(batch, survey, row, fault?.row ?? batch.length - row);
      if (fault === undefined) break;
      row += fault.row;
      if (this.#policy.resolve(recordError(batch, row, fault)) === 'stop') {
        this.#queue.shift();
        return false;
      }
      fault = await this.#take(survey, batch, ++row);
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

  /** Adds a survey of `count` records of `batch`, from `row` on, to the whole survey. */
  async #add(batch: RecordBatch, survey: SurveyHandle, row: number, count: number): Promise<void> {
    const { source, begin } = partsOf(batch);
    const merged = await callNative(source.file, () => native().surveyMerge(this.#all, survey));
    if (typeof merged === 'number') {
      throw merged === SurveyFaultCode.OutOfMemory ? memoryError(source.file) : tooManyFeatures(source.file);
    }
    const { onPicture, onRecords } = this.#calls;
    if (merged !== undefined && onPicture !== undefined) {
      for (let i = 0; i < merged.length; i += 4) {
        const [feature = 0, record = 0, offset = 0, size = 0] = merged.subarray(i, i + 4);
        if (record >= count) break;
        const at = source.frames[2 * (begin + row + record)]! + offset;
        onPicture({ feature, bytes: source.slab.subarray(at, at + size) });
        await this.#inputs.breathe();
      }
    }
    if (onRecords === undefined || count === 0) return;
    await onRecords(newBatch(source, begin + row, begin + row + count), this.#soFar(survey));
  }

  #soFar(own: SurveyHandle): SurveySoFar {
    const [, withLists = 0] = native().surveyTotals(this.#all);
    return { ...featuresOf(this.#all), lists: withLists > 0, own: featuresOf(own) };
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

  async #result(): Promise<Survey> {
    const [records = 0, withLists = 0, count = 0] = native().surveyTotals(this.#all);
    const features: FeatureSurvey[] = [];
    for (let i = 0; i < count; i++) {
      features.push(featureSurvey(native().surveyFeature(this.#all, i)));
      if (i % FEATURES_AT_ONCE === 0) await this.#inputs.breathe();
    }
    return { records, withLists, features, files: this.#inputs.files, stats: this.#stats() };
  }
}

function featuresOf(survey: SurveyHandle): OwnSurvey {
  const [, , features = 0] = native().surveyTotals(survey);
  return { features, feature: (index) => featureSurvey(native().surveyFeature(survey, index)) };
}

function newSurvey(): SurveyHandle {
  return callNative('<bytes>', () => native().surveyNew());
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

function tooManyFeatures(file: string): TFRecordError {
  const expected = `at most ${MAX_FEATURES} features`;
  return new TFRecordError(
    'TFR_EXAMPLE',
    `The records of ${file}, with those before them, have more than ${MAX_FEATURES} different features: too many to ` +
      'survey. Are values stored as names?',
    { file, expected, found: `more than ${MAX_FEATURES}` },
  );
}
