import { checkOptions, invalidArgType, invalidArgValue, isObject } from '../../base';
import type { MessageInit } from '../../example';
import { byNames, checkNames, placeOf, refuseAbsent } from '../feature-names';
import { messageOf } from '../message/from-features';
import { SchemaProto } from '../message/metadata';
import type { SchemaMessage } from '../message/schema-message';
import { Schema } from '../schema';
import { DatasetStatistics } from '../statistics/dataset-statistics';
import {
  DatasetFeatureStatisticsList,
  type DatasetFeatureStatisticsListMessage,
  type DatasetFeatureStatisticsMessage,
  type FeatureNameStatisticsMessage,
} from '../statistics/message';
import { ALL_EXAMPLES } from '../statistics/statistics';
import type { Anomaly } from '../validate/anomaly';
import { comparatorsOf, sizeAnomalies, verdictOf, type ComparatorName, type UncheckedThreshold } from './comparators';
import { StatisticsComparison } from './comparison';
import { featureDistance, type ComparedDataset } from './feature-distance';

/** Options of {@link compareStatistics}. */
export interface CompareOptions {
  /** The schema whose comparators have the thresholds. Default: none; there are only distances. */
  schema?: Schema | undefined;
  /**
   * The comparators that apply: `drift` (`drift_comparator`; `base` is the data of before), or `skew`
   * (`skew_comparator`; `base` is the data of serving, `current` that of training). Default: `drift`.
   */
  comparator?: ComparatorName | undefined;
  /** Names of the features to compare, in both parts of SequenceExamples. Default: all, and the numbers of records. */
  features?: readonly string[] | undefined;
}

/** The statistics of a data set: those that {@link statistics} computed, or that {@link readStatistics} read. */
export type StatisticsSource = DatasetStatistics | MessageInit<DatasetFeatureStatisticsListMessage>;

/**
 * Compares the distributions of two data sets by their statistics, like TensorFlow Data Validation: the L-infinity
 * distance of texts, and the approximate Jensen-Shannon divergence of texts and of the histograms of numbers. With a
 * schema, distances above the thresholds of its comparators are anomalies.
 *
 * Statistics have the 1,000 most frequent texts of a feature; the others do not count. Of numbers, the histograms of
 * equal widths are compared, or those of quantiles if the comparator says so (`source`). NaN and infinities always count
 * as different.
 *
 * @param base - The data set to compare with: the earlier one, or that of serving.
 * @param current - The data set that is judged.
 * @throws TFRecordError TFR_FEATURE if neither data set has one of `features`; TFR_DECODE for invalid histograms.
 *   TypeError or RangeError for wrong arguments, and for statistics of several data sets (slices), none of which is
 *   called `All Examples`.
 *
 * @example
 * const [before, now] = await Promise.all([statistics('monday-*.gz'), statistics('tuesday-*.gz')]);
 * const comparison = compareStatistics(before, now, { schema: await readSchema('schema.pbtxt') });
 * console.log(String(comparison), comparison.anomalies);
 */
export function compareStatistics(
  base: StatisticsSource,
  current: StatisticsSource,
  options?: CompareOptions,
): StatisticsComparison {
  const {
    schema,
    comparator = 'drift',
    features,
  } = checkOptions(options, ['schema', 'comparator', 'features'] as const);
  if (schema !== undefined && !(schema instanceof Schema)) {
    throw invalidArgType('options.schema', 'a Schema of readSchema or inferSchema', schema);
  }
  if (!['drift', 'skew'].includes(comparator)) {
    throw invalidArgValue('options.comparator', "'drift' or 'skew'", comparator);
  }
  const wanted = checkNames(features);
  const [one, two] = [datasetOf('base', base), datasetOf('current', current)];
  const message = schema && SchemaProto.decode(SchemaProto.encode(schema.message ?? messageOf(schema.features)));
  return compared(one, two, message, comparator, wanted);
}

function compared(
  one: DatasetFeatureStatisticsMessage,
  two: DatasetFeatureStatisticsMessage,
  schema: SchemaMessage | undefined,
  name: ComparatorName,
  wanted: ReadonlySet<string> | undefined,
): StatisticsComparison {
  const [base, current] = [byPath(one), byPath(two)];
  const comparators = byKey(schema === undefined ? [] : comparatorsOf(schema, name));
  const paths = new Map([...base, ...current, ...comparators].map(([key, { path }]) => [key, path]));
  const names = [...paths.values()].map((path) => placeOf(path).name);
  refuseAbsent(wanted, names);
  const anomalies: Anomaly[] = [];
  const unchecked: UncheckedThreshold[] = [];
  if (schema !== undefined && name === 'drift' && wanted === undefined) {
    anomalies.push(...sizeAnomalies(schema, one.numExamples, two.numExamples));
  }
  const distances = [...paths]
    .filter(([, path]) => wanted?.has(placeOf(path).name) !== false)
    .sort(([, a], [, b]) => byNames(placeOf(a), placeOf(b)))
    .flatMap(([key, path]) => {
      const comparator = comparators.get(key);
      const [a, b] = [base.get(key)?.stats, current.get(key)?.stats];
      const distance = featureDistance(path, a, b, comparator?.quantiles ?? false);
      if (comparator !== undefined) {
        const verdict = verdictOf(distance, comparator, name);
        anomalies.push(...verdict.anomalies);
        unchecked.push(...verdict.unchecked);
      }
      return a === undefined && b === undefined ? [] : [distance];
    });
  return new StatisticsComparison({
    base: described(one),
    current: described(two),
    features: distances,
    anomalies,
    unchecked,
    comparators: comparators.size,
  });
}

function datasetOf(name: string, given: unknown): DatasetFeatureStatisticsMessage {
  const message = given instanceof DatasetStatistics ? given.message : given;
  if (!isObject(message)) {
    throw invalidArgType(name, 'statistics, or a message DatasetFeatureStatisticsList', given);
  }
  // Encoding and decoding checks all members, and adds those that are missing.
  const { datasets } = DatasetFeatureStatisticsList.decode(DatasetFeatureStatisticsList.encode(message));
  const dataset = datasets.length === 1 ? datasets[0] : datasets.find((each) => each.name === ALL_EXAMPLES);
  if (dataset !== undefined) return dataset;
  throw invalidArgValue(name, `statistics of one data set, or with one called ${ALL_EXAMPLES}`, message);
}

interface PathStatistics {
  readonly path: readonly string[];
  readonly stats: FeatureNameStatisticsMessage;
}

/** The statistics of features, by the keys of their paths. A structure has no values of its own. */
function byPath({ features }: DatasetFeatureStatisticsMessage): Map<string, PathStatistics> {
  const found = features
    .filter(({ structStats }) => structStats === undefined)
    .map((stats) => ({ path: stats.path?.step ?? [stats.name ?? ''], stats }));
  return byKey(found);
}

function byKey<T extends { readonly path: readonly string[] }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [JSON.stringify(item.path), item]));
}

function described({ name, numExamples }: DatasetFeatureStatisticsMessage): ComparedDataset {
  return { name, records: Number(numExamples) };
}
