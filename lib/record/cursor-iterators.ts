import { inspect } from 'node:util';

import type { Cursor, Held } from './cursor';
import { inspected, type InspectArguments } from './inspected';
import type { RecordBatch } from './record-batch';
import type { RecordCursor } from './record-cursor';

/** The position that iterators move. */
export interface SteppedCursor {
  /** The fields that an iterator prints. */
  readonly shown: object;
  close(): Promise<void>;
}

/**
 * Iterators over a cursor, written by hand: an async generator costs twice as much a step, and its `return` waits for a
 * `next` that may never come.
 */
export abstract class CursorSteps<T, C extends SteppedCursor> implements AsyncIterableIterator<T> {
  protected cursor: C;
  /** Kept alive, for a reader that is collected counts as forgotten. */
  protected readonly owner: object;

  readonly #resume: (() => C) | undefined;

  /**
   * `owner` is the reader, by default this iterator. `resume` gives the position for another loop over this iterator, or
   * throws; by default the position stays.
   */
  constructor(cursor: C, owner?: object, resume?: () => C) {
    this.cursor = cursor;
    this.owner = owner ?? this;
    this.#resume = resume;
  }

  /** The name that it is printed with. */
  protected abstract printedName(): string;

  abstract next(): Promise<IteratorResult<T>>;

  async return(value?: unknown): Promise<IteratorResult<T>> {
    await this.cursor.close();
    return { value, done: true };
  }

  async throw(error?: unknown): Promise<IteratorResult<T>> {
    await this.cursor.close();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    if (this.#resume !== undefined) this.cursor = this.#resume();
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cursor.close();
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected(this.printedName(), args, () => this.cursor.shown);
  }
}

/** Element by element. */
export class ElementSteps<T extends object> extends CursorSteps<T, Cursor<T, Held>> {
  protected printedName(): string {
    return 'RecordIterator';
  }

  next(): Promise<IteratorResult<T>> {
    const value = this.cursor.take();
    return value === undefined ? this.cursor.nextElement(this.owner) : Promise.resolve({ value, done: false });
  }
}

/** Batch by batch. */
export class BatchSteps extends CursorSteps<RecordBatch, RecordCursor> {
  protected printedName(): string {
    return 'RecordBatchIterator';
  }

  next(): Promise<IteratorResult<RecordBatch>> {
    return this.cursor.nextBatch(this.owner);
  }
}
