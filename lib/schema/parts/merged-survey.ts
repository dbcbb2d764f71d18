/** The surveys of parts of the records, added up. */
import type { ReadStats } from '../../record';
import { mergeSurveys, type FeatureSurvey, type Survey } from '../../table';
import type { PartTotals } from './part-entry';

export class MergedSurvey {
  readonly #features: FeatureSurvey[] = [];
  readonly #indices = new Map<string, number>();
  #records = 0;
  #withLists = 0;
  #bytes = 0;
  #compressedBytes = 0;
  #skipped = 0;
  #lostBytes = 0;

  /** The features so far, in the order of their first appearance. */
  get features(): readonly FeatureSurvey[] {
    return this.#features;
  }

  addTotals({ records, withLists, bytes, compressedBytes, skipped, lostBytes }: PartTotals): void {
    this.#records += records;
    this.#withLists += withLists;
    this.#bytes += bytes;
    this.#compressedBytes += compressedBytes;
    this.#skipped += skipped;
    this.#lostBytes += lostBytes;
  }

  /** Adds the survey of a feature in one part. Returns the index of the feature. */
  add(feature: FeatureSurvey): number {
    const key = `${feature.section} ${feature.name}`;
    const index = this.#indices.get(key);
    if (index === undefined) {
      this.#indices.set(key, this.#features.length);
      return this.#features.push(feature) - 1;
    }
    this.#features[index] = mergeSurveys(this.#features[index]!, feature);
    return index;
  }

  /** The survey of all records. `files`: the names of all files. */
  survey(files: readonly string[]): Survey {
    const stats: ReadStats = {
      records: this.#records,
      bytes: this.#bytes,
      compressedBytes: this.#compressedBytes,
      totalBytes: this.#compressedBytes,
      compression: undefined,
      skipped: this.#skipped,
      lostBytes: this.#lostBytes,
    };
    return { records: this.#records, withLists: this.#withLists, features: this.#features, files, stats };
  }
}
