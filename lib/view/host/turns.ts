/** Limits the number of tasks that run at once. Others wait in line. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** True while a task waits for its turn. */
  get isWanted(): boolean {
    return this.#waiting.length > 0;
  }

  /** Waits for a turn. Resolves to a function that ends it. @throws the reason of `signal` if it aborts before */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#next(signal);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }

  /** Runs `work` in a turn. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const end = await this.take(signal);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Yields the values of `work`, in a turn. */
  async *during<B, D>(signal: AbortSignal, work: () => AsyncGenerator<B, D>): AsyncGenerator<B, D> {
    const end = await this.take(signal);
    try {
      return yield* work();
    } finally {
      end();
    }
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const come = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(come), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(come);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
