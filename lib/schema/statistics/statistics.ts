import { checkCallback, checkOptions, checkWellFormed, invalidArgType, invalidArgValue, LoopTurns } from '../../base';
import { type MessageInit } from '../../example';
import { readableSource, type RecordSource } from '../../io';
import { READ_OPTION_NAMES, resolveReadOptions, type ReadOptions, type ReadStats } from '../../record';
import { surveyRecords, type Survey } from '../../table';
import { byNames, checkNames, refuseAbsent } from '../feature-names';
import { featureStatistics, isBinary, RANKS, structStatistics } from './compose';
import { DatasetStatistics } from './dataset-statistics';
import { ValueLimits } from './limits';
import type { DatasetFeatureStatisticsMessage, FeatureNameStatisticsMessage } from './message';
import { checkSliceBy, type SliceBy } from './slices/slice-by';
import { SlicedCollector, type Collected } from './slices/sliced-collector';
import { WordTables } from './word-tables';

/** Options of {@link statistics}. */
export interface StatisticsOptions extends ReadOptions {
  /** Name of the data set. Default: `''`. */
  name?: string | undefined;
  /** Names of the features to describe, in both parts of SequenceExamples. Default: all. */
  features?: readonly string[] | undefined;
  /**
   * The features whose values make slices: each slice is one more data set, which describes the records with that value. A record
   * with several values is in several slices. A slice is called as in TensorFlow Data Validation, `country_US` or
   * `age_30_country_US`; the data set of all records is then called `All Examples`. The values are int64, or UTF-8 of at
   * most 1,024 bytes; there are at most 1,000 slices. Default: no slices.
   */
  sliceBy?: readonly SliceBy[] | undefined;
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
 *   several kinds, if no record has one of `features`, and for slices that cannot be made; TFR_EXAMPLE for records that are neither Examples nor
 *   SequenceExamples, and for more than 32,768 different features; the errors of reading. TypeError or RangeError for
 *   wrong arguments.
 *
 * @example
 * const found = await statistics('train-*.tfrecord.gz', { name: 'train' });
 * const features = found.message.datasets[0]?.features ?? [];
 * for (const { path, numStats } of features) console.log(path?.step.join('/'), numStats?.mean);
 */
export async function statistics(source: RecordSource, options?: StatisticsOptions): Promise<DatasetStatistics> {
  const { name, features, sliceBy, onProgress, ...reading } = checkOptions(options, [
    ...READ_OPTION_NAMES,
    'name',
    'features',
    'sliceBy',
    'onProgress',
  ] as const);
  if (name !== undefined) {
    if (typeof name !== 'string') throw invalidArgType('options.name', 'a string', name);
    checkWellFormed('options.name', name);
  }
  const rules = checkSliceBy(sliceBy);
  if (name !== undefined && rules.length > 0) throw invalidArgValue('options.name', 'undefined with sliceBy', name);
  const wanted = checkNames(features);
  checkCallback('options.onProgress', onProgress);
  const classified = readableSource(source);
  const plan = resolveReadOptions(reading);
  const tables = new WordTables();
  try {
    const turns = new LoopTurns();
    const collector = new SlicedCollector(wanted, rules, new ValueLimits(tables, turns), turns);
    const { onPicture, onRecords } = collector;
    const survey = await surveyRecords(classified, plan, { onProgress, onPicture, onRecords });
    return await describeStatistics(survey, await collector.end(survey), {
      name: name ?? (rules.length > 0 ? ALL_EXAMPLES : ''),
      wanted,
      tables,
      signal: plan.signal,
    });
  } finally {
    await tables.close();
  }
}

/** The name of the data set of all records in statistics by slices, from TensorFlow Data Validation. */
export const ALL_EXAMPLES = 'All Examples';

/** Arguments of {@link describeStatistics} besides the survey and the values. */
interface Describing {
  /** Name of the data set of all records. */
  readonly name: string;
  readonly wanted: ReadonlySet<string> | undefined;
  readonly tables: WordTables;
  readonly signal: AbortSignal | undefined;
}

/** The statistics of all records, which are first in `collected`, and of slices. */
export async function describeStatistics(
  survey: Survey,
  collected: readonly Collected[],
  { name, wanted, ...describing }: Describing,
): Promise<DatasetStatistics> {
  refuseAbsent(
    wanted,
    survey.features.map((feature) => feature.name),
  );
  const datasets: MessageInit<DatasetFeatureStatisticsMessage>[] = [];
  for (const each of collected) {
    const features = await describe(each, { wanted, ...describing });
    datasets.push({ name: each.slice?.name ?? name, numExamples: each.findings.records, features });
  }
  return new DatasetStatistics({ datasets }, survey);
}

/** Describes the features, sorted by name: those of the context, then feature lists. */
async function describe(
  { findings: { features, records }, values: valuesOf }: Collected,
  { wanted, tables, signal }: Omit<Describing, 'name'>,
): Promise<MessageInit<FeatureNameStatisticsMessage>[]> {
  const turns = new LoopTurns();
  const known = features
    .map((feature, i) => ({ survey: feature, values: valuesOf(i) }))
    .filter(({ survey: { name } }) => wanted?.has(name) !== false)
    .sort((a, b) => byNames(a.survey, b.survey));
  const described: MessageInit<FeatureNameStatisticsMessage>[] = [];
  let lists = false;
  for (const { survey: feature, values } of known) {
    signal?.throwIfAborted();
    if (feature.section === 'sequence' && !lists) {
      lists = true;
      described.push(structStatistics(records));
    }
    const most = isBinary(feature) ? 0 : RANKS;
    const words =
      values?.kind !== 'bytes' || values.words.binary ? undefined : await values.words.summary(tables, most, turns);
    described.push(featureStatistics({ survey: feature, values, words }, records));
    await turns.turn();
  }
  return described;
}
