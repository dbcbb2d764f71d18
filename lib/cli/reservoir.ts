import type { RecordBatch } from '../record';
import { onDemand } from './on-demand';
import { batchOfOne } from './read-batches';

/** Chooses numbers in one pass (reservoir sampling): after n numbers, each is kept with the same probability. */
export class Reservoir<T> {
  readonly #size: number;
  readonly #draws: import('../dataset').Draws;
  readonly #kept: { readonly number: number; readonly value: T }[] = [];
  #seen = 0;

  constructor(size: number, seed: bigint | undefined) {
    const { Draws, seedWords, systemSeed } = onDemand.dataset;
    this.#size = size;
    this.#draws = new Draws(seed === undefined ? systemSeed() : seedWords('--seed', seed));
  }

  /** Offers `count` values, of which `value(i)` makes those that are kept. */
  add(count: number, value: (index: number) => T): void {
    for (let i = 0; i < count; i++) {
      const number = this.#seen++;
      const place = number < this.#size ? number : Math.floor(this.#draws.float() * this.#seen);
      if (place < this.#size) this.#kept[place] = { number, value: value(i) };
    }
  }

  /** Returns the chosen values in the order in which they were offered. */
  values(): T[] {
    return this.#kept.sort((a, b) => a.number - b.number).map(({ value }) => value);
  }
}

/** Returns a batch of its own for record `i`, which does not keep the slab of `batch` in memory. */
export function copied(batch: RecordBatch, i: number): RecordBatch {
  const { file, record, offset } = batch.origin(i)!;
  return batchOfOne(file, { record, offset, data: batch.at(i)!.slice() });
}
