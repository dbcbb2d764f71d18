/** The survey of many records, which surveys of batches are added to. */
import { callNative, memoryError, TFRecordError } from '../../base';
import { native, SurveyFaultCode, type SurveyFault, type SurveyHandle } from '../../native';
import { newBatch, partsOf, type ReadStats, type RecordBatch } from '../../record';
import { featureSurvey, type FeatureSurvey } from './feature-survey';

/** The findings of a survey. */
export interface SurveyFindings {
  /** Number of records that were surveyed. */
  readonly records: number;
  /**
   * Number of records with a field of feature lists, which makes them SequenceExamples. A SequenceExample without that
   * field has the same bytes as an Example.
   */
  readonly withLists: number;
  /** The features, in the order of their first appearance. */
  readonly features: readonly FeatureSurvey[];
}

/** A survey of all records of a source. */
export interface Survey extends SurveyFindings {
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

/** The same value as `Survey::kMostFeatures` in native code. */
const MAX_FEATURES = 32_768;
/** Number of features that are converted between two checks of the clock. */
const FEATURES_AT_ONCE = 64;

/** Gives the event loop a turn now and then. */
interface Breathing {
  breathe(): Promise<void> | undefined;
}

export class SurveyTotal {
  readonly #all = newSurvey();

  /**
   * Adds `survey`, that of `count` records of `batch` from `row` on, and hands them to `calls`.
   * @throws TFRecordError TFR_EXAMPLE for more than 32,768 features
   */
  async add(
    batch: RecordBatch,
    survey: SurveyHandle,
    { row, count }: { readonly row: number; readonly count: number },
    { onPicture, onRecords }: SurveyCalls,
    turns: Breathing,
  ): Promise<void> {
    const { source, begin } = partsOf(batch);
    const merged = await callNative(source.file, () => native().surveyMerge(this.#all, survey));
    if (typeof merged === 'number') {
      throw merged === SurveyFaultCode.OutOfMemory ? memoryError(source.file) : tooManyFeatures(source.file);
    }
    if (merged !== undefined && onPicture !== undefined) {
      for (let i = 0; i < merged.length; i += 4) {
        const [feature = 0, record = 0, offset = 0, size = 0] = merged.subarray(i, i + 4);
        if (record >= count) break;
        const at = source.frames[2 * (begin + row + record)]! + offset;
        onPicture({ feature, bytes: source.slab.subarray(at, at + size) });
        await turns.breathe();
      }
    }
    if (onRecords === undefined || count === 0) return;
    await onRecords(newBatch(source, begin + row, begin + row + count), this.#soFar(survey));
  }

  #soFar(own: SurveyHandle): SurveySoFar {
    const [, withLists = 0] = native().surveyTotals(this.#all);
    return { ...featuresOf(this.#all), lists: withLists > 0, own: featuresOf(own) };
  }

  /** The numbers of records, and all features. */
  async result(turns: Breathing): Promise<SurveyFindings> {
    const [records = 0, withLists = 0, count = 0] = native().surveyTotals(this.#all);
    const features: FeatureSurvey[] = [];
    for (let i = 0; i < count; i++) {
      features.push(featureSurvey(native().surveyFeature(this.#all, i)));
      if (i % FEATURES_AT_ONCE === 0) await turns.breathe();
    }
    return { records, withLists, features };
  }
}

function featuresOf(survey: SurveyHandle): OwnSurvey {
  const [, , features = 0] = native().surveyTotals(survey);
  return { features, feature: (index) => featureSurvey(native().surveyFeature(survey, index)) };
}

export function newSurvey(): SurveyHandle {
  return callNative('<bytes>', () => native().surveyNew());
}

/** Empties `survey`, and starts to survey the records of `batch` from `row` on. Resolves with the first that cannot be. */
export function takeRecords(survey: SurveyHandle, batch: RecordBatch, row: number): Promise<SurveyFault | undefined> {
  const { source, begin } = partsOf(batch);
  return callNative(source.file, () =>
    native().surveyTake(survey, source.slab, source.frames, begin + row, begin + batch.length),
  );
}

export function tooManyFeatures(file: string): TFRecordError {
  const expected = `at most ${MAX_FEATURES} features`;
  return new TFRecordError(
    'TFR_EXAMPLE',
    `The records of ${file}, with those before them, have more than ${MAX_FEATURES} different features: too many to ` +
      'survey. Are values stored as names?',
    { file, expected, found: `more than ${MAX_FEATURES}` },
  );
}
