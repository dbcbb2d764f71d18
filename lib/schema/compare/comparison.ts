import { inspect } from 'node:util';

import { inspected, type InspectArguments } from '../../base';
import type { Anomaly } from '../validate/anomaly';
import type { UncheckedThreshold } from './comparators';
import type { ComparedDataset, FeatureDistance } from './feature-distance';
import { comparisonTable } from './table';

/** The members of a {@link StatisticsComparison}. */
export type ComparisonParts = Pick<
  StatisticsComparison,
  'base' | 'current' | 'features' | 'anomalies' | 'unchecked' | 'comparators'
>;

/**
 * The distances between two data sets, and those that are above a threshold of a schema. The result of
 * {@link compareStatistics}.
 *
 * @example
 * const { features } = compareStatistics(before, now);
 * for (const { feature, jensenShannon } of features) console.log(feature, jensenShannon);
 */
export class StatisticsComparison {
  /** The data set to compare with. */
  readonly base: ComparedDataset;
  /** The data set that is judged. */
  readonly current: ComparedDataset;
  /** The features of both data sets, sorted by name: those of the context, then feature lists. */
  readonly features: readonly FeatureDistance[];
  /** The distances above a threshold, and missing data; empty without a schema. */
  readonly anomalies: readonly Anomaly[];
  /** Thresholds that the statistics cannot decide about, such as `infinity_norm` for a feature of numbers. */
  readonly unchecked: readonly UncheckedThreshold[];

  /** Number of features for which the schema has a comparator with a threshold; 0 without a schema. */
  readonly comparators: number;

  /** @internal */
  constructor({ base, current, features, anomalies, unchecked, comparators }: ComparisonParts) {
    this.base = base;
    this.current = current;
    this.features = features;
    this.anomalies = anomalies;
    this.unchecked = unchecked;
    this.comparators = comparators;
  }

  /**
   * Returns a table with a line for each feature, the most different ones first. `width`: maximum width in characters.
   * Default: 120.
   *
   * @example
   * console.log(comparison.toTable(process.stdout.columns));
   */
  toTable(width = 120): string {
    return comparisonTable(this, width);
  }

  /**
   * Returns a table, as {@link StatisticsComparison.toTable} does.
   *
   * @example
   * console.log(String(comparison));
   */
  toString(): string {
    return this.toTable();
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected(this.constructor.name, args, () => Object.fromEntries(Object.entries(this)));
  }
}
