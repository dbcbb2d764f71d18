/** Statistics of parts of the records, saved to files and added up. */
import { advice, LoopTurns, named, tfrecordError, worded, type TFRecordError } from '../../base';
import type { ClassifiedSource } from '../../io';
import type { DividedFiles, ReadPlan, ReadStats } from '../../record';
import { surveyedKind, surveyRecords, type FeatureSurvey, type Survey } from '../../table';
import { refuseAbsent } from '../feature-names';
import { MergedSurvey } from '../parts/merged-survey';
import type { PartEntry } from '../parts/part-entry';
import { readPart, writePart, type WriteEntry } from '../parts/part-file';
import { surveyOf } from '../parts/survey-state';
import { addValues, addWords, invalidPart, valuesEntry, writeWords } from '../parts/values-state';
import { firstKind } from './collect';
import type { DatasetStatistics } from './dataset-statistics';
import { FeatureValues } from './feature-values';
import { ValueLimits } from './limits';
import { checkSliceBy, type SliceBy } from './slices/slice-by';
import { bySlice, SlicedCollector, type Collected } from './slices/sliced-collector';
import { SliceNames, type Slice } from './slices/slicer';
import { ALL_EXAMPLES, describeStatistics } from './statistics';
import { WordTables } from './word-tables';

/** Options of {@link writeStatisticsPart}. */
export interface PartStatisticsOptions {
  /** Names of the features to describe. Default: all. */
  readonly wanted: ReadonlySet<string> | undefined;
  readonly sliceBy: readonly SliceBy[] | undefined;
  /** The part of the files of the source. Default: all of their records. */
  readonly slice: DividedFiles | undefined;
  readonly onProgress: ((progress: ReadStats) => void) | undefined;
}

/** Writes the statistics of the records of `source` to the file `path`, for {@link mergeStatistics}. Returns their survey. */
export async function writeStatisticsPart(
  path: string,
  source: ClassifiedSource,
  plan: ReadPlan,
  { wanted, sliceBy, slice, onProgress }: PartStatisticsOptions,
): Promise<Survey> {
  const tables = new WordTables();
  const turns = new LoopTurns();
  try {
    const rules = checkSliceBy(sliceBy);
    const collector = new SlicedCollector(wanted, rules, new ValueLimits(tables, turns), turns);
    const { onPicture, onRecords } = collector;
    const survey = await surveyRecords(source, plan, { onProgress, onPicture, onRecords }, slice);
    const [all, ...slices] = await collector.end(survey, true);
    const ofFeature =
      (own: Collected) =>
      async (index: number, write: WriteEntry): Promise<void> => {
        const values = own.values(index);
        if (values === undefined) return;
        await write(valuesEntry(values));
        await writeWords(values, tables, turns, write);
      };
    await writePart(path, survey, {
      ofFeature: ofFeature(all!),
      slices: slices.map((own) => ({ slice: own.slice!, findings: own.findings, ofFeature: ofFeature(own) })),
      signal: plan.signal,
    });
    return survey;
  } finally {
    await tables.close();
  }
}

/** Arguments of {@link mergeStatistics} besides the files of the parts. */
export interface MergeStatisticsOptions {
  /** Name of the data set, if there are no slices. */
  readonly name: string;
  /** The features whose values make the slices that the parts have. */
  readonly sliceBy: readonly SliceBy[] | undefined;
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
  { name, sliceBy, wanted, files, signal }: MergeStatisticsOptions,
): Promise<DatasetStatistics> {
  const tables = new WordTables();
  try {
    const merging = new MergedParts(tables);
    for (const path of paths) {
      merging.beginPart();
      await readPart(path, (entry) => merging.take(entry, path), signal);
    }
    const survey = merging.all.survey.survey(files);
    const sliced = new Set(checkSliceBy(sliceBy).flatMap(({ features }) => features.map(({ name: own }) => own)));
    refuseAbsent(
      sliced,
      survey.features.map((feature) => feature.name),
    );
    for (const feature of survey.features) {
      const isUsed = wanted?.has(feature.name) !== false || sliced.has(feature.name);
      if (isUsed && surveyedKind(feature.kinds) === 'mixed') throw mixed(feature);
    }
    return await describeStatistics(survey, merging.collected(survey), {
      name: sliced.size > 0 ? ALL_EXAMPLES : name,
      wanted,
      tables,
      signal,
    });
  } finally {
    await tables.close();
  }
}

/** The values of all parts, and again those of each slice. */
class MergedParts {
  readonly all: MergedValues;
  readonly #limits: ValueLimits;
  readonly #turns = new LoopTurns();
  readonly #names = new SliceNames();
  readonly #slices = new Map<string, { readonly slice: Slice; readonly values: MergedValues }>();
  /** The values that the next entries belong to. */
  #current: MergedValues;

  constructor(tables: WordTables) {
    this.#limits = new ValueLimits(tables, this.#turns);
    this.#current = this.all = new MergedValues(this.#limits, this.#turns);
  }

  /** The next entries are those of another part. */
  beginPart(): void {
    this.#current = this.all;
  }

  async take(entry: PartEntry, file: string): Promise<void> {
    const { slice } = entry;
    if (slice === undefined) {
      await this.#current.take(entry, file);
      return;
    }
    this.#names.add(slice);
    const known = this.#slices.get(slice.name);
    const values = known?.values ?? new MergedValues(this.#limits, this.#turns);
    if (known === undefined) this.#slices.set(slice.name, { slice, values });
    this.#current = values;
  }

  /** `survey`: that of all parts. */
  collected(survey: Survey): readonly Collected[] {
    const slices = [...this.#slices.values()].map(({ slice, values: own }): Collected => {
      return { slice, findings: own.survey.survey([]), values: (index) => own.values(index) };
    });
    return [
      { slice: undefined, findings: survey, values: (index) => this.all.values(index) },
      ...slices.sort((a, b) => bySlice(a, b)),
    ];
  }
}

class MergedValues {
  readonly survey = new MergedSurvey();
  readonly #values: (FeatureValues | undefined)[] = [];
  readonly #turns: LoopTurns;
  readonly #limits: ValueLimits;
  /** Index of the feature of the last entry. */
  #last: number | undefined;

  constructor(limits: ValueLimits, turns: LoopTurns) {
    this.#limits = limits;
    this.#turns = turns;
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
      const before = this.survey.features.length;
      this.#last = this.survey.add(surveyOf(feature));
      this.#limits.addFeatures(this.survey.features.length - before);
      return;
    }
    const index = this.#last;
    if (index === undefined || (values === undefined && words === undefined)) throw invalidPart(file);
    if (values !== undefined) addValues(this.#valuesAt(index, values.kind, file), values, file);
    else if (words !== undefined) {
      const own = this.#values[index];
      if (own === undefined) throw invalidPart(file);
      await this.#limits.addWords([own], () => addWords(own, words, file, this.#turns));
    }
  }

  /** The values of feature `index`, which has values of `kind` in a part. */
  #valuesAt(index: number, kind: string, file: string): FeatureValues {
    const survey = this.survey.features[index]!;
    if (surveyedKind(survey.kinds) === 'mixed') throw mixed(survey);
    const own = firstKind(survey);
    if (own === undefined || own !== kind) throw invalidPart(file);
    const known = this.#values[index];
    if (known !== undefined) return known;
    const values = new FeatureValues(survey, own, () => this.#limits.capacity);
    this.#limits.limit(values, () => this.survey.features[index]!);
    return (this.#values[index] = values);
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
