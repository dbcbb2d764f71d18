import type { Cursor, Held } from './cursor';
import type { RecordBatch } from './record-batch';
import type { RecordCursor } from './record-cursor';

/**
 * Iterators over a cursor, written by hand: an async generator costs twice as much a step, and its `return` waits for a
 * `next` that may never come.
 */
export abstract class CursorSteps<T, C extends { close(): Promise<void> }> implements AsyncIterableIterator<T> {
  protected readonly cursor: C;
  /** Kept alive, for a reader that is collected counts as forgotten. */
  protected readonly owner: object;

  /** `owner`: the reader. Default: this iterator, where there is none. */
  constructor(cursor: C, owner?: object) {
    this.cursor = cursor;
    this.owner = owner ?? this;
  }

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
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cursor.close();
  }
}

/** Element by element. */
export class ElementSteps<T extends object> extends CursorSteps<T, Cursor<T, Held>> {
  next(): Promise<IteratorResult<T>> {
    const value = this.cursor.take();
    return value === undefined ? this.cursor.nextElement(this.owner) : Promise.resolve({ value, done: false });
  }
}

/** Batch by batch. */
export class BatchSteps extends CursorSteps<RecordBatch, RecordCursor> {
  next(): Promise<IteratorResult<RecordBatch>> {
    return this.cursor.nextBatch(this.owner);
  }
}
