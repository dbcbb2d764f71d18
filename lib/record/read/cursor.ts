import type { Compression } from '../../native';
import type { ErrorPolicy } from '../error-policy';
import { Pace } from '../event-loop';
import type { Origin } from '../origin';
import { StepQueue } from './cursor-iterators';
import type { InputSequence } from './input-sequence';
import type { Portion } from './input-stream';
import { watchForgotten } from './left-readers';

/** How far a reader is. Counts what was handed out, over all files. */
export interface ReadStats {
  /** Records handed out. */
  readonly records: number;
  /** Sum of their lengths, in bytes. */
  readonly bytes: number;
  /** Bytes of the source consumed so far, compressed if they are. */
  readonly compressedBytes: number;
  /** Size of the source in bytes; undefined while or when it is not known. */
  readonly totalBytes: number | undefined;
  /** What the file read last was found to be, by its content; undefined before its first bytes were read. */
  readonly compression: Compression | undefined;
  /** Damaged records, and files or rests of files, that `onError` skipped. */
  readonly skipped: number;
  /**
   * Bytes of the rests of files that `onError` skipped, after a broken length or a broken compressed stream: the sum of
   * the errors' `lostBytes`. It does not count single records that were skipped.
   */
  readonly lostBytes: number;
}

/** Some elements of one file, in order. */
export interface Held {
  readonly length: number;
  origin(index: number): Origin | undefined;
}

/**
 * The one position of a reader, shared by its iterators: in `held`, the elements that the inputs gave last. Steps are
 * answered in the order of their calls, at once while those in hand last.
 */
export abstract class Cursor<T, H extends Held> {
  protected readonly inputs: InputSequence<Portion, H>;
  readonly #policy: ErrorPolicy;
  protected held: H | undefined;
  /** Next element of `held`, and how many there are. */
  protected index = 0;
  protected count = 0;
  /** `take` serves elements below this one: it looks at neither clock nor queue. */
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

  /** The element at `index`, as the user gets it. Throws when that cannot be made any more. */
  protected abstract view(): T;
  /** The error to close with when `cause` was thrown where an element was made. */
  protected abstract lost(cause: unknown): unknown;
  /** `held` was exchanged, or, for undefined, given up. */
  protected abstract exchanged(held: H | undefined): void;
  /** Sum of the lengths of the first `count` records of `held`. */
  protected abstract bytesBefore(held: H, count: number): number;

  /** The next element if it is in hand and nobody waits; else undefined, and `nextElement` is to be asked. */
  take(): T | undefined {
    if (this.index >= this.#limit) return undefined;
    try {
      return this.#next();
    } catch {
      return undefined; // `nextElement` meets the same, and rejects.
    }
  }

  /** What comes next, however long that takes. `owner`: the reader. */
  nextElement(owner: object): Promise<IteratorResult<T>> {
    return this.inTurn(owner, async () => {
      while (this.index < this.count || (await this.loadNext())) {
        await this.#pace.look(this.#records + this.index, () => this.inputs.breathe());
        // A close or an abort meanwhile took what was held away.
        if (this.held !== undefined) return { value: await this.orClose(() => this.#next()), done: false };
      }
      return { value: undefined, done: true };
    });
  }

  /** Where the element that was handed out last lies. */
  get origin(): Origin | undefined {
    return this.index > 0 ? this.held?.origin(this.index - 1) : this.#origin;
  }

  /** Elements handed out. */
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

  /** The fields that a reader prints. */
  get shown(): object {
    return { source: this.inputs.sourceName, state: this.inputs.phase, ...this.stats };
  }

  /**
   * Closes the source, with a warning, if `owner` is collected before it is closed. `name` is the owner's, with an
   * article.
   */
  belongsTo(owner: object, name: string): void {
    watchForgotten(owner, this.inputs, name);
  }

  /** True if the reading has ended, was left or was closed, and its error was given: further steps give nothing. */
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

  /** Runs `step` when those before it are done. */
  protected inTurn<R>(owner: object, step: () => Promise<R>): Promise<R> {
    this.#limit = 0;
    return this.#steps.run(owner, step, () => this.#setLimit());
  }

  /** False at the end, and when closed. */
  protected async loadNext(): Promise<boolean> {
    for (;;) {
      const held = await this.inputs.next();
      if (held === undefined) return false;
      // Closed or aborted since: the inputs know which.
      if (this.inputs.closed) continue;
      this.#settle();
      this.held = held;
      this.count = held.length;
      this.exchanged(held);
      return true;
    }
  }

  /** What `make` gives. Where it throws, the reader is closed. */
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

  /** Books what was handed out of what is held. */
  #settle(): void {
    this.#origin = this.origin;
    this.#records += this.index;
    this.#bytes += this.#bytesOfHeld();
    this.index = 0;
  }
}
