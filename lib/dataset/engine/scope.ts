import { type TFRecordError, LoopTurns, workingFolder } from '../../base';
import { type AheadBudget, ErrorPolicy, type OnError } from '../../record';
import { MemoryPool } from '../../io';
import type { RecordForm } from './records';

/** No chunk has more elements. */
export const MOST_ELEMENTS = 4096;
const READY = Promise.resolve();
/** Steps of promises that a chunk takes through some stages when it is there. */
const PROMISE_STEPS = 24;
const CHUNK_ELEMENTS = 256;
/**
 * The reason of a closed iterator's signal. Made once: an error keeps alive everything that was on the stack when it was
 * made, among it the iterator that is to be collected.
 */
const CLOSED = Object.assign(new Error('The iterator of the dataset is closed'), {
  name: 'AbortError',
  code: 'ABORT_ERR',
});

/** A resource that stages make once for an iterator, for as long as it lives. */
export interface Lasting {
  /** Resolves when nothing of it is left. */
  end(): Promise<void>;
}

/** The surroundings that the stages of one iterator share: its end, its turns, its counts. */
export class Scope {
  /** Elements that stages hand on at a time, at most. No result depends on it. */
  readonly chunkElements: number;
  /** The folder of relative paths: the working directory when the iteration began. */
  readonly folder = workingFolder();
  /** By stage, in the order in which they were opened. */
  readonly tallies = new Map<string, Tally>();
  readonly #policies = new Map<string, WeakMap<object, ErrorPolicy>>();
  readonly #forms = new Map<string, RecordForm>();
  readonly #lasting = new Map<unknown, Lasting>();
  /** False if a state cannot give each element exactly once: elements of an inner stage come in any order. */
  exact = true;
  /** Descriptors ran out: nothing is opened ahead any more. */
  scarce = false;
  #closed = false;
  /** Made at the first read of `signal`. */
  #ending: AbortController | undefined;
  readonly #turns = new LoopTurns();
  /** The memory that serves again: slabs, see `Run.slabs`, and batches, see `Run.memory`. */
  readonly memory = new MemoryPool();
  /** True if batches last until the next step. */
  readonly transient: boolean;
  /** Shared by all stages that run ahead. */
  readonly budget: Budget;

  constructor(chunkElements = CHUNK_ELEMENTS, bytes?: number, transient = false) {
    this.chunkElements = Math.min(chunkElements, MOST_ELEMENTS);
    this.transient = transient;
    this.budget = new Budget(bytes);
  }

  /** For callbacks of the user's: aborted when the iterator is closed. */
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
   * The policy of `owner` for errors of the stage at `path`: one for all passes, for it counts. Parts of a holder share
   * their paths, and may have owners of their own.
   */
  policy(path: string, owner: object, onError?: OnError): ErrorPolicy {
    const owners = known(this.#policies, path, () => new WeakMap<object, ErrorPolicy>());
    return known(owners, owner, () => new CountedPolicy(() => this.tally(path), onError));
  }

  /**
   * The form of `key`, made by `make` where there is none yet: records that several stages show as the same, each pass
   * of a repetition and each input of an interleave, go into one batch as such.
   */
  form(key: string, make: () => RecordForm): RecordForm {
    return known(this.#forms, key, make);
  }

  /** A stage of the chain at `path` gives its elements in any order. */
  noteUnordered(path: string): void {
    if (path !== '') this.exact = false;
  }

  /** The iterator's instance of `Class`, made at the first call. */
  lasting<T extends Lasting>(Class: new () => T): T {
    return known(this.#lasting, Class, () => new Class()) as T;
  }

  /** Ends all lasting instances; resolves when they are gone. */
  async end(): Promise<void> {
    await Promise.all(Array.from(this.#lasting.values(), (one) => one.end()));
  }

  close(): void {
    this.#closed = true;
    this.memory.close();
    this.#ending?.abort(CLOSED);
  }

  /** Elements that a stage asks its input for at a time. */
  get inputElements(): number {
    return Math.min(4 * this.chunkElements, MOST_ELEMENTS);
  }

  /** True if the event loop is due to turn. */
  get due(): boolean {
    return this.#turns.due;
  }

  /** Loops that may run long await this: it lets the event loop turn when that is due. */
  breathe(): Promise<void> | undefined {
    return this.#turns.breathe();
  }

  /** True if `promise` settles before the event loop has turned once, so that waiting for it costs little. */
  async settlesSoon(promise: Promise<unknown>): Promise<boolean> {
    let settled = false;
    const settle = (): void => void (settled = true);
    const done = promise.then(settle, settle);
    // A chunk that is ready comes within some steps of promises: no turn of the event loop is needed.
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

/** Counts of the operators of a stage so far. */
class Tally {
  elements = 0;
  chunks = 0;
  /** Time in which a step was under way, that for its inputs included, in milliseconds. */
  ms = 0;
  /** Errors that `onError` skipped. */
  skipped = 0;
}

/** A policy that counts its skips. */
class CountedPolicy extends ErrorPolicy {
  readonly #tally: () => Tally;

  /** `tally` is called late: tallies are in the order in which stages begin. */
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

/** 256 MiB. */
const DEFAULT_BYTES = 256 * 1024 * 1024;
/** Part of the budget that one chunk may have. */
const CHUNK_SHARE = 1 / 16;

/**
 * Bytes that an iteration may hold ahead of use: shared by all that runs ahead, each as it needs. Who is waited for goes on
 * without it, an element at a time.
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

  /** Elements of `each` bytes that go into one chunk; 1 or more. */
  chunkOf(each: number): number {
    return Math.max(1, Math.floor((this.#bytes * CHUNK_SHARE) / Math.max(1, each)));
  }
}
