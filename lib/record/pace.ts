import { TURN_MS } from './loop-turns';

/** Elements between two looks at the clock, at most: a look costs a microsecond. */
const MAX_BUDGET = 512;

/** How many elements are served before the clock is looked at again, adapted to what the caller does with them. */
export class Pace {
  #budget = 1;
  #lookedAt = performance.now();
  #lookedAfter = 0;

  /** Elements that may be served now. */
  get budget(): number {
    return this.#budget;
  }

  /** Looks at the clock, when `given` elements were served in all; `breathe` lets the event loop turn where it is due. */
  async look(given: number, breathe: () => Promise<void> | undefined): Promise<void> {
    const each = (performance.now() - this.#lookedAt) / Math.max(1, given - this.#lookedAfter);
    this.#budget = Math.max(1, Math.min(2 * this.#budget, MAX_BUDGET, Math.floor(TURN_MS / 2 / each)));
    await breathe();
    this.#lookedAt = performance.now();
    this.#lookedAfter = given;
  }
}
