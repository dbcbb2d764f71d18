import type { Lasting } from '../engine/scope';
import type { ChunkMessage, ChunkReply } from './messages';
import { WorkerFault } from './worker-errors';
import { WorkerThread, type Waiter } from './worker-thread';

/** Maximum number of chunks that a worker has at a time: one in progress, one to continue with. */
const CHUNKS_EACH = 2;

/** The settings of workers that call one function. */
export interface PoolPlan {
  /** URL of the module. */
  readonly module: string;
  readonly data: unknown;
  /** Maximum number of threads. */
  readonly workers: number;
  /** Maximum number of calls under way at a time in each thread. */
  readonly parallel: number;
}

/** A chunk, without the members that the pool adds. */
type Chunk = Omit<ChunkMessage, 'id'>;

/** Worker threads, started when there is work for them. */
export class WorkerPool {
  readonly plan: PoolPlan;
  readonly sizer: ChunkSizer;
  /** Number of operators that use the pool. */
  users = 0;
  readonly #threads: WorkerThread[] = [];
  #fault: WorkerFault | undefined;
  #nextId = 0;
  #holders = 0;

  constructor(plan: PoolPlan) {
    this.plan = plan;
    this.sizer = new ChunkSizer(plan.parallel);
  }

  /** Number of chunks that keep all its workers busy. */
  get capacity(): number {
    return CHUNKS_EACH * this.plan.workers;
  }

  /** The fault of a worker, after which nothing can be sent; undefined if none. */
  get fault(): WorkerFault | undefined {
    return this.#fault;
  }

  /**
   * Sends a chunk to the least busy worker, and returns the number of the chunk. @throws DataCloneError if it cannot be
   * cloned
   */
  send(chunk: Chunk, transfer: readonly ArrayBuffer[], waiter: Waiter): number {
    const id = this.#nextId++;
    const thread = this.#fault === undefined ? this.#idlest() : undefined;
    if (thread === undefined) waiter.fail(this.#fault!);
    else thread.send({ ...chunk, id }, transfer, { ...waiter, settle: (reply) => this.#settle(reply, waiter) });
    return id;
  }

  /** Drops these chunks: their results are not needed. */
  drop(ids: readonly number[]): void {
    if (ids.length > 0) for (const thread of this.#threads) thread.drop(ids);
  }

  /** Keeps the process alive until `letGo`, while a result is awaited. */
  hold(): void {
    if (this.#holders++ === 0) for (const thread of this.#threads) thread.hold(true);
  }

  letGo(): void {
    if (--this.#holders === 0) for (const thread of this.#threads) thread.hold(false);
  }

  /** Ends all threads; resolves when they have exited. Pending results become undefined. Idempotent. */
  async end(): Promise<void> {
    this.#fault ??= new WorkerFault('was ended');
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #settle(reply: ChunkReply | undefined, { settle }: Waiter): void {
    if (reply !== undefined) this.sizer.learn(reply.count, reply.ms);
    settle(reply);
  }

  /** Returns the least busy worker, or starts one; undefined, and sets the fault, if it cannot be started. */
  #idlest(): WorkerThread | undefined {
    let best: WorkerThread | undefined;
    for (const thread of this.#threads) if (best === undefined || thread.chunks < best.chunks) best = thread;
    if ((best === undefined || best.chunks > 0) && this.#threads.length < this.plan.workers) best = this.#start();
    return best;
  }

  #start(): WorkerThread | undefined {
    const { module, data, parallel } = this.plan;
    try {
      const thread = new WorkerThread({ module, data, parallel, worker: this.#threads.length }, (fault) => {
        this.#fault ??= fault;
      });
      this.#threads.push(thread);
      if (this.#holders > 0) thread.hold(true);
      return thread;
    } catch (error) {
      this.#fault = new WorkerFault('could not be started', error);
      return undefined;
    }
  }
}

/** The worker threads of one iterator, by stage. They outlive a pass over the stage, for the next one. */
export class WorkerPools implements Lasting {
  readonly #pools = new Map<string, Set<WorkerPool>>();
  #ended = false;

  /** Returns a pool of `plan` for the stage at `path`. Call `giveBack` after use. */
  take(path: string, plan: PoolPlan): WorkerPool {
    let pools = this.#pools.get(path);
    if (pools === undefined) this.#pools.set(path, (pools = new Set()));
    let pool = [...pools].find((known) => samePlan(known.plan, plan));
    if (pool === undefined) pools.add((pool = new WorkerPool(plan)));
    pool.users++;
    return pool;
  }

  /** Keeps `pool` for reuse, and ends all other unused pools of the stage. */
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

/**
 * Target duration of the calls for a chunk, in milliseconds: much longer than sending it, but short enough to balance
 * workers.
 */
const CHUNK_MS = 4;
/** Maximum growth factor from one chunk to the next, because the first calls are slower than later ones. */
const GROWTH = 4;
const MOST = 1024;

/** Chooses the number of elements in a chunk by the duration of the calls so far. Results do not depend on it. */
class ChunkSizer {
  readonly #least: number;
  #elements: number;

  /** `least` is the number of elements that keep a worker busy with concurrent calls. */
  constructor(least: number) {
    this.#least = Math.min(least, MOST);
    this.#elements = this.#least;
  }

  get elements(): number {
    return this.#elements;
  }

  /** Records that the calls for `elements` elements took `ms` milliseconds. */
  learn(elements: number, ms: number): void {
    if (elements === 0) return;
    const wanted = Math.floor((CHUNK_MS * elements) / Math.max(ms, 1e-6));
    this.#elements = Math.max(this.#least, Math.min(wanted, GROWTH * elements, MOST));
  }
}
