import type { Mark } from '../core/operator';

interface Loaded {
  readonly mark: Mark;
  /** Number of its first element in the epoch. */
  readonly first: number;
  /** Elements of it that are held. */
  held: number;
}

/**
 * Which chunks of an input the elements of a buffer came from, so that the oldest is known: a state points there, and the
 * buffer is read again from there on.
 */
export class BufferedChunks {
  /** The oldest first; `#gone` were before it. */
  readonly #chunks: Loaded[] = [];
  #gone = 0;
  /** Of each place, the number of its chunk. Pointers would be the collector's work whenever one is replaced. */
  #of = new Int32Array(1024);

  /** A chunk was loaded, whose first element lies at `mark` and is number `first` of the epoch. */
  load(mark: Mark, first: number): void {
    this.#chunks.push({ mark, first, held: 0 });
  }

  /** An element of the chunk loaded last goes to place `at`. */
  put(at: number): void {
    const last = this.#chunks.length - 1;
    (this.#chunks[last] as Loaded).held++;
    while (at >= this.#of.length) this.#grow();
    this.#of[at] = this.#gone + last;
  }

  /** The element at place `at` has left. */
  left(at: number): void {
    (this.#chunks[(this.#of[at] as number) - this.#gone] as Loaded).held--;
  }

  /** The element of the last place, `last`, goes to `at`. */
  move(last: number, at: number): void {
    this.#of[at] = this.#of[last] as number;
  }

  /** The oldest chunk of which an element is held. Some was loaded. */
  oldest(): { readonly mark: Mark; readonly first: number } {
    let gone = 0;
    while (gone < this.#chunks.length - 1 && this.#chunks[gone]?.held === 0) gone++;
    if (gone > 0) this.#chunks.splice(0, gone);
    this.#gone += gone;
    return this.#chunks[0] as Loaded;
  }

  #grow(): void {
    const of = new Int32Array(2 * this.#of.length);
    of.set(this.#of);
    this.#of = of;
  }
}
