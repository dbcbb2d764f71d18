import type { Lasting } from '../engine/scope';
import { WorkerPool, type PoolPlan } from './worker-pool';

/** The worker threads of one iterator, by stage. They outlive a pass over the stage, for the next one. */
export class WorkerPools implements Lasting {
  readonly #pools = new Map<string, Set<WorkerPool>>();
  #ended = false;

  /** A pool of `plan` for the stage at `path`, to be given back. */
  take(path: string, plan: PoolPlan): WorkerPool {
    let pools = this.#pools.get(path);
    if (pools === undefined) this.#pools.set(path, (pools = new Set()));
    let pool = [...pools].find((known) => samePlan(known.plan, plan));
    if (pool === undefined) pools.add((pool = new WorkerPool(plan)));
    pool.users++;
    return pool;
  }

  /** Of the pools that nobody uses, one a stage is kept: this one. */
  async giveBack(path: string, pool: WorkerPool): Promise<void> {
    if (--pool.users > 0 || this.#ended) return;
    const pools = this.#pools.get(path)!;
    const unused = [...pools].filter((other) => other !== pool && other.users === 0);
    for (const other of unused) pools.delete(other);
    await Promise.all(unused.map((other) => other.end()));
  }

  /** Ends all threads. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#pools.values()].flatMap((pools) => [...pools].map((pool) => pool.end())));
  }
}

function samePlan(a: PoolPlan, b: PoolPlan): boolean {
  return a.module === b.module && a.data === b.data && a.workers === b.workers && a.parallel === b.parallel;
}
