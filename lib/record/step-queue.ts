/** Steps of iterators, answered in the order of their calls. */
export class StepQueue {
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();
  /** Whose steps wait: what is collected counts as forgotten, and must not be, under those who wait for it. */
  readonly #inUse = new Set<object>();

  /** Whether no step waits. */
  get idle(): boolean {
    return this.#waiting === 0;
  }

  /** Runs `step` of `owner` when those before it are done, and `after` behind it, before it is answered. */
  run<R>(owner: object, step: () => Promise<R>, after: () => void): Promise<R> {
    this.#waiting++;
    this.#inUse.add(owner);
    const result = this.#tail.then(step).finally(() => {
      if (--this.#waiting === 0) this.#inUse.clear();
      after();
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
