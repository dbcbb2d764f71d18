import { type Origin } from '../../base';
import { CursorSteps } from '../../record';
import type { Elements } from '../engine/elements';
import { ElementCursor } from './element-cursor';
import type { Iteration, StageStats } from './iteration';
import { stateOf, type DatasetState } from './state';

/**
 * An iterator of a dataset, whose steps yield one element or an array of elements. The end, `break`, an error,
 * `return()` and an abort close it.
 */
export interface DatasetSteps<T> extends AsyncIterableIterator<T, undefined, void>, AsyncDisposable {
  /** Returns the next step. Calls resolve in order. Rejects once; the iterator is closed then. */
  next(): Promise<IteratorResult<T, undefined>>;
  /**
   * Closes the iterator; resolves when its threads are idle and its files closed. Pending steps resolve as done.
   * Idempotent.
   */
  return(): Promise<IteratorResult<T, undefined>>;
  /** Closes the iterator, and rejects with `error`. */
  throw(error?: unknown): Promise<IteratorResult<T, undefined>>;
  /** Returns the iterator itself. */
  [Symbol.asyncIterator](): this;
  /** Calls `return()`. */
  [Symbol.asyncDispose](): Promise<void>;
  /**
   * Returns the position after the last element, regardless of prefetching: plain JSON of a few hundred bytes for
   * `iterate({ state })`, in this process or another. Options that affect only speed may differ.
   */
  state(): DatasetState;
  /** Returns the statistics of the stages so far, from the source on. */
  stats(): readonly StageStats[];
}

/** Yields the elements of a dataset, one after the other. `Dataset.iterate()` and `for await` create it. */
export interface DatasetIterator<T> extends DatasetSteps<T> {
  /**
   * Origin of the record of the last element, or of a batch's first record. Undefined for elements that were not read
   * from a file.
   */
  readonly origin: Origin | undefined;
  /** Origins of all records of the last element. */
  readonly origins: readonly Origin[];
}

/** The iterator that users hold. If it is collected unclosed, the iteration is closed. */
abstract class Steps<T> extends CursorSteps<T, ElementCursor> implements DatasetSteps<T> {
  constructor(iteration: Iteration) {
    super(new ElementCursor(iteration));
    this.owns(iteration, 'A dataset iterator');
  }

  state(): DatasetState {
    return stateOf(this.cursor);
  }

  stats(): readonly StageStats[] {
    return this.cursor.iteration.stats();
  }
}

/** Yields one element at a time. */
export class ElementSteps<T> extends Steps<T> implements DatasetIterator<T> {
  protected printedName(): string {
    return 'DatasetIterator';
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.cursor.next<T>(this);
  }

  get origin(): Origin | undefined {
    return this.origins[0];
  }

  get origins(): readonly Origin[] {
    return this.cursor.origins;
  }
}

/** Yields arrays of the elements that are ready, up to `size`. */
export class ChunkSteps<T> extends Steps<readonly T[]> {
  readonly #size: number;

  protected printedName(): string {
    return 'DatasetSteps';
  }

  constructor(iteration: Iteration, size = Infinity) {
    super(iteration);
    this.#size = size;
  }

  async next(): Promise<IteratorResult<readonly T[], undefined>> {
    const value = await this.cursor.nextValues<T>(this, this.#size);
    return value === undefined ? { value, done: true } : { value, done: false };
  }
}

/** Yields elements as stages hand them over: records stay frames in slabs. */
export class RunSteps extends Steps<Elements> {
  protected printedName(): string {
    return 'DatasetSteps';
  }

  async next(): Promise<IteratorResult<Elements, undefined>> {
    const value = await this.cursor.nextElements(this);
    return value === undefined ? { value, done: true } : { value, done: false };
  }
}
