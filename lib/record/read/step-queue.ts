import { withCallers } from '../../base';

/** Runs the steps of iterators in the order of their calls. */
export class StepQueue {
  #waiting = 0;
  #tail: Promise<void> = Promise.resolve();
  /** The owners of waiting steps. They are kept alive, because a collected reader is closed. */
  readonly #inUse = new Set<object>();

  /** True if no step waits. */
  get idle(): boolean {
    return this.#waiting === 0;
  }

  /** Runs `step` of `owner` when all earlier steps are done, then `after`, and then resolves with the step's result. */
  async run<R>(owner: object, step: () => Promise<R>, after: () => void): Promise<R> {
    this.#waiting++;
    this.#inUse.add(owner);
    const before = this.#tail;
    let done = (): void => undefined;
    // A separate promise: if two functions awaited the result, V8 would show neither in stacks.
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
