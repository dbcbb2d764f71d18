import { newSlab } from '../../io';
import { encodedBatch } from '../../record';
import type { UnitBatch, UnitReader } from '../format';

/** Number of records in a portion. */
const PORTION = 65_536;

/** Delivers as many empty records as each input has, for inputs whose records can be counted without reading them. */
export class CountedReader implements UnitReader {
  readonly bytes = 0;
  readonly #count: () => Promise<readonly number[]>;
  #counts: readonly number[] | undefined;
  #input = 0;
  #at = 0;

  /** `count` returns the number of records of each input. */
  constructor(count: () => Promise<readonly number[]>) {
    this.#count = count;
  }

  async next(): Promise<UnitBatch | undefined> {
    this.#counts ??= await this.#count();
    for (; this.#input < this.#counts.length; this.#input++, this.#at = 0) {
      const numbers = this.#at;
      const length = Math.min(PORTION, this.#counts[this.#input]! - numbers);
      if (length === 0) continue;
      this.#at += length;
      return { batch: encodedBatch(newSlab(1, ''), new Uint32Array(2 * length)), input: this.#input, numbers };
    }
    return undefined;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
