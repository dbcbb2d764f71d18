/** How many elements are held ready. */
export interface Count {
  readonly most: number;
  /** So many are ready. */
  full(): void;
  /** Nothing was ready when something was asked for, which was waited for `ms` milliseconds. */
  dry(ms: number): void;
}

const FIRST = 16;
const LARGEST = 65_536;
/** What is made as it is asked for takes no longer. */
const WAIT_MS = 0.1;

/**
 * As many as it takes: twice as many where a wait came behind a time when all were ready. Then the input is fast enough, but
 * not steady; where it never gets that far, more room would only be filled later.
 */
export class AutoCount implements Count {
  readonly #chosen: (count: number) => void;
  #most: number;
  #wasFull = false;

  /** @param first what was chosen before, if anything */
  constructor(first: number | undefined, chosen: (count: number) => void) {
    this.#most = first ?? FIRST;
    this.#chosen = chosen;
    chosen(this.#most);
  }

  get most(): number {
    return this.#most;
  }

  full(): void {
    this.#wasFull = true;
  }

  dry(ms: number): void {
    if (!this.#wasFull || ms < WAIT_MS || this.#most >= LARGEST) return;
    this.#most *= 2;
    this.#wasFull = false;
    this.#chosen(this.#most);
  }
}
