import { misplaced, MOST_ELEMENTS } from './place-check';

/**
 * Counts the elements that a state skips after a place, for a stage that drops some of its input. An honest state skips
 * elements of one chunk, so they come from no more input elements than a chunk has.
 */
export class PassedOver {
  readonly #path: string;
  #left: number;
  #seen = 0;

  constructor(path: string, count: number) {
    this.#path = path;
    this.#left = count;
  }

  /**
   * The number of elements to skip among the next `kept`, which `seen` input elements gave. @throws TFRecordError
   * TFR_STATE_MISMATCH
   */
  of(kept: number, seen: number): number {
    if (this.#left === 0) return 0;
    if (this.#seen >= MOST_ELEMENTS) throw misplaced(this.#path, 'elements of one chunk', `${this.#left} more to skip`);
    const passed = Math.min(this.#left, kept);
    this.#left -= passed;
    this.#seen += seen;
    return passed;
  }
}
