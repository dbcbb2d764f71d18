import { type Compression, Pace, type Origin } from '../../base';
import type { ErrorPolicy } from '../error-policy';
import type { InputSequence } from './input-sequence';
import type { Portion } from './input-stream';
import { watchUnclosed } from './unclosed-readers';
import { StepQueue } from './step-queue';

/** The progress of a reader: what it has handed out so far, over all files. */
export interface ReadStats {
  /** Number of records handed out. */
  readonly records: number;
  /** Sum of their lengths, in bytes. */
  readonly bytes: number;
  /** Stored bytes of the source that were consumed so far. */
  readonly compressedBytes: number;
  /** Size of the source, in bytes; undefined if it is not known, or not yet. */
  readonly totalBytes: number | undefined;
  /** The compression of the file read last, by its content; undefined before its first bytes were read. */
  readonly compression: Compression | undefined;
  /** Number of damaged records, files, and rests of files that `onError` skipped. */
  readonly skipped: number;
  /**
   * Bytes lost in the rests of files that `onError` skipped after a broken length or a broken compressed stream: the sum
   * of the errors' `lostBytes`. Single records that were skipped do not count; those that `'salvage'` leaves out do.
   */
  readonly lostBytes: number;
}

/** Some elements of one file, in order. */
export interface ElementRun {
  readonly length: number;
  origin(index: number): Origin | undefined;
}

/**
 * The position of a reader, which all its iterators share. It is an index into `held`, the last elements that the inputs
 * gave. Steps run in the order of their calls; while there are elements in `held`, they are answered at once.
 */
export abstract class Cursor<T, H extends ElementRun> {
  protected readonly inputs: InputSequence<Portion, H>;
  readonly #policy: ErrorPolicy;
  protected held: H | undefined;
  /** Index in `held` of the next element. */
  protected index = 0;
  /** Number of elements in `held`. */
  protected count = 0;
  /** `take` may hand out elements below this index without checking the clock or the queue. */
  #limit = 0;
  readonly #steps = new StepQueue();
  readonly #pace = new Pace();
  #records = 0;
  #bytes = 0;
  #origin: Origin | undefined;

  constructor(inputs: InputSequence<Portion, H>, policy: ErrorPolicy) {
    this.inputs = inputs;
    this.#policy = policy;
    inputs.onClosed = () => this.#drop();
  }

  /** Makes the element at `index` for the user. Throws if it can no longer be made. */
  protected abstract view(): T;
  /** Returns the error with which the reader is closed after `view` threw `cause`. */
  protected abstract lost(cause: unknown): unknown;
  /** Called when `held` was replaced or, for undefined, given up. */
  protected abstract exchanged(held: H | undefined): void;
  /** Returns the sum of the lengths of the first `count` records of `held`. */
  protected abstract bytesBefore(held: H, count: number): number;

  /** Returns the next element if it is in `held` and no step waits; else undefined: call `nextElement` then. */
  take(): T | undefined {
    if (this.index >= this.#limit) return undefined;
    try {
      return this.#next();
    } catch {
      return undefined; // `nextElement` meets the same error, and rejects.
    }
  }

  /** Resolves with the next element, which may have to be read first. `owner`: the reader. */
  nextElement(owner: object): Promise<IteratorResult<T>> {
    return this.inTurn(owner, async () => {
      while (this.index < this.count || (await this.loadNext())) {
        await this.#pace.look(this.#records + this.index, () => this.inputs.breathe());
        // A close or an abort during the `await` clears `held`.
        if (this.held !== undefined) return { value: await this.orClose(() => this.#next()), done: false };
      }
      return { value: undefined, done: true };
    });
  }

  /** The origin of the element that was handed out last. */
  get origin(): Origin | undefined {
    return this.index > 0 ? this.held?.origin(this.index - 1) : this.#origin;
  }

  /** Number of elements handed out. */
  protected get records(): number {
    return this.#records + this.index;
  }

  get stats(): ReadStats {
    return {
      records: this.records,
      bytes: this.#bytes + this.#bytesOfHeld(),
      compressedBytes: this.inputs.compressedBytes,
      totalBytes: this.inputs.totalBytes,
      compression: this.inputs.compression,
      skipped: this.#policy.skipped,
      lostBytes: this.#policy.lostBytes,
    };
  }

  /** The fields that `util.inspect` prints of a reader. */
  get shown(): object {
    return { source: this.inputs.sourceName, state: this.inputs.phase, ...this.stats };
  }

  /**
   * If `owner` is collected before it is closed, closes the source with a warning. `name` is the owner's name in the
   * warning, with an article.
   */
  belongsTo(owner: object, name: string): void {
    watchUnclosed(owner, this.inputs, name);
  }

  /** True if reading has ended, was left or was closed, and its error was thrown: further steps give nothing. */
  get over(): boolean {
    return this.inputs.over;
  }

  /** Opens the first input. */
  open(): Promise<void> {
    return this.inputs.open();
  }

  close(): Promise<void> {
    return this.inputs.close();
  }

  /** Runs `step` when all earlier steps are done. */
  protected inTurn<R>(owner: object, step: () => Promise<R>): Promise<R> {
    this.#limit = 0;
    return this.#steps.run(owner, step, () => this.#setLimit());
  }

  /** Loads the next elements into `held`. Resolves with false at the end, and if closed. */
  protected async loadNext(): Promise<boolean> {
    for (;;) {
      const held = await this.inputs.next();
      if (held === undefined) return false;
      // Closed or aborted meanwhile: the next call of the inputs tells which.
      if (this.inputs.closed) continue;
      this.#settle();
      this.held = held;
      this.count = held.length;
      this.exchanged(held);
      return true;
    }
  }

  /** Returns the result of `make`. If it throws, closes the reader first. */
  protected async orClose<R>(make: () => R): Promise<R> {
    try {
      return make();
    } catch (cause) {
      const error = this.lost(cause);
      await this.close().catch(() => undefined);
      throw error;
    }
  }

  #next(): T {
    const element = this.view();
    this.index++;
    return element;
  }

  #bytesOfHeld(): number {
    return this.held === undefined ? 0 : this.bytesBefore(this.held, this.index);
  }

  #setLimit(): void {
    this.#limit = this.#steps.idle ? Math.min(this.count, this.index + this.#pace.budget) : 0;
  }

  #drop(): void {
    this.#settle();
    this.held = undefined;
    this.#limit = this.count = 0;
    this.exchanged(undefined);
  }

  /** Adds the elements of `held` that were handed out to the totals. */
  #settle(): void {
    this.#origin = this.origin;
    this.#records += this.index;
    this.#bytes += this.#bytesOfHeld();
    this.index = 0;
  }
}
