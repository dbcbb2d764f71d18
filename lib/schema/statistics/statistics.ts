import { checkCallback, checkOptions, checkWellFormed, invalidArgType, LoopTurns } from '../../base';
import { type MessageInit } from '../../example';
import { readableSource, type RecordSource } from '../../io';
import { READ_OPTION_NAMES, resolveReadOptions, type ReadOptions, type ReadStats } from '../../record';
import { surveyRecords, type Survey } from '../../table';
import { byNames, checkNames, refuseAbsent } from '../feature-names';
import { Collector } from './collect';
import { featureStatistics, isBinary, RANKS, structStatistics } from './compose';
import { DatasetStatistics } from './dataset-statistics';
import type { FeatureValues } from './feature-values';
import type { FeatureNameStatisticsMessage } from './message';
import { WordTables } from './word-tables';

/** Options of {@link statistics}. */
export interface StatisticsOptions extends ReadOptions {
  /** Name of the data set. Default: `''`. */
  name?: string | undefined;
  /** Names of the features to describe, in both parts of SequenceExamples. Default: all. */
  features?: readonly string[] | undefined;
  /** Called after each slab of records, with the progress so far. */
  onProgress?: ((progress: ReadStats) => void) | undefined;
}

/**
 * Computes statistics of all features of a source, like TensorFlow Data Validation: presence, and numbers of values;
 * for numbers: mean, standard deviation, zeros, bounds, median and histograms; for texts: the number of different
 * values and the most frequent ones; for other bytes: lengths. TensorFlow Data Validation and Facets can open the
 * result. Reads the source once; memory does not grow with the number of records.
 *
 * Counts, bounds, different values and most frequent values are exact. Medians and quantiles are estimated from a
 * sample if a feature has more than 131,071 values; the error of their rank is less than 1 %.
 *
 * Requires the package `@duckdb/node-api`, which stores values that do not fit into memory.
 *
 * @throws TFRecordError ERR_MODULE_NOT_FOUND without `@duckdb/node-api`; TFR_FEATURE for a feature with values of
 *   several kinds, and if no record has one of `features`; TFR_EXAMPLE for records that are neither Examples nor
 *   SequenceExamples, and for more than 32,768 different features; the errors of reading. TypeError or RangeError for
 *   wrong arguments.
 *
 * @example
 * const found = await statistics('train-*.tfrecord.gz', { name: 'train' });
 * const features = found.message.datasets[0]?.features ?? [];
 * for (const { path, numStats } of features) console.log(path?.step.join('/'), numStats?.mean);
 */
export async function statistics(source: RecordSource, options?: StatisticsOptions): Promise<DatasetStatistics> {
  const {
    name = '',
    features,
    onProgress,
    ...reading
  } = checkOptions(options, [...READ_OPTION_NAMES, 'name', 'features', 'onProgress'] as const);
  if (typeof name !== 'string') throw invalidArgType('options.name', 'a string', name);
  checkWellFormed('options.name', name);
  const wanted = checkNames(features);
  checkCallback('options.onProgress', onProgress);
  const classified = readableSource(source);
  const plan = resolveReadOptions(reading);
  const tables = new WordTables();
  try {
    const collector = new Collector(wanted, tables, new LoopTurns());
    const { onPicture, onRecords } = collector;
    const survey = await surveyRecords(classified, plan, { onProgress, onPicture, onRecords });
    await collector.end();
    return await describeStatistics(survey, (index) => collector.values(index), {
      name,
      wanted,
      tables,
      signal: plan.signal,
    });
  } finally {
    await tables.close();
  }
}

/** Arguments of {@link describeStatistics} besides the survey and the values. */
interface Describing {
  /** Name of the data set. */
  readonly name: string;
  readonly wanted: ReadonlySet<string> | undefined;
  readonly tables: WordTables;
  readonly signal: AbortSignal | undefined;
}

/** The statistics of a survey. `valuesOf`: the values of a feature, by its index; undefined if it has none. */
export async function describeStatistics(
  survey: Survey,
  valuesOf: (index: number) => FeatureValues | undefined,
  { name, ...describing }: Describing,
): Promise<DatasetStatistics> {
  const features = await describe(survey, valuesOf, describing);
  return new DatasetStatistics({ datasets: [{ name, numExamples: survey.records, features }] }, survey);
}

/** Describes the features, sorted by name: those of the context, then feature lists. */
async function describe(
  survey: Survey,
  valuesOf: (index: number) => FeatureValues | undefined,
  { wanted, tables, signal }: Omit<Describing, 'name'>,
): Promise<MessageInit<FeatureNameStatisticsMessage>[]> {
  const turns = new LoopTurns();
  const known = survey.features
    .map((feature, i) => ({ survey: feature, values: valuesOf(i) }))
    .filter(({ survey: { name } }) => wanted?.has(name) !== false)
    .sort((a, b) => byNames(a.survey, b.survey));
  refuseAbsent(
    wanted,
    survey.features.map(({ name }) => name),
  );
  const described: MessageInit<FeatureNameStatisticsMessage>[] = [];
  let lists = false;
  for (const { survey: feature, values } of known) {
    signal?.throwIfAborted();
    if (feature.section === 'sequence' && !lists) {
      lists = true;
      described.push(structStatistics(survey.records));
    }
    const most = isBinary(feature) ? 0 : RANKS;
    const words =
      values?.kind !== 'bytes' || values.words.binary ? undefined : await values.words.summary(tables, most, turns);
    described.push(featureStatistics({ survey: feature, values, words }, survey.records));
    await turns.turn();
  }
  return described;
}
