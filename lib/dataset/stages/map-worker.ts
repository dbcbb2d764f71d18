import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

import { checkOptions, invalidArgType, invalidArgValue, isUrl, neededInteger } from '../../base';
import { ErrorPolicy, type OnError } from '../../record';
import { userError } from '../engine/errors';
import { bytesContents, policyContents, valueContents } from '../engine/fingerprint';
import type { Input } from '../engine/input';
import { markAfter, countedPlace, type Chunk, type Json, type Mark, type Operator } from '../engine/operator';
import { callKey, stagePath, type Run } from '../engine/run';
import type { Budget } from '../engine/scope';
import { Stage } from '../engine/stage';
import type { Words } from '../random';
import { ChunkSender } from '../worker/chunk-sender';
import type { SentChunk } from '../worker/sent-chunk';
import { faultError, unsendableError, type WorkerFault } from '../worker/worker-errors';
import { WorkerPools, type PoolPlan, type WorkerPool } from '../worker/worker-pool';

/** Checked options of `mapWorker`. */
interface MapWorkerSettings {
  /** URL of the module. */
  readonly module: string;
  readonly data: unknown;
  readonly workers: number | 'auto';
  readonly parallel: number;
  readonly onError: OnError | undefined;
}

const MAX_WORKERS = 256;
const MAX_PARALLEL = 65_536;

/** Options of `mapWorker`. Unknown names throw. */
export interface MapWorkerOptions {
  /**
   * Number of threads, from 1 to 256, or `auto`, the number of cores. Threads start when there is work for them.
   * Default `auto`.
   */
  workers?: number | 'auto' | undefined;
  /** Maximum number of calls under way at a time in each worker, for functions that return promises. Default 1. */
  parallel?: number | undefined;
  /** Value of `context.data`, cloned once for each worker; a SharedArrayBuffer stays shared. Default undefined. */
  data?: unknown;
  /** Policy for elements for which the function fails. Default: that of `onError()` of the dataset. */
  onError?: OnError | undefined;
}

/**
 * The stage of `mapWorker`, which replaces each element by the result of a module's function, called in a worker
 * thread.
 */
export class MapWorkerStage extends Stage {
  readonly kind = 'mapWorker';
  readonly #settings: MapWorkerSettings;

  /** @throws TypeError, RangeError with Node's codes */
  static of(input: Stage, module: unknown, options: MapWorkerOptions | undefined): MapWorkerStage {
    const given = checkOptions(options, ['workers', 'parallel', 'data', 'onError']);
    const { workers = 'auto', parallel = 1, data, onError } = given;
    // Only checks the option.
    if (onError !== undefined) new ErrorPolicy(onError);
    if (typeof workers === 'string' && workers !== 'auto')
      throw invalidArgValue('options.workers', 'a number or "auto"', workers);
    return new MapWorkerStage(input, {
      module: moduleUrl(module),
      data,
      workers: workers === 'auto' ? workers : neededInteger('options.workers', workers, 1, MAX_WORKERS),
      parallel: neededInteger('options.parallel', parallel, 1, MAX_PARALLEL),
      onError,
    });
  }

  private constructor(input: Stage, settings: MapWorkerSettings) {
    super(input, { calls: true, perFile: true });
    this.#settings = settings;
  }

  override get contents(): Json {
    const { module, data, onError } = this.#settings;
    return [moduleContents(module), valueContents(data), policyContents(onError)];
  }

  open(run: Run, from: Mark): Operator {
    const { onError, workers, ...plan } = this.#settings;
    const [place, index] = countedPlace(from, stagePath(run, this));
    const skip = from[1];
    const path = stagePath(run, this);
    const pools = run.scope.lasting(WorkerPools);
    return new MapWorkerOperator({
      // There is one result for each element, so resuming need not call the function for earlier elements.
      input: this.readInput(run, markAfter(place, skip)),
      index: index + skip,
      epoch: run.epoch,
      key: callKey(run, this),
      path,
      policy: onError === undefined ? run.policy(path) : run.scope.policy(path, this, onError),
      budget: run.scope.budget,
      pools,
      plan: { ...plan, workers: workers === 'auto' ? availableParallelism() : workers },
    });
  }
}

/**
 * Returns the URL of the module. A relative path is an error, because threads do not know the folder that it starts
 * from.
 */
function moduleUrl(module: unknown): string {
  if (isUrl(module)) return module.href;
  if (typeof module !== 'string') throw invalidArgType('module', 'a URL or an absolute path', module);
  if (/^(file|data):/.test(module)) return module;
  if (!isAbsolute(module)) {
    throw invalidArgValue('module', "an absolute path or a URL: new URL('./module.js', import.meta.url)", module);
  }
  return pathToFileURL(module).href;
}

/** Returns the text of the module, not of its imports; its URL if it cannot be read. */
function moduleContents(module: string): Json {
  try {
    return bytesContents(readFileSync(new URL(module)));
  } catch {
    return module;
  }
}

/** The arguments of {@link MapWorkerOperator}. */
interface MapWorkerParts {
  readonly input: Input;
  /** Number of the first element in its epoch. */
  readonly index: number;
  readonly epoch: number;
  readonly key: Words;
  /** The path of the stage. */
  readonly path: string;
  readonly policy: ErrorPolicy;
  readonly budget: Budget;
  readonly pools: WorkerPools;
  readonly plan: PoolPlan;
}

