import { newBatch, type RecordBatch } from '../record';
import { onDemand } from './on-demand';

/** Chooses records in one pass (reservoir sampling): after n records, each is kept with the same probability. */
export class Reservoir {
  readonly #size: number;
  readonly #draws: import('../dataset').Draws;
  readonly #kept: { readonly number: number; readonly record: RecordBatch }[] = [];
  #seen = 0;

  constructor(size: number, seed: bigint | undefined) {
    const { Draws, seedWords, systemSeed } = onDemand.dataset;
    this.#size = size;
    this.#draws = new Draws(seed === undefined ? systemSeed() : seedWords('--seed', seed));
  }

  add(batch: RecordBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const number = this.#seen++;
      const place = number < this.#size ? number : Math.floor(this.#draws.float() * this.#seen);
      if (place < this.#size) this.#kept[place] = { number, record: copied(batch, i) };
    }
  }

  /** Returns the chosen records in the order of the files, each as a batch. */
  records(): RecordBatch[] {
    return this.#kept.sort((a, b) => a.number - b.number).map(({ record }) => record);
  }
}

/** Returns a batch of its own for record `i`, which does not keep the slab of `batch` in memory. */
function copied(batch: RecordBatch, i: number): RecordBatch {
  const { file, record, offset, bytes } = batch.origin(i)!;
  const frames = Uint32Array.of(0, bytes);
  return newBatch({ file, slab: batch.at(i)!.slice(), frames, firstRecord: record, base: offset }, 0, 1);
}
