/** Holds the distances of a comparison against the comparators of a schema. */
import {
  SELECTS_QUANTILES,
  type ComparatorMessage,
  type FeatureMessage,
  type SchemaMessage,
} from '../message/schema-message';
import { cut, shown } from '../print/layout';
import { isIdle } from '../read/tfx-features';
import type { Anomaly, AnomalyType } from '../validate/anomaly';
import type { ComparedKind, FeatureDistance } from './feature-distance';

/** `drift`: the data set of today and one of before. `skew`: the data of training and that of serving. */
export type ComparatorName = 'drift' | 'skew';

/** The words of TensorFlow Data Validation for the two data sets. */
const SIDES = {
  drift: { base: 'previous', current: 'current' },
  skew: { base: 'serving', current: 'training' },
} as const;

/** Maximum length of a text in a sentence, in characters. */
const MAX_LETTERS = 60;

/** A threshold of the schema that cannot be checked. */
export interface UncheckedThreshold {
  /** The feature, as in {@link FeatureDistance}. */
  readonly feature: string;
  /** The field of the comparator, such as `infinity_norm`. */
  readonly field: string;
  /** The reason. */
  readonly reason: string;
}

/** The comparator of a feature. */
export interface FeatureComparator {
  readonly path: readonly string[];
  readonly comparator: ComparatorMessage;
  /** True if it compares the histograms of quantiles. */
  readonly quantiles: boolean;
}

/** The comparators of `schema` that have a threshold, but for those of features that are no longer used. */
export function comparatorsOf(schema: SchemaMessage, name: ComparatorName): readonly FeatureComparator[] {
  const found: FeatureComparator[] = [];
  const add = (features: readonly FeatureMessage[], parent: readonly string[]): void => {
    for (const feature of features) {
      if (isIdle(feature)) continue;
      const path = [...parent, feature.name ?? ''];
      const comparator = name === 'drift' ? feature.driftComparator : feature.skewComparator;
      if (comparator !== undefined && hasThreshold(comparator)) {
        const quantiles = comparator.jensenShannonDivergence?.source?.type === SELECTS_QUANTILES;
        found.push({ path, comparator, quantiles });
      }
      add(feature.structDomain?.feature ?? [], path);
    }
  };
  add(schema.feature, []);
  return found;
}

function hasThreshold({ infinityNorm, jensenShannonDivergence, normalizedAbsDifference }: ComparatorMessage): boolean {
  return [infinityNorm, jensenShannonDivergence, normalizedAbsDifference].some((each) => each?.threshold !== undefined);
}

/** The anomalies of a feature, and its thresholds that cannot be checked. */
export interface Verdict {
  readonly anomalies: readonly Anomaly[];
  readonly unchecked: readonly UncheckedThreshold[];
}

/** A distance, and the words about it. */
interface Measure {
  readonly field: string;
  readonly threshold: number | undefined;
  readonly distance: number | undefined;
  readonly type: AnomalyType;
  readonly name: string;
  /** True if the text with the largest difference explains the distance. */
  readonly isOfTexts: boolean;
}

/** Holds the distances of a feature against its comparator. */
export function verdictOf(distance: FeatureDistance, { comparator }: FeatureComparator, name: ComparatorName): Verdict {
  const sides = SIDES[name];
  const anomalies: Anomaly[] = [];
  const unchecked: UncheckedThreshold[] = [];
  const { feature, path, base, current, mostDifferent } = distance;
  const add = (type: AnomalyType, message: string): void => {
    anomalies.push({ feature, path, type, message, records: [] });
  };
  const missing = ([side, values]: readonly [string, ComparedKind | undefined], type: AnomalyType): void => {
    add(type, values === undefined ? `${side} data is missing.` : `${side} data has no values.`);
  };
  if (base === undefined) missing([sides.base, base], 'COMPARATOR_CONTROL_DATA_MISSING');
  if (current === undefined) missing([sides.current, current], 'COMPARATOR_TREATMENT_DATA_MISSING');
  if (base === undefined || current === undefined) return { anomalies, unchecked };
  for (const { field, threshold, distance: found, type, name: words, isOfTexts } of measures(distance, comparator)) {
    if (threshold === undefined) continue;
    if (found === undefined) {
      if (base === 'none' && current === 'none') continue;
      if (base === 'none') missing([sides.base, base], 'COMPARATOR_CONTROL_DATA_MISSING');
      else if (current === 'none') missing([sides.current, current], 'COMPARATOR_TREATMENT_DATA_MISSING');
      else unchecked.push({ feature, field, reason: reasonOf(base, current, isOfTexts, sides) });
    } else if (found > threshold) {
      const most = isOfTexts
        ? ` The feature value with maximum difference is: ${shown(cut(mostDifferent ?? '', MAX_LETTERS))}`
        : '';
      const numbers = `${sixDigits(found)} (up to six significant digits), above the threshold ${sixDigits(threshold)}`;
      add(type, `The ${words} between ${sides.current} and ${sides.base} is ${numbers}.${most}`);
    }
  }
  return { anomalies: withoutRepeats(anomalies), unchecked };
}

