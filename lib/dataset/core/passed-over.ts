import { misplaced, MOST_ELEMENTS } from './place-check';

/**
 * The elements that a state skips behind a place, of a stage that keeps some of its input: they were of one chunk, so they
 * come of as few elements of the input.
 */
export class PassedOver {
  readonly #path: string;
  #left: number;
  #seen = 0;

  constructor(path: string, count: number) {
    this.#path = path;
    this.#left = count;
  }

  /** How many of the next `kept` elements are passed over, which came of `seen`. @throws TFRecordError TFR_STATE_MISMATCH */
  of(kept: number, seen: number): number {
    if (this.#left === 0) return 0;
    if (this.#seen >= MOST_ELEMENTS) throw misplaced(this.#path, 'elements of one chunk', `${this.#left} more to skip`);
    const passed = Math.min(this.#left, kept);
    this.#left -= passed;
    this.#seen += seen;
    return passed;
  }
}
