import { setImmediate } from 'node:timers/promises';

const READY = Promise.resolve();
/** Steps of promises that a chunk takes through some stages when it is there. */
const PROMISE_STEPS = 24;
/** JavaScript may run this long, in milliseconds, between two turns of the event loop on a pipeline's account. */
const TURN_MS = 10;
const CHUNK_ELEMENTS = 256;

/** What the stages of one iterator share: its end, its turns, its counts. */
export class Scope {
  /** Elements that stages hand on at a time, at most. No result depends on it. */
  readonly chunkElements: number;
  readonly #ending = new AbortController();
  #turnedAt = performance.now();

  constructor(chunkElements = CHUNK_ELEMENTS) {
    this.chunkElements = chunkElements;
  }

  /** For callbacks of the user's: aborted when the iterator is closed. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get closed(): boolean {
    return this.#ending.signal.aborted;
  }

  close(): void {
    this.#ending.abort();
  }

  /** The same between two stages. */
  get inputElements(): number {
    return 4 * this.chunkElements;
  }

  /** Whether the event loop is due to turn. */
  get due(): boolean {
    return performance.now() - this.#turnedAt > TURN_MS;
  }

  /** To be awaited by whoever may go round for long: lets the event loop turn where it is due. */
  breathe(): Promise<void> | undefined {
    return this.due ? this.#turn() : undefined;
  }

  /** Whether `promise` settles before the event loop has turned once: whether to wait for it. */
  async settlesSoon(promise: Promise<unknown>): Promise<boolean> {
    let settled = false;
    const settle = (): void => void (settled = true);
    const done = promise.then(settle, settle);
    // What is ready comes within some steps of promises: the event loop is not asked for that.
    for (let step = 0; step < PROMISE_STEPS && !settled; step++) await READY;
    if (!settled) await Promise.race([done, this.#turn()]);
    return settled;
  }

  async #turn(): Promise<void> {
    await setImmediate();
    this.#turnedAt = performance.now();
  }
}
