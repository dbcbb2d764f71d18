import { type Origin } from '../../base';
import { CursorSteps, watchForgotten } from '../../record';
import type { Elements } from '../engine/elements';
import { ElementCursor } from './element-cursor';
import type { Iteration, StageStats } from './iteration';
import { stateOf, type DatasetState } from './state';

/**
 * Steps through a dataset, of one or more elements each. The end, `break`, an error, `return()` and an abort close it.
 */
export interface DatasetSteps<T> extends AsyncIterableIterator<T, undefined, void>, AsyncDisposable {
  /** Calls are answered in their order. Rejects once; it is over then. */
  next(): Promise<IteratorResult<T, undefined>>;
  /** Closes; resolves when no thread works for it and no file is open. Steps that wait resolve as done. Idempotent. */
  return(): Promise<IteratorResult<T, undefined>>;
  /** Closes, and rejects with `error`. */
  throw(error?: unknown): Promise<IteratorResult<T, undefined>>;
  /** Itself. */
  [Symbol.asyncIterator](): this;
  /** Calls `return()`. */
  [Symbol.asyncDispose](): Promise<void>;
  /**
   * The position after the last element, whatever was prefetched: plain JSON of some hundred bytes for
   * `iterate({ state })`, in this process or another. Options that only change the speed may differ.
   */
  state(): DatasetState;
  /** Counts of the stages so far, from the source on. */
  stats(): readonly StageStats[];
}

/** The elements of a dataset, one after the other. Made by `Dataset.iterate()` and `for await`. */
export interface DatasetIterator<T> extends DatasetSteps<T> {
  /**
   * Origin of the record of the last element, or of a batch's first record. Undefined for elements that no file gave.
   */
  readonly origin: Origin | undefined;
  /** Origins of all records of the last element. */
  readonly origins: readonly Origin[];
}

/** The iterator in the user's hands: when it is forgotten, the iteration is closed. */
abstract class Steps<T> extends CursorSteps<T, ElementCursor> implements DatasetSteps<T> {
  constructor(iteration: Iteration) {
    super(new ElementCursor(iteration));
    watchForgotten(this, iteration, 'A dataset iterator');
  }

  state(): DatasetState {
    return stateOf(this.cursor);
  }

  stats(): readonly StageStats[] {
    return this.cursor.iteration.stats();
  }
}

/** Element by element. */
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

/** Chunks of as many elements as are ready, up to `size`. */
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

/** As stages hand them on: records stay places in slabs. */
export class RunSteps extends Steps<Elements> {
  protected printedName(): string {
    return 'DatasetSteps';
  }

  async next(): Promise<IteratorResult<Elements, undefined>> {
    const value = await this.cursor.nextElements(this);
    return value === undefined ? { value, done: true } : { value, done: false };
  }
}