function measures(distance: FeatureDistance, comparator: ComparatorMessage): readonly Measure[] {
  return [
    {
      field: 'infinity_norm',
      threshold: comparator.infinityNorm?.threshold,
      distance: distance.lInfinity,
      type: 'COMPARATOR_L_INFTY_HIGH',
      name: 'Linfty distance',
      isOfTexts: true,
    },
    {
      field: 'jensen_shannon_divergence',
      threshold: comparator.jensenShannonDivergence?.threshold,
      distance: distance.jensenShannon,
      type: 'COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH',
      name: 'approximate Jensen-Shannon divergence',
      isOfTexts: false,
    },
    {
      field: 'normalized_abs_difference',
      threshold: comparator.normalizedAbsDifference?.threshold,
      distance: distance.normalizedDifference,
      type: 'COMPARATOR_NORMALIZED_ABSOLUTE_DIFFERENCE_HIGH',
      name: 'normalized absolute difference',
      isOfTexts: true,
    },
  ];
}

function reasonOf(
  base: ComparedKind,
  current: ComparedKind,
  isOfTexts: boolean,
  sides: (typeof SIDES)[ComparatorName],
): string {
  if (base !== current) return `${sides.base} data has ${base}, ${sides.current} data has ${current}`;
  if (base === 'bytes') return 'the statistics do not count values that are not text';
  if (isOfTexts) return 'it compares texts, and the values are numbers: jensen_shannon_divergence compares numbers';
  return 'the statistics lack the histogram that it compares';
}

function withoutRepeats(anomalies: readonly Anomaly[]): readonly Anomaly[] {
  return anomalies.filter(({ type }, i) => anomalies.findIndex((other) => other.type === type) === i);
}

/** The anomalies of `num_examples_drift_comparator`, which compares the numbers of records. */
export function sizeAnomalies(
  { datasetConstraints }: SchemaMessage,
  base: bigint,
  current: bigint,
): readonly Anomaly[] {
  const { minFractionThreshold: least, maxFractionThreshold: most } =
    datasetConstraints?.numExamplesDriftComparator ?? {};
  const anomaly = (type: AnomalyType, message: string): Anomaly => ({
    feature: '',
    path: [],
    type,
    message,
    records: [],
  });
  if (current === 0n) return [];
  if (base === 0n) {
    if (most === undefined) return [];
    const message =
      'The previous span has 0 examples, so there is a high number of examples in the current dataset versus the previous span.';
    return [anomaly('COMPARATOR_HIGH_NUM_EXAMPLES', message)];
  }
  const ratio = Number(current) / Number(base);
  const is = `The ratio of num examples in the current dataset versus the previous span is ${sixDigits(ratio)} (up to six significant digits), which is`;
  if (most !== undefined && ratio > most)
    return [anomaly('COMPARATOR_HIGH_NUM_EXAMPLES', `${is} above the threshold ${sixDigits(most)}.`)];
  if (least !== undefined && ratio < least)
    return [anomaly('COMPARATOR_LOW_NUM_EXAMPLES', `${is} below the threshold ${sixDigits(least)}.`)];
  return [];
}

/** A number with at most six significant digits, as C's `%g` prints it. */
export function sixDigits(value: number): string {
  if (!Number.isFinite(value) || value === 0) return String(value);
  const [digits = '', exponent = '0'] = value.toExponential(5).split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 6) {
    const sign = power < 0 ? '-' : '+';
    return `${withoutZeros(digits)}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  return withoutZeros(value.toFixed(5 - power));
}

function withoutZeros(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}
