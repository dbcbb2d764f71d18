import type { Origin } from '../../base';
import { elementRng, type Rng, type Words } from '../random';
import type { Origins } from './origins';

/** The second argument of callbacks: metadata of the element. */
export interface ElementContext {
  /**
   * Origin of the element's record, or of the first record of a batch; undefined for elements that were not read from a
   * file.
   */
  readonly origin: Origin | undefined;
  /** The origins of all records in the element: those of a batch, or of the parts of a `zip`. */
  readonly origins: readonly Origin[];
  /** The epoch, from 0: the number of complete passes over the stage. */
  readonly epoch: number;
  /** The element's number among those that reach the stage in this epoch, from 0. */
  readonly index: number;
  /** False for an element that was repeated to fill a shard, and for a batch that contains one. */
  readonly valid: boolean;
  /** `valid` of each of its records: for a batch, one value for each row. */
  readonly valids: readonly boolean[];
  /**
   * The element's own random numbers: the same for the same seed, stage, epoch and index, however many calls run
   * concurrently.
   */
  readonly rng: Rng;
  /** Aborted when the iterator is closed. */
  readonly signal: AbortSignal;
}

/** The members that the contexts of one stage share. */
export interface CallScope {
  readonly epoch: number;
  readonly key: Words;
  /** Owner of the signal, which is created at its first read. */
  readonly scope: { readonly signal: AbortSignal };
}

/** The context of one call. Every call makes one, so all members but `index` are getters. */
export class CallContext implements ElementContext {
  readonly index: number;
  readonly #scope: CallScope;
  readonly #origins: Origins;
  readonly #at: number;
  #rng: Rng | undefined;

  /** @param at of the element in `origins` */
  constructor(scope: CallScope, origins: Origins, at: number, index: number) {
    this.#scope = scope;
    this.#origins = origins;
    this.#at = at;
    this.index = index;
  }

  get origin(): Origin | undefined {
    return this.#origins.origin(this.#at);
  }

  get origins(): readonly Origin[] {
    return this.#origins.all(this.#at);
  }

  get epoch(): number {
    return this.#scope.epoch;
  }

  get valid(): boolean {
    return this.#origins.valid(this.#at);
  }

  get valids(): readonly boolean[] {
    return this.#origins.valids(this.#at);
  }

  get rng(): Rng {
    return (this.#rng ??= elementRng(this.#scope.key, this.index));
  }

  get signal(): AbortSignal {
    return this.#scope.scope.signal;
  }
}

/** True if `value` must be awaited: a promise of any realm or library. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  );
}
