import { type TFRecordError, LoopTurns, workingFolder } from '../../base';
import { type AheadBudget, ErrorPolicy, type OnError, ShownMemory } from '../../record';
import { MemoryPool } from '../../io';
import type { RecordForm } from './records';

/** Maximum number of elements in a chunk. */
export const MAX_ELEMENTS = 4096;
const READY = Promise.resolve();
/** Number of microtasks within which a chunk that is ready passes through a few stages. */
const PROMISE_STEPS = 24;
const CHUNK_ELEMENTS = 256;
/**
 * The abort reason of a closed iterator's signal. Created once: an error keeps alive what was on the stack when it was
 * created, which could be an iterator that should be collected.
 */
const CLOSED = Object.assign(new Error('The iterator of the dataset is closed'), {
  name: 'AbortError',
  code: 'ABORT_ERR',
});

/** A resource that an iterator creates once, and keeps until it is closed. */
export interface Lasting {
  /** Releases the resource; resolves when that is done. */
  end(): Promise<void>;
}

/** The state that the stages of one iterator share: its signal, its budget, its statistics. */
export class Scope {
  /** Maximum number of elements that stages hand over at a time. Results do not depend on it. */
  readonly chunkElements: number;
  /** The folder that relative paths start from: the working directory when the iteration began. */
  readonly folder = workingFolder();
  /** Statistics by path of the stage, in the order in which stages were opened. */
  readonly tallies = new Map<string, Tally>();
  readonly #policies = new Map<string, WeakMap<object, ErrorPolicy>>();
  readonly #forms = new Map<string, RecordForm>();
  readonly #lasting = new Map<unknown, Lasting>();
  /**
   * False if resuming from a state may repeat or lose elements: an inner stage hands its elements over in any order.
   */
  exact = true;
  /** True after file descriptors ran out: files are no longer opened ahead. */
  scarce = false;
  #closed = false;
  /** Created at the first read of `signal`. */
  #ending: AbortController | undefined;
  readonly #turns = new LoopTurns();
  /** Memory for reuse: slabs, see `Run.slabs`, and batches, see `Run.memory`. */
  readonly memory = new MemoryPool();
  /** True if batches are valid until the next step only. */
  readonly transient: boolean;
  /** Memory of raw records that are valid until the next step; see `Run.shown`. Undefined: they stay valid. */
  readonly shown: ShownMemory | undefined;
  /** Shared by all stages that run ahead. */
  readonly budget: Budget;

  constructor(chunkElements = CHUNK_ELEMENTS, bytes?: number, transient = false) {
    this.chunkElements = Math.min(chunkElements, MAX_ELEMENTS);
    this.transient = transient;
    this.shown = transient ? new ShownMemory() : undefined;
    this.budget = new Budget(bytes);
  }

  /** Signal for callbacks of the user: aborted when the iterator is closed. */
  get signal(): AbortSignal {
    if (this.#ending === undefined) {
      this.#ending = new AbortController();
      if (this.#closed) this.#ending.abort(CLOSED);
    }
    return this.#ending.signal;
  }

  get closed(): boolean {
    return this.#closed;
  }

  tally(path: string): Tally {
    return known(this.tallies, path, () => new Tally());
  }

  /**
   * Returns the policy of `owner` for errors of the stage at `path`. All passes share one, because it counts. Parts of
   * a containing stage share paths, and may have owners of their own.
   */
  policy(path: string, owner: object, onError?: OnError): ErrorPolicy {
    const owners = known(this.#policies, path, () => new WeakMap<object, ErrorPolicy>());
    return known(owners, owner, () => new CountedPolicy(() => this.tally(path), onError));
  }

  /**
   * Returns the form of `key`, which `make` creates at the first call. Records of equal forms, such as those of all
   * passes of a `repeat` and all inputs of an `interleave`, can then share a batch.
   */
  form(key: string, make: () => RecordForm): RecordForm {
    return known(this.#forms, key, make);
  }

  /** Notes that a stage of the chain at `path` hands its elements over in any order. */
  noteUnordered(path: string): void {
    if (path !== '') this.exact = false;
  }

  /** Returns the iterator's instance of `Class`, which is created at the first call. */
  lasting<T extends Lasting>(Class: new () => T): T {
    return known(this.#lasting, Class, () => new Class()) as T;
  }

  /** Ends all lasting resources; resolves when they are released. */
  async end(): Promise<void> {
    await Promise.all(Array.from(this.#lasting.values(), (one) => one.end()));
  }

  close(): void {
    this.#closed = true;
    this.memory.close();
    this.shown?.close();
    this.#ending?.abort(CLOSED);
  }

  /** Number of elements that a stage requests from its input at a time. */
  get inputElements(): number {
    return Math.min(4 * this.chunkElements, MAX_ELEMENTS);
  }

  /** True if the event loop is due to turn. */
  get due(): boolean {
    return this.#turns.due;
  }

  /** Returns a promise to await, in loops that may run long, if the event loop is due to turn; else undefined. */
  breathe(): Promise<void> | undefined {
    return this.#turns.breathe();
  }

  /** Resolves to true if `promise` settles before the event loop turns once, so that awaiting it is cheap. */
  async settlesSoon(promise: Promise<unknown>): Promise<boolean> {
    let settled = false;
    const settle = (): void => void (settled = true);
    const done = promise.then(settle, settle);
    // A chunk that is ready settles within a few microtasks, without a turn of the event loop.
    for (let step = 0; step < PROMISE_STEPS && !settled; step++) await READY;
    if (!settled) await Promise.race([done, this.#turns.turn()]);
    return settled;
  }
}

interface Known<K, T> {
  get(key: K): T | undefined;
  set(key: K, value: T): unknown;
}

function known<K, T>(map: Known<K, T>, key: K, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** Statistics of the operators of a stage so far. */
class Tally {
  elements = 0;
  chunks = 0;
  /** Total duration of its steps, including those of its inputs, in milliseconds. */
  ms = 0;
  /** Number of errors that `onError` skipped. */
  skipped = 0;
}

/** A policy that counts its skips. */
class CountedPolicy extends ErrorPolicy {
  readonly #tally: () => Tally;

  /** `tally` is called at the first skip: tallies must be created in the order in which stages begin. */
  constructor(tally: () => Tally, onError: OnError | undefined) {
    super(onError);
    this.#tally = tally;
  }

  override resolve(error: TFRecordError): 'skip' | 'stop' {
    const action = super.resolve(error);
    if (action === 'skip') this.#tally().skipped++;
    return action;
  }
}

/** Default of {@link Budget}: 256 MiB. */
const DEFAULT_BYTES = 256 * 1024 * 1024;
/** Share of the budget that one chunk may use. */
const CHUNK_SHARE = 1 / 16;

/**
 * The bytes that an iteration may hold ahead of use, shared by all stages that run ahead. A stage that others wait for
 * proceeds without budget, one element at a time.
 */
export class Budget implements AheadBudget {
  readonly #bytes: number;
  #held = 0;

  constructor(bytes = DEFAULT_BYTES) {
    this.#bytes = bytes;
  }

  get room(): number {
    return this.#bytes - this.#held;
  }

  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** Returns the number of elements of `each` bytes that fit into one chunk; 1 or more. */
  chunkOf(each: number): number {
    return Math.max(1, Math.floor((this.#bytes * CHUNK_SHARE) / Math.max(1, each)));
  }
}
