/** The distances between two data sets in one feature. */
import { TFRecordError } from '../../base';
import { STANDARD, QUANTILES } from '../statistics/histograms';
import type { FeatureNameStatisticsMessage, HistogramMessage } from '../statistics/message';
import { histogramDivergence, isOrderly } from './histogram-divergence';
import { lInfinity, normalizedDifference, textCounts, textDivergence, type TextCounts } from './value-distances';

/** The values of a feature in the statistics of one data set. */
export type ComparedKind = 'numbers' | 'texts' | 'bytes' | 'none';

/** A data set that was compared. */
export interface ComparedDataset {
  /** Its name; may be empty. */
  readonly name: string;
  /** Number of its records. */
  readonly records: number;
}

/** The distances between two data sets in one feature, as plain data. */
export interface FeatureDistance {
  /** The name of the feature; for a feature list, `##SEQUENCE##.` and its name, as in TFX. */
  readonly feature: string;
  /** The steps of `feature`. */
  readonly path: readonly string[];
  /** The values of the data set to compare with: `none` if it has none; undefined if it lacks the feature. */
  readonly base: ComparedKind | undefined;
  /** The values of the data set that is judged. */
  readonly current: ComparedKind | undefined;
  /**
   * L-infinity distance, 0 to 1, of texts: the largest difference of the fractions that a text has of all values.
   * Undefined for other values.
   */
  readonly lInfinity: number | undefined;
  /** The text with the largest difference of fractions; undefined if there is no difference. */
  readonly mostDifferent: string | undefined;
  /** Largest difference of the numbers of a text over all values of both sides, 0 to 1. Undefined for other values. */
  readonly normalizedDifference: number | undefined;
  /**
   * Approximate Jensen-Shannon divergence to the base 2, 0 to 1, of texts or of the histograms of numbers. Undefined if
   * a side has no values, or values of another kind.
   */
  readonly jensenShannon: number | undefined;
}

/** The values of one side of a comparison. */
type Side =
  | { readonly kind: 'numbers'; readonly histogramOf: (type: number) => HistogramMessage | undefined }
  | { readonly kind: 'texts'; readonly counts: TextCounts }
  | { readonly kind: 'bytes' | 'none' };

/**
 * Compares a feature. `base`, `current`: its statistics; undefined if a data set lacks it. `quantiles`: true to compare
 * histograms of quantiles, not of equal widths.
 * @throws TFRecordError TFR_DECODE for statistics that contradict themselves
 */
export function featureDistance(
  path: readonly string[],
  base: FeatureNameStatisticsMessage | undefined,
  current: FeatureNameStatisticsMessage | undefined,
  quantiles: boolean,
): FeatureDistance {
  const feature = path.join('.');
  const [a, b] = [base && sideOf(base, feature), current && sideOf(current, feature)];
  const texts = textsOf(a, b);
  const { distance, value } = texts === undefined ? NOTHING : lInfinity(...texts);
  return {
    feature,
    path,
    base: a?.kind,
    current: b?.kind,
    lInfinity: distance,
    mostDifferent: value,
    normalizedDifference: texts && normalizedDifference(...texts).distance,
    jensenShannon: texts === undefined ? numbersDivergence(a, b, quantiles) : textDivergence(...texts),
  };
}

const NOTHING = { distance: undefined, value: undefined };
const NO_TEXTS: TextCounts = new Map();

/** The texts of both sides, if both have texts, or one has and the other has no values. */
function textsOf(a: Side | undefined, b: Side | undefined): [TextCounts, TextCounts] | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a.kind !== 'texts' && b.kind !== 'texts') return undefined;
  const counts = [a, b].map((side) =>
    side.kind === 'texts' ? side.counts : side.kind === 'none' ? NO_TEXTS : undefined,
  );
  const [one, two] = counts;
  return one && two && [one, two];
}

function numbersDivergence(a: Side | undefined, b: Side | undefined, quantiles: boolean): number | undefined {
  if (a?.kind !== 'numbers' || b?.kind !== 'numbers') return undefined;
  const type = quantiles ? QUANTILES : STANDARD;
  const [one, two] = [a.histogramOf(type), b.histogramOf(type)];
  return one && two && histogramDivergence(one, two);
}

function sideOf({ numStats, stringStats, bytesStats }: FeatureNameStatisticsMessage, feature: string): Side {
  // TensorFlow Data Validation describes integers that are categories by stringStats.
  if (stringStats !== undefined) {
    const buckets = stringStats.rankHistogram?.buckets ?? [];
    if (!buckets.every(({ sampleCount }) => sampleCount >= 0 && sampleCount < Infinity)) throw disorderly(feature);
    const counts = textCounts(buckets.map(({ label, sampleCount }) => [label, sampleCount]));
    return [...counts.values()].some((count) => count > 0) ? { kind: 'texts', counts } : { kind: 'none' };
  }
  if (numStats !== undefined) {
    const { histograms } = numStats;
    if (!histograms.every(isOrderly)) throw disorderly(feature);
    const isEmpty = histograms.every(
      ({ buckets, numNan }) => numNan === 0n && buckets.every(({ sampleCount }) => sampleCount === 0),
    );
    if (isEmpty) return { kind: 'none' };
    return { kind: 'numbers', histogramOf: (wanted) => histograms.find(({ type }) => type === wanted) };
  }
  return { kind: (bytesStats?.commonStats?.totNumValues ?? 0n) > 0n ? 'bytes' : 'none' };
}

function disorderly(feature: string): TFRecordError {
  const expected = 'buckets in ascending order, with counts of 0 or more';
  return new TFRecordError(
    'TFR_DECODE',
    `The statistics of feature ${JSON.stringify(feature)} have an invalid histogram: expected ${expected}.`,
    { feature, expected },
  );
}
