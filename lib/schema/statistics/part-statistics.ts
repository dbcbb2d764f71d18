/** Statistics of parts of the records, saved to files and added up. */
import { advice, LoopTurns, named, tfrecordError, worded, type TFRecordError } from '../../base';
import type { ClassifiedSource } from '../../io';
import type { DividedFiles, ReadPlan, ReadStats } from '../../record';
import { surveyedKind, surveyRecords, type FeatureSurvey, type Survey } from '../../table';
import { MergedSurvey } from '../parts/merged-survey';
import type { PartEntry } from '../parts/part-entry';
import { readPart, writePart } from '../parts/part-file';
import { surveyOf } from '../parts/survey-state';
import { addValues, addWords, invalidPart, valuesEntry, writeWords } from '../parts/values-state';
import { Collector, firstKind } from './collect';
import type { DatasetStatistics } from './dataset-statistics';
import { FeatureValues } from './feature-values';
import { capacityOf, keepFewWords } from './limits';
import { describeStatistics } from './statistics';
import { WordTables } from './word-tables';

/** Options of {@link writeStatisticsPart}. */
export interface PartStatisticsOptions {
  /** Names of the features to describe. Default: all. */
  readonly wanted: ReadonlySet<string> | undefined;
  /** The part of the files of the source. Default: all of their records. */
  readonly slice: DividedFiles | undefined;
  readonly onProgress: ((progress: ReadStats) => void) | undefined;
}

/** Writes the statistics of the records of `source` to the file `path`, for {@link mergeStatistics}. Returns their survey. */
export async function writeStatisticsPart(
  path: string,
  source: ClassifiedSource,
  plan: ReadPlan,
  { wanted, slice, onProgress }: PartStatisticsOptions,
): Promise<Survey> {
  const tables = new WordTables();
  const turns = new LoopTurns();
  try {
    const collector = new Collector(wanted, tables, turns);
    const { onPicture, onRecords } = collector;
    const survey = await surveyRecords(source, plan, { onProgress, onPicture, onRecords }, slice);
    await collector.end();
    await writePart(path, survey, {
      ofFeature: async (index, write) => {
        const values = collector.values(index);
        if (values === undefined) return;
        await write(valuesEntry(values));
        await writeWords(values, tables, turns, write);
      },
      signal: plan.signal,
    });
    return survey;
  } finally {
    await tables.close();
  }
}

/** Arguments of {@link mergeStatistics} besides the files of the parts. */
export interface MergeStatisticsOptions {
  /** Name of the data set. */
  readonly name: string;
  readonly wanted: ReadonlySet<string> | undefined;
  /** The names of the files that all parts have read. */
  readonly files: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/**
 * The statistics of all parts together: `paths` are their files, in order.
 * @throws TFRecordError TFR_FEATURE for a feature with values of several kinds; TFR_STATE_MISMATCH for a file that is not
 *   one of a part
 */
export async function mergeStatistics(
  paths: readonly string[],
  { name, wanted, files, signal }: MergeStatisticsOptions,
): Promise<DatasetStatistics> {
  const tables = new WordTables();
  try {
    const merging = new Merging(tables);
    for (const path of paths) await readPart(path, (entry) => merging.take(entry, path), signal);
    const survey = merging.survey.survey(files);
    for (const feature of survey.features) {
      if (wanted?.has(feature.name) !== false && surveyedKind(feature.kinds) === 'mixed') throw mixed(feature);
    }
    return await describeStatistics(survey, (index) => merging.values(index), { name, wanted, tables, signal });
  } finally {
    await tables.close();
  }
}

class Merging {
  readonly survey = new MergedSurvey();
  readonly #values: (FeatureValues | undefined)[] = [];
  readonly #tables: WordTables;
  readonly #turns = new LoopTurns();
  #capacity = capacityOf(0);
  /** Index of the feature of the last entry. */
  #last: number | undefined;

  constructor(tables: WordTables) {
    this.#tables = tables;
  }

  values(index: number): FeatureValues | undefined {
    return this.#values[index];
  }

  async take({ totals, feature, values, words }: PartEntry, file: string): Promise<void> {
    if (totals !== undefined) {
      this.survey.addTotals(totals);
      this.#last = undefined;
      return;
    }
    if (feature !== undefined) {
      this.#last = this.survey.add(surveyOf(feature));
      this.#limit();
      return;
    }
    const index = this.#last;
    if (index === undefined || (values === undefined && words === undefined)) throw invalidPart(file);
    if (values !== undefined) addValues(this.#valuesAt(index, values.kind, file), values, file);
    else if (words !== undefined) {
      const own = this.#values[index];
      if (own === undefined) throw invalidPart(file);
      await addWords(own, words, file, this.#turns);
      await this.#keepFewWords();
    }
  }

  /** The values of feature `index`, which has values of `kind` in a part. */
  #valuesAt(index: number, kind: string, file: string): FeatureValues {
    const survey = this.survey.features[index]!;
    if (surveyedKind(survey.kinds) === 'mixed') throw mixed(survey);
    const own = firstKind(survey);
    if (own === undefined || own !== kind) throw invalidPart(file);
    return (this.#values[index] ??= new FeatureValues(survey, own, () => this.#capacity));
  }

  #limit(): void {
    const capacity = capacityOf(this.survey.features.length);
    if (capacity === this.#capacity) return;
    this.#capacity = capacity;
    for (const values of this.#values) values?.limit(capacity);
  }

  #keepFewWords(): Promise<void> {
    const features = this.#values.filter((values) => values !== undefined);
    const surveyOfValues = (values: FeatureValues): FeatureSurvey =>
      this.survey.features[this.#values.indexOf(values)]!;
    return keepFewWords(features, surveyOfValues, this.#tables, this.#turns);
  }
}

function mixed({ name, kinds }: FeatureSurvey): TFRecordError {
  const found = (['bytes', 'float32', 'int64'] as const).filter((kind) => kinds[kind] > 0).join(', ');
  const cure = advice`: name the other features (${named('features')}) when the parts are made`;
  return tfrecordError(
    'TFR_FEATURE',
    worded`Feature ${JSON.stringify(name)} has values of several kinds: ${found}. Statistics are those of one kind${cure}`,
    { feature: name, expected: 'one kind', found },
  );
}
