/** Limits of the memory that the values of all features take. */
import type { LoopTurns } from '../../base';
import type { FeatureSurvey } from '../../table';
import type { FeatureValues } from './feature-values';
import type { WordTables } from './word-tables';

/**
 * Maximum number of different values, for all features together, that are kept in memory. The next line limits their
 * bytes.
 */
const MAX_WORDS = 2 ** 17;
const MAX_WORD_BYTES = 2 ** 24;

/**
 * Fraction of values that are not UTF-8 above which a feature is binary (such as random bytes), so that its different
 * values are not counted.
 */
const BINARY = 0.9;

/** Maximum number of numbers of a feature that are kept for quantiles, by the number of features. */
const CAPACITIES = [
  { features: 128, capacity: 2 ** 17 },
  { features: 512, capacity: 2 ** 16 },
  { features: 4096, capacity: 2 ** 14 },
  { features: Infinity, capacity: 2 ** 12 },
] as const;

/** Maximum number of numbers of a feature that are kept, if there are so many features. */
export function capacityOf(count: number): number {
  return CAPACITIES.find(({ features }) => count <= features)!.capacity;
}

/**
 * If there are too many words, moves those of the features with most words to the database. Stops counting binary
 * features.
 */
export async function keepFewWords(
  features: readonly FeatureValues[],
  surveyOf: (feature: FeatureValues) => FeatureSurvey,
  tables: WordTables,
  turns: LoopTurns,
): Promise<void> {
  const sum = (size: (feature: FeatureValues) => number): number =>
    features.reduce((total, feature) => total + size(feature), 0);
  while (sum(({ words }) => words.size) > MAX_WORDS || sum(({ words }) => words.bytes) > MAX_WORD_BYTES) {
    const weight = ({ words }: FeatureValues): number => Math.max(words.size / MAX_WORDS, words.bytes / MAX_WORD_BYTES);
    const heaviest = features.reduce((most, feature) => (weight(feature) > weight(most) ? feature : most));
    const { bytes, counts } = surveyOf(heaviest);
    if (bytes!.notUtf8 >= BINARY * counts!.total) heaviest.words.setBinary();
    else await heaviest.words.moveTo(tables, turns);
  }
}
