/** Collects the values of all records, and again those of each slice. */
import { TFRecordError, type LoopTurns } from '../../../base';
import { compareUtf8 } from '../../../example';
import { subset, type RecordBatch } from '../../../record';
import {
  PartialSurvey,
  type FoundPicture,
  type SurveyCalls,
  type SurveyFindings,
  type SurveySoFar,
} from '../../../table';
import { Collector } from '../collect';
import type { FeatureValues } from '../feature-values';
import type { ValueLimits } from '../limits';
import type { SliceRule } from './slice-by';
import { Slicer, type Slice } from './slicer';

/** Maximum number of features of all slices together. A survey has the same limit. */
const MAX_FEATURES = 32_768;

/** The values of a slice, or of all records. */
export interface Collected {
  /** Undefined: all records. */
  readonly slice: Slice | undefined;
  readonly findings: SurveyFindings;
  /** The values of a feature, by its index; undefined if it has none. */
  readonly values: (index: number) => FeatureValues | undefined;
}

export class SlicedCollector implements Required<Pick<SurveyCalls, 'onPicture' | 'onRecords'>> {
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #limits: ValueLimits;
  readonly #turns: LoopTurns;
  readonly #all: Collector;
  /** Undefined: there are no slices. */
  readonly #slicer: Slicer | undefined;
  readonly #slices: { readonly collector: Collector; readonly survey: PartialSurvey }[] = [];

  constructor(
    wanted: ReadonlySet<string> | undefined,
    rules: readonly SliceRule[],
    limits: ValueLimits,
    turns: LoopTurns,
  ) {
    this.#wanted = wanted;
    this.#limits = limits;
    this.#turns = turns;
    this.#all = new Collector(wanted, limits, turns);
    this.#slicer = rules.length === 0 ? undefined : new Slicer(rules, turns);
  }

  readonly onPicture = (picture: FoundPicture): void => {
    this.#all.onPicture(picture);
  };

  readonly onRecords = async (batch: RecordBatch, known: SurveySoFar): Promise<void> => {
    await this.#all.onRecords(batch, known);
    if (this.#slicer === undefined) return;
    for (const { slice, rows } of await this.#slicer.rowsOf(batch, known)) {
      const own = (this.#slices[slice] ??= this.#newSlice());
      await own.survey.add(subset(batch, rows)!);
    }
    if (this.#limits.features > MAX_FEATURES) throw tooManyFeatures();
  };

  /**
   * Adds the last values. Returns all records of `survey`, then the slices in ascending order of their names.
   * @throws TFRecordError TFR_FEATURE if no record has a feature of the rules, unless the records are `inPart`
   */
  async end(survey: SurveyFindings, inPart = false): Promise<readonly Collected[]> {
    await this.#all.end();
    const collected: Collected[] = [];
    if (!inPart) this.#slicer?.refuseAbsent(survey.features.map(({ name }) => name));
    for (const [i, { collector, survey: own }] of this.#slices.entries()) {
      await collector.end();
      const findings = await own.findings();
      collected.push({ slice: this.#slicer!.slices[i]!, findings, values: (index) => collector.values(index) });
    }
    collected.sort(bySlice);
    return [{ slice: undefined, findings: survey, values: (index) => this.#all.values(index) }, ...collected];
  }

  #newSlice(): { collector: Collector; survey: PartialSurvey } {
    const collector = new Collector(this.#wanted, this.#limits, this.#turns);
    const { onPicture, onRecords } = collector;
    return { collector, survey: new PartialSurvey({ onPicture, onRecords }, this.#turns) };
  }
}

/** Orders slices by their names. */
export function bySlice(a: Collected, b: Collected): number {
  return compareUtf8(a.slice!.name, b.slice!.name);
}

function tooManyFeatures(): TFRecordError {
  const expected = `at most ${MAX_FEATURES} features in all slices`;
  return new TFRecordError(
    'TFR_FEATURE',
    `The slices have more than ${MAX_FEATURES} features together: name the features to describe, or the values that make slices.`,
    { expected, found: `more than ${MAX_FEATURES}` },
  );
}
