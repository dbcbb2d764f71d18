/**
 * Lets the event loop turn during work whose next step is always ready: promises alone would starve timers and sockets.
 * All work of a thread shares one clock. If each had its own, ten readers and writers, one after another, would take
 * ten times as long between two turns.
 */
import { setImmediate } from 'node:timers/promises';

/** Most milliseconds that JavaScript may run between two turns of the event loop. */
export const TURN_MS = 10;

let turnedAt = performance.now();
/** A turn that is under way, and the time `since` it was asked for. */
let coming: { readonly since: number; readonly turn: Promise<void> } | undefined;

/** One turn, shared by all who ask before it comes; all continue after it. */
function nextTurn(): { readonly since: number; readonly turn: Promise<void> } {
  return (coming ??= {
    since: performance.now(),
    turn: setImmediate().then(() => {
      coming = undefined;
      turnedAt = performance.now();
    }),
  });
}

/** For readers and datasets, which wait whenever a turn is due. */
export class LoopTurns {
  /** True if the event loop is due to turn. */
  get due(): boolean {
    return performance.now() - turnedAt > TURN_MS;
  }

  /** To be awaited by whoever may go round for long: a turn, where one is due. */
  breathe(): Promise<void> | undefined {
    return this.due ? this.turn() : undefined;
  }

  /** One turn. */
  turn(): Promise<void> {
    return nextTurn().turn;
  }
}

/** Most records between two looks at the clock. */
const MAX_RECORDS = 256;

/**
 * For writers: a promise from `write` asks the caller to wait, so it returns one only if the event loop does not turn.
 */
export class WriterTurns {
  /**
   * Records that may be written before the next `look`; callers count it down. It is adapted to the callers' work
   * between records.
   */
  left = 1;
  #given = 1;
  #budget = 1;
  #lookedAt = performance.now();

  /**
   * Looks at the clock, and returns the turn to wait for, if one is due. Every write then looks, until the turn has
   * come.
   */
  look(): Promise<void> | undefined {
    const now = performance.now();
    const { since, turn } = nextTurn();
    const due = now - since > TURN_MS;
    const each = (now - Math.max(this.#lookedAt, turnedAt)) / Math.max(1, this.#given - this.left);
    this.#budget = Math.max(1, Math.min(2 * this.#budget, MAX_RECORDS, Math.floor(TURN_MS / 4 / each)));
    this.left = this.#given = due ? 1 : this.#budget;
    this.#lookedAt = now;
    return due ? turn : undefined;
  }
}

/** All writers of the thread count together, because a program may write to thousands of files in turn. */
export const writerTurns = new WriterTurns();

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
