import type { Chunk, Operator } from './operator';

/** An operator that is made when the first elements are asked for. */
export class Deferred implements Operator {
  readonly #open: () => Promise<Operator>;
  #operator: Operator | undefined;
  #closed = false;

  constructor(open: () => Promise<Operator>) {
    this.#open = open;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#closed) return undefined;
    this.#operator ??= await this.#open();
    if (!this.#isClosed()) return this.#operator.next(max);
    await this.#operator.close();
    return undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#operator?.close();
  }

  /** A method, so that the field is read again after `await`. */
  #isClosed(): boolean {
    return this.#closed;
  }
}
