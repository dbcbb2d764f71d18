/**
 * When it is the turn of one dataset of an interleave: it is waited for. What it opens before that may find no descriptor
 * left, and tries again then.
 */
export class Turn {
  #come = false;
  #over = false;
  #waiting: (() => void)[] = [];

  get come(): boolean {
    return this.#come;
  }

  /** Resolves at the next turn; at once while it lasts, and when there is none any more. */
  async wait(): Promise<void> {
    if (!this.#come && !this.#over) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** True while a caller of `wait` is pending. */
  get awaited(): boolean {
    return this.#waiting.length > 0;
  }

  begin(): void {
    this.#come = true;
    this.#wake();
  }

  leave(): void {
    this.#come = false;
  }

  /** There is no other turn. */
  end(): void {
    this.#over = true;
    this.#wake();
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}
