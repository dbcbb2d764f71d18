import { TFRecordError, type Bytes, type Origin } from '../../base';
import { hashOf, StoredFeature } from '../../example';
import { subset, type RecordBatch } from '../../record';
import type { Faults } from '../format';

const TWO_32 = 2 ** 32;

/**
 * Assigns each record to one side of a split, by a hash of its bytes, or of the values of one feature. The hash depends
 * on nothing else, so a record always gets the same side.
 */
export class Split {
  readonly sides: readonly string[];
  /** For each side, the upper bound (exclusive) of its hashes. */
  readonly #ends: readonly number[];
  readonly #by: StoredFeature | undefined;

  /** `fractions`: the share of each side; shares add up to 1. `by`: the feature to hash. */
  constructor(fractions: Readonly<Record<string, number>>, by: string | undefined) {
    this.sides = Object.keys(fractions);
    let sum = 0;
    const ends = Object.values(fractions).map((fraction) => Math.round((sum += fraction) * TWO_32));
    ends[ends.length - 1] = TWO_32;
    this.#ends = ends;
    this.#by =
      by === undefined ? undefined : new StoredFeature(by, 'whose feature could be hashed', 'by which to split');
  }

  /** The records of each side, in order; undefined for a side without records. */
  divide(batch: RecordBatch, faults: Faults): (RecordBatch | undefined)[] {
    const places = this.sides.map((): number[] => []);
    for (let i = 0; i < batch.length && !faults.stopped; i++) {
      try {
        places[this.#sideOf(batch.at(i)!, () => batch.origin(i)!)]!.push(i);
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        faults.leaveOut(error);
      }
    }
    return places.map((chosen) => (chosen.length === batch.length ? batch : subset(batch, chosen)));
  }

  #sideOf(record: Bytes, origin: () => Origin): number {
    const hash = this.#by === undefined ? hashOf(record) : this.#by.hash(record, origin);
    let side = 0;
    while (hash >= this.#ends[side]!) side++;
    return side;
  }
}