/** Sends as many elements to workers as keep them busy, and yields the results in the order of the elements. */
class MapWorkerOperator implements Operator {
  readonly #parts: MapWorkerParts;
  readonly #chunks: SentChunk[] = [];
  /** Set while the operator uses a pool. */
  #sender: ChunkSender | undefined;
  #index: number;
  #filling = false;
  #ended = false;
  #closed = false;
  /** Thrown after the results before it were yielded. */
  #failure: { readonly error: unknown } | undefined;
  /** Ends the wait of `next`. */
  #wake = (): void => undefined;

  constructor(parts: MapWorkerParts) {
    this.#parts = parts;
    this.#index = parts.index;
  }

  async next(max: number): Promise<Chunk | undefined> {
    while (!this.#closed) {
      const sender = (this.#sender ??= this.#newSender());
      const { pool } = sender;
      void this.#fill(sender);
      const given = this.#given(max);
      if (given !== undefined) return given;
      if (this.#chunks.length > 0 || !this.#over) await this.#change(pool);
      else if (this.#failure !== undefined) throw this.#failure.error;
      else if (pool.fault !== undefined) throw this.#faultOf(pool.fault);
      else return undefined;
    }
    return undefined;
  }

  async close(): Promise<void> {
    const { input, path, pools } = this.#parts;
    this.#closed = true;
    this.#drop();
    this.#wake();
    const sender = this.#sender;
    this.#sender = undefined;
    await Promise.all([input.close(), sender === undefined ? undefined : pools.giveBack(path, sender.pool)]);
  }

  #newSender(): ChunkSender {
    const { pools, path, plan, epoch, key, policy, budget } = this.#parts;
    const untilError = policy.endsAtFirst;
    return new ChunkSender(pools.take(path, plan), { epoch, key, untilError, budget, onSettled: () => this.#wake() });
  }

  get #over(): boolean {
    return this.#ended || this.#failure !== undefined;
  }

  /** Reads and sends until the workers have enough. Never rejects. */
  async #fill(sender: ChunkSender): Promise<void> {
    if (this.#filling) return;
    this.#filling = true;
    const { input } = this.#parts;
    const { pool } = sender;
    try {
      while (this.#maySend(sender)) {
        if (!(await input.load(pool.sizer.elements))) this.#ended = true;
        else if (!this.#isClosed() && !this.#over) this.#send(sender);
        this.#wake();
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#filling = false;
    this.#wake();
  }

  #maySend({ pool, mayHold }: ChunkSender): boolean {
    const { length } = this.#chunks;
    return (length === 0 || (length < pool.capacity && mayHold)) && !this.#over && !this.#closed;
  }

  #send(sender: ChunkSender): void {
    const { chunk, failure } = sender.send(this.#parts.input, this.#index);
    if (failure !== undefined) this.#failure = failure;
    if (chunk === undefined) return;
    this.#index += chunk.length;
    this.#chunks.push(chunk);
  }

  /**
   * Returns results of neighbouring elements that are ready; undefined if the next one is not ready, or the stage has
   * ended before it.
   */
  #given(max: number): Chunk | undefined {
    const { policy, path } = this.#parts;
    for (let first = this.#chunks[0]; first?.settled === true; first = this.#chunks[0]) {
      if (first.fault !== undefined) {
        this.#fail(this.#faultOf(first.fault));
        return undefined;
      }
      const results = first.results(max);
      if (results === undefined && !first.done) {
        const { origin, thrown } = first.failed();
        const error = thrown === undefined ? unsendableError(path, origin) : userError(path, origin, thrown.cause);
        if (!this.#continues(error)) return undefined;
      }
      if (first.done) this.#release();
      if (results === undefined) continue;
      policy.passed(results.elements.length);
      return results;
    }
    return undefined;
  }

  /** Returns true if the policy skips `error`. */
  #continues(error: ReturnType<typeof userError>): boolean {
    try {
      if (this.#parts.policy.resolve(error) === 'skip') return true;
      this.#ended = true;
      this.#drop();
    } catch (thrown) {
      this.#fail(thrown);
    }
    return false;
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.#drop();
  }

  #faultOf(fault: WorkerFault): Error {
    return faultError(this.#parts.path, this.#parts.plan.module, fault);
  }

  /** Discards all chunks that were sent. */
  #drop(): void {
    this.#sender?.pool.drop(this.#chunks.map(({ id }) => id));
    while (this.#chunks.length > 0) this.#release();
  }

  /** Releases the first chunk. */
  #release(): void {
    const first = this.#chunks.shift();
    if (first !== undefined) this.#sender?.release(first);
  }

  /** Resolves when a result may be ready. Until then, the threads keep the process alive. */
  async #change(pool: WorkerPool): Promise<void> {
    const held = this.#chunks.length > 0;
    if (held) pool.hold();
    await new Promise<void>((resolve) => (this.#wake = resolve));
    if (held) pool.letGo();
  }

  /** A method, so that the field is read again after `await`. */
  #isClosed(): boolean {
    return this.#closed;
  }
}
