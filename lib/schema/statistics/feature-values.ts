/** Statistics of the values of one feature that a survey does not compute. */
import type { LoopTurns } from '../../base';
import { numbersOf } from '../../example';
import { type FeatureSurvey, type Vector } from '../../table';
import type { FeatureKindName } from '../feature';
import { ListLengths } from './list-lengths';
import { Moments } from './moments';
import { Sample } from './sample';
import { Words } from './words';

/** The kinds of values. */
export type ValueKind = Exclude<FeatureKindName, 'mixed' | 'none'>;

/** Number of values between two checks of the clock. */
const AT_ONCE = 16_384;

export class FeatureValues {
  readonly section: FeatureSurvey['section'];
  readonly name: string;
  readonly kind: ValueKind;
  /** Numbers of values per record that has the feature; for feature lists: of all steps together. */
  readonly lengths: ListLengths;
  /** For feature lists: numbers of values per step (0 without a kind), and numbers of steps per record. */
  readonly steps: { readonly lengths: ListLengths; readonly counts: ListLengths } | undefined;
  readonly moments = new Moments();
  readonly sample: Sample;
  readonly words = new Words();

  /** `capacity`: maximum number of numbers to keep for quantiles. */
  constructor({ section, name }: FeatureSurvey, kind: ValueKind, capacity: () => number) {
    this.section = section;
    this.name = name;
    this.kind = kind;
    this.lengths = new ListLengths(capacity);
    this.sample = new Sample(capacity());
    this.steps =
      section === 'sequence' ? { lengths: new ListLengths(capacity), counts: new ListLengths(capacity) } : undefined;
  }

  limit(capacity: number): void {
    this.sample.limit(capacity);
    this.lengths.limit(capacity);
    this.steps?.lengths.limit(capacity);
    this.steps?.counts.limit(capacity);
  }

  /** Adds the values of some records. */
  async add(vector: Vector, turns: LoopTurns): Promise<void> {
    this.#addLengths(vector);
    const { values, offsets } = vector;
    if (offsets !== undefined) {
      const count = offsets.length - 1;
      for (let begin = 0; begin < count && !this.words.binary; begin += AT_ONCE) {
        this.words.add(values as Uint8Array, offsets, begin, Math.min(count, begin + AT_ONCE));
        await turns.breathe();
      }
      return;
    }
    for (let begin = 0; begin < values.length; begin += AT_ONCE) {
      const some = values.subarray(begin, begin + AT_ONCE) as Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
      const numbers = some instanceof Float32Array ? some : numbersOf({ values: some });
      this.sample.add(this.moments.add(numbers));
      await turns.breathe();
    }
  }

  #addLengths({ rows, validity, splits, steps }: Vector): void {
    if (this.steps === undefined) {
      this.lengths.add(splits!, rows, validity);
      return;
    }
    this.steps.counts.add(steps!, rows, validity);
    this.steps.lengths.add(splits!, splits!.length - 1, undefined);
    // Maps records to the ends of their values.
    const ends = steps!.map((step) => splits![step]!);
    this.lengths.add(ends, rows, validity);
  }
}
