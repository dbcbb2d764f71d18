/** Hands over the latest value, if values are produced faster than they are read. */
export class Feed<T> {
  #latest: { readonly value: T } | undefined;
  #wake: (() => void) | undefined;

  /** Sets the value, and replaces an earlier one that was not read. */
  put(value: T): void {
    this.#latest = { value };
    this.#wake?.();
  }

  /** Ends a pending `next`. */
  wake(): void {
    this.#wake?.();
  }

  /** Resolves to the next value; to undefined if `wake` is called or `signal` aborts before there is one. */
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
