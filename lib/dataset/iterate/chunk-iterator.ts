import { watchForgotten } from '../../record';
import { ElementCursor } from './element-cursor';
import type { Iteration } from './iteration';
import { stateOf, type DatasetState } from './state';

/** The elements of a dataset, in arrays. Ends as a `DatasetIterator` does. Made by `Dataset.chunks()`. */
export class ChunkIterator<T> implements AsyncIterableIterator<readonly T[], undefined, void>, AsyncDisposable {
  readonly #cursor: ElementCursor;
  readonly #size: number;

  /** @internal */
  constructor(iteration: Iteration, size = Infinity) {
    this.#cursor = new ElementCursor(iteration);
    this.#size = size;
    watchForgotten(this, iteration, 'A dataset iterator');
  }

  /** One element or more. Calls are answered in their order. Rejects once; it is over then. */
  async next(): Promise<IteratorResult<readonly T[], undefined>> {
    const value = await this.#cursor.nextValues<T>(this, this.#size);
    return value === undefined ? { value, done: true } : { value, done: false };
  }

  /** Closes; resolves when nothing is open any more. */
  async return(): Promise<IteratorResult<readonly T[], undefined>> {
    await this.#cursor.iteration.close();
    return { value: undefined, done: true };
  }

  /** Closes, and rejects with `error`. */
  async throw(error?: unknown): Promise<IteratorResult<readonly T[], undefined>> {
    await this.#cursor.iteration.close();
    throw error;
  }

  /** The same as {@link ChunkIterator.return}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cursor.iteration.close();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Where this iterator stands: behind the last element that it gave. */
  state(): DatasetState {
    return stateOf(this.#cursor);
  }
}
