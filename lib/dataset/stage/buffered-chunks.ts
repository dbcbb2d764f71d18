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
  /** The oldest first. */
  readonly #chunks: Loaded[] = [];
  #oldest = 0;
  /** Of each place of the buffer. */
  readonly #of: Loaded[] = [];

  /** A chunk was loaded, whose first element lies at `mark` and is number `first` of the epoch. */
  load(mark: Mark, first: number): void {
    this.#chunks.push({ mark, first, held: 0 });
  }

  /** An element of the chunk loaded last goes to place `at`. */
  put(at: number): void {
    const chunk = this.#chunks.at(-1) as Loaded;
    chunk.held++;
    this.#of[at] = chunk;
  }

  /** The element at place `at` has left. */
  left(at: number): void {
    (this.#of[at] as Loaded).held--;
  }

  /** The element of the last place, `last`, goes to `at`. */
  move(last: number, at: number): void {
    this.#of[at] = this.#of[last] as Loaded;
    this.#of.length = last;
  }

  /** The oldest chunk of which an element is held. Some was loaded. */
  oldest(): { readonly mark: Mark; readonly first: number } {
    while (this.#oldest < this.#chunks.length - 1 && this.#chunks[this.#oldest]?.held === 0) this.#oldest++;
    // Now and then what has gone is let go.
    if (this.#oldest > 1024) {
      this.#chunks.splice(0, this.#oldest);
      this.#oldest = 0;
    }
    return this.#chunks[this.#oldest] as Loaded;
  }
}
