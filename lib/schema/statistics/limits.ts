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
function capacityOf(count: number): number {
  return CAPACITIES.find(({ features }) => count <= features)!.capacity;
}

/** Values, with the survey of their feature. */
interface Limited {
  readonly values: FeatureValues;
  readonly survey: () => FeatureSurvey;
}

/** Keeps the values of all features, in all slices, within the limits. */
export class ValueLimits {
  readonly #limited: Limited[] = [];
  readonly #tables: WordTables;
  readonly #turns: LoopTurns;
  #features = 0;
  #capacity = capacityOf(0);
  /** At least the number of words in memory, and of their bytes. */
  #words = 0;
  #bytes = 0;

  constructor(tables: WordTables, turns: LoopTurns) {
    this.#tables = tables;
    this.#turns = turns;
  }

  /** Number of features, of each slice its own. */
  get features(): number {
    return this.#features;
  }

  /** Maximum number of numbers of a feature that are kept. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Notes `count` more features, with or without values. */
  addFeatures(count: number): void {
    this.#features += count;
    const capacity = capacityOf(this.#features);
    if (capacity === this.#capacity) return;
    this.#capacity = capacity;
    for (const { values } of this.#limited) values.limit(capacity);
  }

  /** Limits `values` from now on. `survey`: the survey of their feature at the time of the call. */
  limit(values: FeatureValues, survey: () => FeatureSurvey): void {
    this.#limited.push({ values, survey });
  }

  /** Calls `add`, which adds words to `features`. Moves words to the database if there are too many then. */
  async addWords(features: readonly FeatureValues[], add: () => Promise<void>): Promise<void> {
    const before = sizeOf(features);
    await add();
    const after = sizeOf(features);
    this.#words += Math.max(0, after.words - before.words);
    this.#bytes += Math.max(0, after.bytes - before.bytes);
    if (this.#words <= MAX_WORDS && this.#bytes <= MAX_WORD_BYTES) return;
    await this.#moveWords();
  }

  /** Moves the words of the features with most of them, until the others fit. Stops counting binary features. */
  async #moveWords(): Promise<void> {
    for (;;) {
      const { words, bytes } = sizeOf(this.#limited.map(({ values }) => values));
      [this.#words, this.#bytes] = [words, bytes];
      if (words <= MAX_WORDS && bytes <= MAX_WORD_BYTES) return;
      const heaviest = this.#limited.reduce((most, each) => (weight(each) > weight(most) ? each : most));
      const { bytes: summary, counts } = heaviest.survey();
      if (summary!.notUtf8 >= BINARY * counts!.total) heaviest.values.words.setBinary();
      else await heaviest.values.words.moveTo(this.#tables, this.#turns);
    }
  }
}

function sizeOf(features: readonly FeatureValues[]): { words: number; bytes: number } {
  let [words, bytes] = [0, 0];
  for (const each of features) {
    words += each.words.size;
    bytes += each.words.bytes;
  }
  return { words, bytes };
}

function weight({ values: { words } }: Limited): number {
  return Math.max(words.size / MAX_WORDS, words.bytes / MAX_WORD_BYTES);
}
