import { CallContext, type CallScope, type ElementContext } from '../engine/element-context';
import type { Origins } from '../engine/origins';

/** The second argument of functions of `mapWorker`: metadata of the element. */
export interface WorkerContext<D = unknown> extends ElementContext {
  /** A copy of `options.data`, one for each worker. */
  readonly data: D;
  /** Number of the worker, from 0. `rng` does not depend on it, and results should not either. */
  readonly worker: number;
}

/**
 * The type of the default export of a module of `mapWorker`: `T` is that of elements, `U` that of results, `D` that of
 * `options.data`.
 */
export type WorkerFunction<T, U, D = unknown> = (value: T, context: WorkerContext<D>) => U | Promise<U>;

/** The members that the contexts of one thread share. */
interface WorkerScope {
  readonly data: unknown;
  readonly worker: number;
}

/** The context of one call. */
export class WorkerCallContext extends CallContext implements WorkerContext {
  readonly #thread: WorkerScope;

  constructor(thread: WorkerScope, scope: CallScope, origins: Origins, at: number, index: number) {
    super(scope, origins, at, index);
    this.#thread = thread;
  }

  get data(): unknown {
    return this.#thread.data;
  }

  get worker(): number {
    return this.#thread.worker;
  }
}
