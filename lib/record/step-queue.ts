import { withCallers } from './callers';

/** Steps of iterators, answered in the order of their calls. */
export class StepQueue {
  #waiting = 0;
  #tail: Promise<void> = Promise.resolve();
  /** Whose steps wait: what is collected counts as forgotten, and must not be, under those who wait for it. */
  readonly #inUse = new Set<object>();

  /** Whether no step waits. */
  get idle(): boolean {
    return this.#waiting === 0;
  }

  /** Runs `step` of `owner` when those before it are done, and `after` behind it, before it is answered. */
  async run<R>(owner: object, step: () => Promise<R>, after: () => void): Promise<R> {
    this.#waiting++;
    this.#inUse.add(owner);
    const before = this.#tail;
    let done = (): void => undefined;
    // A separate promise: with two waiters for the result, V8 would show neither in stacks.
    this.#tail = new Promise<void>((resolve) => (done = resolve));
    await before;
    try {
      return await step();
    } catch (error) {
      throw withCallers(error);
    } finally {
      if (--this.#waiting === 0) this.#inUse.clear();
      after();
      done();
    }
  }
}
