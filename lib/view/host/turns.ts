/** Lets a number of works go on at once. Others wait, and come in their order. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** True while a work waits for its turn. */
  get isWanted(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves with a function that ends the turn. @throws the reason of `signal` when it aborts before the turn comes */
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

  /** Does `work` in a turn. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const end = await this.take(signal);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Yields what `work` does, in a turn. */
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
