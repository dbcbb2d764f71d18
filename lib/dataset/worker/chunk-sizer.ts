/** What the calls for a chunk should take, in milliseconds: much more than it takes to send it, and soon done. */
const CHUNK_MS = 4;
/** A chunk is so many times the last, at most: the first calls are slower than those behind them. */
const GROWTH = 4;
const MOST = 1024;

/** Chooses how many elements go over at a time, by what the calls took so far. No result depends on it. */
export class ChunkSizer {
  readonly #least: number;
  #elements: number;

  /** `least`: elements that keep a worker busy, with calls beside each other. */
  constructor(least: number) {
    this.#least = Math.min(least, MOST);
    this.#elements = this.#least;
  }

  get elements(): number {
    return this.#elements;
  }

  /** Learns that the calls for `elements` elements took `ms`. */
  learn(elements: number, ms: number): void {
    if (elements === 0) return;
    const wanted = Math.floor((CHUNK_MS * elements) / Math.max(ms, 1e-6));
    this.#elements = Math.max(this.#least, Math.min(wanted, GROWTH * elements, MOST));
  }
}
