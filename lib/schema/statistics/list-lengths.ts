/** Lengths of many lists, for quantiles. */
import { Sample, type SampleState } from './sample';

/** The state of lengths, from which they go on. */
export interface LengthsState {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly total: number;
  /** The length of all lists while there is no sample. */
  readonly only: number;
  readonly sample: SampleState | undefined;
}

/** Lengths of lists. While all are equal, they take no memory. */
export class ListLengths {
  count = 0;
  min = Infinity;
  max = 0;
  total = 0;
  readonly #capacity: () => number;
  #sample: Sample | undefined;
  /** Length of all lists while there is no sample. */
  #only = 0;

  /** `capacity`: maximum number of lengths to keep. */
  constructor(capacity: () => number) {
    this.#capacity = capacity;
  }

  /**
   * Adds the lengths of `rows` lists, from the differences of `splits`. `validity`: the rows that have a list;
   * undefined: all.
   */
  add(splits: Int32Array, rows: number, validity: Uint8Array | undefined): void {
    let run = 0;
    let length = 0;
    for (let row = 0; row < rows; row++) {
      // Tests the bit inline: calling `isSet` for each row takes twice as long.
      if (validity !== undefined && (validity[row >>> 3]! & (1 << (row & 7))) === 0) continue;
      const next = splits[row + 1]! - splits[row]!;
      if (next !== length && run > 0) {
        this.addRun(length, run);
        run = 0;
      }
      length = next;
      run++;
    }
    if (run > 0) this.addRun(length, run);
  }

  /** Adds `count` lists of `length` values. */
  addRun(length: number, count: number): void {
    if (this.#sample === undefined) {
      if (this.count === 0) this.#only = length;
      else if (length !== this.#only) {
        this.#sample = new Sample(this.#capacity());
        this.#sample.addRun(this.#only, this.count);
      }
    }
    this.#sample?.addRun(length, count);
    this.count += count;
    this.total += count * length;
    if (length < this.min) this.min = length;
    if (length > this.max) this.max = length;
  }

  get state(): LengthsState {
    const { count, min, max, total } = this;
    return { count, min, max, total, only: this.#only, sample: this.#sample?.state };
  }

  /** Adds the lengths of another object, whose state it was. */
  merge({ count, min, max, total, only, sample }: LengthsState): void {
    if (count === 0) return;
    if (sample === undefined) {
      this.addRun(only, count);
      return;
    }
    if (this.#sample === undefined) {
      this.#sample = new Sample(this.#capacity());
      this.#sample.addRun(this.#only, this.count);
    }
    this.#sample.merge(sample);
    this.count += count;
    this.total += total;
    this.min = Math.min(this.min, min);
    this.max = Math.max(this.max, max);
  }

  limit(capacity: number): void {
    this.#sample?.limit(capacity);
  }

  /** The lengths in ascending order: all, or a sample. Omits `zeros` of the empty lists. */
  sorted(zeros = 0): Float64Array {
    if (this.#sample === undefined) return Float64Array.of(this.#only);
    const sorted = this.#sample.sorted();
    const left = sorted.subarray(Math.round(zeros / this.#sample.stride));
    return left.length > 0 ? left : Float64Array.of(this.max);
  }
}
