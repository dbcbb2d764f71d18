import { onAbort } from '../../base';
import type { Chunk, Mark, Operator } from '../engine/operator';
import type { Run } from '../engine/run';
import { Scope } from '../engine/scope';
import { meanBytesOf } from '../engine/sizes';
import { openStage, type Stage } from '../engine/stage';
import type { Words } from '../random';

/** Statistics of a stage so far. */
export interface StageStats {
  /**
   * Path of the stage, with the stages that contain it: `interleave/tfrecord`. All inputs of a containing stage count
   * together.
   */
  readonly stage: string;
  /** Number of elements that it yielded. */
  readonly elements: number;
  /** Number of chunks that it yielded them in. */
  readonly chunks: number;
  /** Time of its steps in milliseconds, without waits for its inputs. */
  readonly busyMs: number;
  /** Time that it waited for its inputs, in milliseconds. */
  readonly waitedMs: number;
  /** Number of elements, files or remainders of files that `onError` skipped. */
  readonly skipped: number;
}

/** Returns the statistics of the stages of the chain of `stage`, and of the stages inside them, from the source on. */
function statsOf(stage: Stage, scope: Scope): StageStats[] {
  const waited = new Map<string, number>();
  for (let above: Stage | undefined = stage; above !== undefined; above = above.input) {
    const inside = [...scope.tallies].filter(
      ([path]) => path.startsWith(`${above?.name}/`) && path.split('/').length === 2,
    );
    const input = above.input === undefined ? 0 : (scope.tallies.get(above.input.name)?.ms ?? 0);
    waited.set(
      above.name,
      inside.reduce((sum, [, { ms }]) => sum + ms, input),
    );
  }
  return [...scope.tallies].map(([path, { elements, chunks, ms, skipped }]): StageStats => {
    const waitedMs = Math.min(ms, waited.get(path) ?? 0);
    return { stage: path, elements, chunks, busyMs: ms - waitedMs, waitedMs, skipped };
  });
}

/** Growth factor of chunks. The first chunk is one element, so that it is ready soon. */
const GROWTH = 4;

/** Settings of an iteration. */
interface IterationPlan {
  readonly stage: Stage;
  readonly seed: Words;
  readonly call: number;
  readonly epoch: number;
  readonly from: Mark;
  /** Number of elements before `from`. */
  readonly position: number;
  /** True if all elements were yielded before. */
  readonly done: boolean;
  readonly chunkElements: number | undefined;
  /** Maximum bytes held ahead of use. */
  readonly bytes: number | undefined;
  /** True if batches are valid until the next step only, where stages support it. */
  readonly transient: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * One pass through a stage and all before it. Yields chunks, and prepares one ahead, until the end, an error, an abort
 * or `close`, which all end it in the same way. It has no reference to its iterator, so that an unclosed one can be
 * collected.
 */
export class Iteration {
  readonly plan: IterationPlan;
  readonly scope: Scope;
  readonly #operator: Operator;
  #wanted = 1;
  /** Approximate bytes of an element. */
  #each = 0;
  #ahead: Promise<Chunk | undefined> | undefined;
  #closing: Promise<void> | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #stopListening = (): void => undefined;
  /** Ends the wait of the pending step. */
  #endWait = (): void => undefined;
  /** Called once when the iteration closes, for whatever reason. */
  onClosed: (() => void) | undefined;
  started = false;
  /** True if the end was reached. */
  finished: boolean;

  constructor(plan: IterationPlan) {
    this.plan = plan;
    this.finished = plan.done;
    this.scope = new Scope(plan.chunkElements, plan.bytes, plan.transient);
    this.#operator = openStage(plan.stage, this.#run(), plan.from);
    const { signal } = plan;
    const abort = (): void => {
      this.#aborted = { reason: signal?.reason };
      this.close().catch(() => undefined);
    };
    if (signal?.aborted === true) abort();
    else if (signal !== undefined) this.#stopListening = onAbort(signal, abort);
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  get phase(): 'new' | 'open' | 'closed' {
    if (this.closed) return 'closed';
    return this.started ? 'open' : 'new';
  }

  /** Returns the statistics of the stages so far. */
  stats(): StageStats[] {
    return statsOf(this.plan.stage, this.scope);
  }

  /**
   * Returns the next chunk; undefined at the end, and when closed. Rejects once, and is closed then. One call at a
   * time.
   */
  async next(): Promise<Chunk | undefined> {
    this.started = true;
    if (this.finished) await this.close();
    try {
      const chunk = this.closed ? undefined : await this.#wait(this.#take());
      if (chunk !== undefined && !this.closed) {
        this.#each = meanBytesOf(chunk.elements);
        if (this.scope.budget.room >= this.#each) this.#ahead = this.#make();
        return chunk;
      }
    } catch (error) {
      if (!this.closed) {
        await this.close().catch(() => undefined);
        throw error;
      }
    }
    const aborted = this.#aborted;
    this.#aborted = undefined;
    if (!this.closed) this.finished = true;
    await this.close();
    if (aborted !== undefined) throw aborted.reason;
    return undefined;
  }

  /** Cancels pending steps; resolves when they have ended. Idempotent. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#stopListening();
    this.scope.close();
    this.onClosed?.();
    this.#endWait();
    // Concurrently, because workers have a grace period to react to their signal.
    const ended = this.scope.end();
    ended.catch(() => undefined);
    await this.#operator.close();
    await ended;
  }

  #take(): Promise<Chunk | undefined> {
    const ahead = this.#ahead ?? this.#make();
    this.#ahead = undefined;
    return ahead;
  }

  #make(): Promise<Chunk | undefined> {
    const wanted = this.#wanted;
    this.#wanted = Math.min(this.scope.chunkElements, wanted * GROWTH);
    const most = this.scope.budget.chunkOf(this.#each);
    const made = this.#operator.next(Math.min(wanted, this.scope.chunkElements, most));
    // `next` rejects with the same error, but may never be called.
    made.catch(() => undefined);
    return made;
  }

  /**
   * Resolves like `made`, or to undefined as soon as the iteration is closed: the event that a source waits for may
   * never occur.
   */
  #wait(made: Promise<Chunk | undefined>): Promise<Chunk | undefined> {
    return new Promise((resolve, reject) => {
      this.#endWait = () => resolve(undefined);
      made.then(resolve, reject);
    });
  }

  #run(): Run {
    const { seed, call, epoch } = this.plan;
    return {
      scope: this.scope,
      memory: this.scope.transient ? this.scope.memory : undefined,
      shown: this.scope.shown,
      seed,
      call,
      epoch,
      path: '',
      beside: 1,
      policy: (path) => this.scope.policy(path, this),
    };
  }
}
