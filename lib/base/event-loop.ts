/**
 * Lets the event loop turn during work whose next step is always ready: promises alone would starve timers and sockets.
 * All work of a thread shares one clock. With a clock each, ten readers and writers in a row would take ten times as
 * long between two turns.
 */
import { setImmediate } from 'node:timers/promises';

/** Longest time that JavaScript may run between two turns of the event loop, in milliseconds. */
const TURN_MS = 10;

let turnedAt = performance.now();
/** The requested turn, if one is pending, and the time at which it was requested. */
let coming: { readonly since: number; readonly turn: Promise<void> } | undefined;

/** Requests a turn. All callers before it comes share it, and continue after it. */
function nextTurn(): { readonly since: number; readonly turn: Promise<void> } {
  return (coming ??= {
    since: performance.now(),
    turn: setImmediate().then(() => {
      coming = undefined;
      turnedAt = performance.now();
    }),
  });
}

/** The event loop's turns for readers and datasets, which wait whenever a turn is due. */
export class LoopTurns {
  /** True if the event loop has not turned for {@link TURN_MS}. */
  get due(): boolean {
    return performance.now() - turnedAt > TURN_MS;
  }

  /** Returns the promise of a turn if one is due. Long loops await it in every round. */
  breathe(): Promise<void> | undefined {
    return this.due ? this.turn() : undefined;
  }

  /** Returns the promise of the next turn. */
  turn(): Promise<void> {
    return nextTurn().turn;
  }
}

/** Maximum number of records between two checks of the clock. */
const MAX_RECORDS = 256;

/**
 * The event loop's turns for writers. A promise from `write` asks the caller to wait, so `write` returns one only if the
 * event loop has not turned for {@link TURN_MS}.
 */
class WriterTurns {
  /**
   * Number of records that may be written before the next `look`. Callers count it down. It adapts to the work that
   * callers do between records.
   */
  left = 1;
  #given = 1;
  #budget = 1;
  #lookedAt = performance.now();

  /**
   * Checks the clock. If a turn is due, returns its promise; every write then checks the clock until the turn has come.
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

/** One counter for all writers of the thread, because a program may write to thousands of files in turn. */
export const writerTurns = new WriterTurns();

/** Most elements between two checks of the clock. A check costs a microsecond. */
const MAX_BUDGET = 512;

/** Decides how many elements to hand out between two checks of the clock. Adapts to the time that the caller takes. */
export class Pace {
  #budget = 1;
  #lookedAt = performance.now();
  #lookedAfter = 0;

  /** Number of elements that may be handed out before the next `look`. */
  get budget(): number {
    return this.#budget;
  }

  /** Checks the clock after `given` elements in all. `breathe` lets the event loop turn if a turn is due. */
  async look(given: number, breathe: () => Promise<void> | undefined): Promise<void> {
    const each = (performance.now() - this.#lookedAt) / Math.max(1, given - this.#lookedAfter);
    this.#budget = Math.max(1, Math.min(2 * this.#budget, MAX_BUDGET, Math.floor(TURN_MS / 2 / each)));
    await breathe();
    this.#lookedAt = performance.now();
    this.#lookedAfter = given;
  }
}
