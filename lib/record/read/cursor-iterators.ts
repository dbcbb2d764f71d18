import { inspect } from 'node:util';

import { TFRecordError } from '../../errors';
import type { RecordBatch } from '../batch/record-batch';
import { withCallers } from '../callers';
import { inspected, type InspectArguments } from '../inspected';
import type { ClassifiedSource } from '../source/record-source';
import type { Cursor, Held } from './cursor';
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

/** True if `source` can be read again from its beginning: a path, bytes, a Blob. */
export function isRepeatable(source: ClassifiedSource): boolean {
  switch (source.kind) {
    case 'paths':
      return source.paths.every(({ path }) => path !== '-');
    case 'bytes':
      return true;
    case 'chunks':
      return source.size !== undefined;
  }
}

/** The error for iterating over a reader that has ended and cannot, or must not, read its source again. */
export function readerClosed(): TFRecordError {
  return new TFRecordError(
    'TFR_CLOSED',
    'This reader was read to its end, left or closed. Open another one to read again; to read a stream twice, keep its bytes.',
  );
}

/**
 * The readings of a source, one after another: the next one begins when somebody iterates again after the last one has
 * ended. A stream has only one.
 */
export class Passes<C extends { readonly over: boolean }> {
  readonly #begin: () => C;
  readonly #repeatable: boolean;
  #current: C;
  #closed = false;

  constructor(source: ClassifiedSource, begin: () => C) {
    this.#begin = begin;
    this.#repeatable = isRepeatable(source);
    this.#current = begin();
  }

  get current(): C {
    return this.#current;
  }

  /** The reading to iterate over. @throws TFRecordError TFR_CLOSED if no reading can begin any more. */
  resume(): C {
    if (this.#current.over) {
      if (this.#closed || !this.#repeatable) throw readerClosed();
      this.#current = this.#begin();
    }
    return this.#current;
  }

  /** Lets no other reading begin. */
  close(): void {
    this.#closed = true;
  }
}

/** Steps of iterators, answered in the order of their calls. */
export class StepQueue {
  #waiting = 0;
  #tail: Promise<void> = Promise.resolve();
  /** Whose steps wait: what is collected counts as forgotten, and must not be, under those who wait for it. */
  readonly #inUse = new Set<object>();

  /** True if no step waits. */
  get idle(): boolean {
    return this.#waiting === 0;
  }

  /** Runs `step` of `owner` when those before it are done, and `after` behind it, before it is answered. */
  async run<R>(owner: object, step: () => Promise<R>, after: () => void): Promise<R> {
    this.#waiting++;
    this.#inUse.add(owner);
    const before = this.#tail;
    let done = (): void => undefined;
    // A separate promise: with two waiters for the result, V8 would show neither in stacks.
    this.#tail = new Promise<void>((resolve) => (done = resolve));
    await before;
    try {
      return await step();
    } catch (error) {
      throw withCallers(error);
    } finally {
      if (--this.#waiting === 0) this.#inUse.clear();
      after();
      done();
    }
  }
}
