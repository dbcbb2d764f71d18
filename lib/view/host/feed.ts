/** The latest of values that come faster than they are taken. */
export class Feed<T> {
  #latest: { readonly value: T } | undefined;
  #wake: (() => void) | undefined;

  /** Replaces the value before, if nobody has taken it. */
  put(value: T): void {
    this.#latest = { value };
    this.#wake?.();
  }

  /** Ends a wait of `next`. */
  wake(): void {
    this.#wake?.();
  }

  /** Resolves with the next value, or with undefined when woken, or `signal` aborts, before there is one. */
  async next(signal: AbortSignal): Promise<{ readonly value: T } | undefined> {
    if (this.#latest === undefined && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const woken = (): void => {
          signal.removeEventListener('abort', woken);
          resolve();
        };
        this.#wake = woken;
        signal.addEventListener('abort', woken, { once: true });
      });
    }
    const latest = this.#latest;
    this.#latest = undefined;
    return latest;
  }
}
