import type { Origin } from '../../record';
import type { DatasetState } from './state';
import type { StageStats } from './stage-stats';

/** Steps through a dataset, however many elements each gives. The end, `break`, an error, `return()` and an abort close it. */
export interface DatasetSteps<T> extends AsyncIterableIterator<T, undefined, void>, AsyncDisposable {
  /** Calls are answered in their order. Rejects once; it is over then. */
  next(): Promise<IteratorResult<T, undefined>>;
  /** Closes; resolves when no thread works for it and no file is open. Steps that wait resolve as done. Idempotent. */
  return(): Promise<IteratorResult<T, undefined>>;
  /** Closes, and rejects with `error`. */
  throw(error?: unknown): Promise<IteratorResult<T, undefined>>;
  /** Itself. */
  [Symbol.asyncIterator](): this;
  /** The same as `return()`. */
  [Symbol.asyncDispose](): Promise<void>;
  /**
   * Where it stands: behind the element given last; what is prefetched does not count. Plain JSON of some hundred bytes, for
   * `iterate({ state })`, in this process or another, with any options that only change the speed.
   */
  state(): DatasetState;
  /** What the stages did so far, from the source on. */
  stats(): readonly StageStats[];
}

/** The elements of a dataset, one after the other. Made by `Dataset.iterate()` and `for await`. */
export interface DatasetIterator<T> extends DatasetSteps<T> {
  /** Where the record of the element given last lies: of a batch, its first. Undefined for what was not read. */
  readonly origin: Origin | undefined;
  /** Where all records of the element given last lie. */
  readonly origins: readonly Origin[];
}
