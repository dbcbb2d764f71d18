import { setImmediate } from 'node:timers/promises';

/** JavaScript may run this long, in milliseconds, between two turns of the event loop on one account. */
export const TURN_MS = 10;

/** Lets the event loop turn under work whose next step is always ready: promises alone would starve timers and sockets. */
export class LoopTurns {
  #turnedAt = performance.now();

  /** Whether the event loop is due to turn. */
  get due(): boolean {
    return performance.now() - this.#turnedAt > TURN_MS;
  }

  /** To be awaited by whoever may go round for long: a turn, where one is due. */
  breathe(): Promise<void> | undefined {
    return this.due ? this.turn() : undefined;
  }

  /** One turn. */
  async turn(): Promise<void> {
    await setImmediate();
    this.#turnedAt = performance.now();
  }
}
