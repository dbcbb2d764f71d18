import { watchForgotten, type Origin } from '../../record';
import { ElementCursor } from './element-cursor';
import type { Iteration } from './iteration';
import { stateOf, type DatasetState } from './state';

/**
 * The elements of a dataset, one after the other. The end, `break`, an error, `return()` and an abort all close it: then
 * no thread works for it and no file is open. Made by `Dataset.iterate()` and `for await`.
 */
export class DatasetIterator<T> implements AsyncIterableIterator<T, undefined, void>, AsyncDisposable {
  readonly #cursor: ElementCursor;

  /** @internal */
  constructor(iteration: Iteration) {
    this.#cursor = new ElementCursor(iteration);
    watchForgotten(this, iteration, 'A dataset iterator');
  }

  /** Calls are answered in their order. Rejects once; it is over then. */
  next(): Promise<IteratorResult<T, undefined>> {
    return this.#cursor.next<T>(this);
  }

  /** Closes; resolves when nothing is open any more. Steps that wait resolve as done. Idempotent. */
  async return(): Promise<IteratorResult<T, undefined>> {
    await this.#cursor.iteration.close();
    return { value: undefined, done: true };
  }

  /** Closes, and rejects with `error`. */
  async throw(error?: unknown): Promise<IteratorResult<T, undefined>> {
    await this.#cursor.iteration.close();
    throw error;
  }

  /** The same as {@link DatasetIterator.return}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cursor.iteration.close();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Where the record of the element given last lies: of a batch, its first. Undefined for what was not read. */
  get origin(): Origin | undefined {
    return this.origins[0];
  }

  /** Where all records of the element given last lie. */
  get origins(): readonly Origin[] {
    return this.#cursor.origins;
  }

  /**
   * Where this iterator stands: behind the element given last. Plain JSON, for `iterate({ state })`, in this process or
   * another; what is prefetched does not count.
   */
  state(): DatasetState {
    return stateOf(this.#cursor);
  }
}
