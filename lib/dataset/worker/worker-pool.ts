import type { ChunkMessage, ChunkReply } from './messages';
import { ChunkSizer } from './chunk-sizer';
import { WorkerFault } from './worker-fault';
import { WorkerThread, type Waiter } from './worker-thread';

/** Chunks that a worker has at a time: one in hand, one to go on with. */
const CHUNKS_EACH = 2;

/** Workers that call one function. */
export interface PoolPlan {
  /** URL of the module. */
  readonly module: string;
  readonly data: unknown;
  /** Threads, at most. */
  readonly workers: number;
  /** Calls under way at a time in each. */
  readonly parallel: number;
}

/** A chunk, but for what the pool gives it. */
export type Chunk = Omit<ChunkMessage, 'id'>;

/** Worker threads, started when there is work for them. */
export class WorkerPool {
  readonly plan: PoolPlan;
  readonly sizer: ChunkSizer;
  /** Those who use it. */
  users = 0;
  readonly #threads: WorkerThread[] = [];
  #fault: WorkerFault | undefined;
  #nextId = 0;
  #holders = 0;

  constructor(plan: PoolPlan) {
    this.plan = plan;
    this.sizer = new ChunkSizer(plan.parallel);
  }

  /** Chunks that keep all its workers busy. */
  get capacity(): number {
    return CHUNKS_EACH * this.plan.workers;
  }

  /** What went wrong with a worker: nothing can be sent any more. */
  get fault(): WorkerFault | undefined {
    return this.#fault;
  }

  /** Sends a chunk to the worker with the least to do; its number. @throws DataCloneError where that cannot be. */
  send(chunk: Chunk, transfer: readonly ArrayBuffer[], waiter: Waiter): number {
    const id = this.#nextId++;
    const thread = this.#fault === undefined ? this.#idlest() : undefined;
    if (thread === undefined) waiter.fail(this.#fault!);
    else thread.send({ ...chunk, id }, transfer, { ...waiter, settle: (reply) => this.#settle(reply, waiter) });
    return id;
  }

  /** Nobody wants the results of these chunks. */
  drop(ids: readonly number[]): void {
    if (ids.length > 0) for (const thread of this.#threads) thread.drop(ids);
  }

  /** Keeps the process alive until `letGo`: somebody waits for a result. */
  hold(): void {
    if (this.#holders++ === 0) for (const thread of this.#threads) thread.hold(true);
  }

  letGo(): void {
    if (--this.#holders === 0) for (const thread of this.#threads) thread.hold(false);
  }

  /** Ends all threads. Resolves when they are gone; what was waited for is undefined. Idempotent. */
  async end(): Promise<void> {
    this.#fault ??= new WorkerFault('was ended');
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #settle(reply: ChunkReply | undefined, { settle }: Waiter): void {
    if (reply !== undefined) this.sizer.learn(reply.count, reply.ms);
    settle(reply);
  }

  /** Undefined where one cannot be started: that is the fault then. */
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
