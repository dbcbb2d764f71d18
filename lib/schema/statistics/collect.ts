/** Collects the values of a source, while a survey reads its records. */
import { isUtf8 } from 'node:buffer';

import type { TFRecordError } from '../../base';
import { type LoopTurns, tfrecordError, advice, named, worded } from '../../base';
import type { RecordBatch } from '../../record';
import {
  newTable,
  parseTable,
  type FeatureSurvey,
  type FoundPicture,
  type SurveyCalls,
  type SurveySoFar,
  type Table,
  type Vector,
} from '../../table';
import { FeatureValues, type ValueKind } from './feature-values';
import type { ValueLimits } from './limits';

export class Collector implements Required<Pick<SurveyCalls, 'onPicture' | 'onRecords'>> {
  /** By the index of the survey; undefined for features without values, and for features that are not wanted. */
  readonly #features: (FeatureValues | undefined)[] = [];
  /** Indices of features without a kind so far. */
  readonly #unknown = new Set<number>();
  /** Indices of features in which pictures were found before their first values were collected. */
  readonly #pictures = new Set<number>();
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #limits: ValueLimits;
  readonly #turns: LoopTurns;
  #known: SurveySoFar | undefined;
  #table: { readonly table: Table; readonly features: readonly FeatureValues[] } | undefined;
  /** The values of the last batch, which are not yet added. */
  #parsed: { readonly vectors: readonly Vector[]; readonly features: readonly FeatureValues[] } | undefined;

  constructor(wanted: ReadonlySet<string> | undefined, limits: ValueLimits, turns: LoopTurns) {
    this.#wanted = wanted;
    this.#limits = limits;
    this.#turns = turns;
  }

  /** The values of feature `index` of the survey; undefined if it has none. */
  values(index: number): FeatureValues | undefined {
    return this.#features[index];
  }

  readonly onPicture = ({ feature, bytes }: FoundPicture): void => {
    // A text may start like a picture by chance.
    if (isUtf8(bytes)) return;
    this.#pictures.add(feature);
    this.#features[feature]?.words.setBinary();
  };

  readonly onRecords = async (batch: RecordBatch, known: SurveySoFar): Promise<void> => {
    await this.#learn(known);
    if (this.#table?.table.sequenceExample !== known.lists) this.#table = undefined;
    const { table, features } = (this.#table ??= this.#newTable(known.lists));
    if (features.length === 0) return;
    // Native threads parse this batch while the values of the previous one are added.
    const [parsed, summed] = await Promise.allSettled([parseTable(batch, table, true), this.end()]);
    if (summed.status === 'rejected') throw summed.reason;
    if (parsed.status === 'rejected') throw parsed.reason;
    const { value, error } = parsed.value;
    // The survey has already found all other faults.
    if (error !== undefined) throw mixed(error);
    this.#parsed = { vectors: value.vectors, features };
  };

  /** Adds the values of the last batch. */
  async end(): Promise<void> {
    if (this.#parsed === undefined) return;
    const { vectors, features } = this.#parsed;
    this.#parsed = undefined;
    await this.#limits.addWords(features, async () => {
      for (const [i, vector] of vectors.entries()) await features[i]!.add(vector, this.#turns);
    });
  }

  /** Updates the list of features, and the kinds of those that had none. */
  async #learn(known: SurveySoFar): Promise<void> {
    this.#known = known;
    const unknown = [...this.#unknown];
    this.#limits.addFeatures(known.features - this.#features.length);
    for (let i = this.#features.length; i < known.features; i++) {
      this.#features.push(undefined);
      unknown.push(i);
    }
    for (const index of unknown) {
      const feature = known.feature(index);
      this.#unknown.delete(index);
      if (this.#wanted?.has(feature.name) === false) continue;
      const kind = firstKind(feature);
      if (kind === undefined) this.#unknown.add(index);
      else this.#begin(index, feature, kind);
      await this.#turns.breathe();
    }
  }

  #begin(index: number, feature: FeatureSurvey, kind: ValueKind): void {
    const values = new FeatureValues(feature, kind, () => this.#limits.capacity);
    this.#limits.limit(values, () => this.#known!.feature(index));
    if (this.#pictures.has(index)) values.words.setBinary();
    this.#features[index] = values;
    this.#table = undefined;
  }

  #newTable(sequenceExample: boolean): { table: Table; features: readonly FeatureValues[] } {
    const features = this.#features.filter((feature) => feature !== undefined);
    const columns = features.map(
      ({ name, section, kind }) =>
        ({ key: name, section: section === 'context' ? 0 : 1, dtype: kind, shape: undefined, nullable: true }) as const,
    );
    return { table: newTable(columns, sequenceExample), features };
  }
}

/** The kind of the first values. Parsing finds features of several kinds. */
export function firstKind({ kinds: { bytes, float32, int64 } }: FeatureSurvey): ValueKind | undefined {
  if (int64 > 0) return 'int64';
  if (float32 > 0) return 'float32';
  return bytes > 0 ? 'bytes' : undefined;
}

/** The error for a feature of several kinds. `error`: the error about the record that does not match. */
export function mixed(error: TFRecordError): TFRecordError {
  const { code, file, record, offset, feature, expected, found } = error;
  if (code !== 'TFR_FEATURE') return error;
  const name = JSON.stringify(feature);
  const cure = advice`: name the other features (${named('features')})`;
  return tfrecordError(
    'TFR_FEATURE',
    worded`Feature ${name} has values of several kinds: ${expected}, but ${found} in record ${record} of ${file}. Statistics are those of one kind${cure}`,
    { file, record, offset, feature, expected, found },
  );
}
