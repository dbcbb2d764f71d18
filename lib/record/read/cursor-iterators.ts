import { inspect } from 'node:util';

import { type TFRecordError, inspected, type InspectArguments, tfrecordError, aside, worded } from '../../base';
import type { RecordBatch } from '../batch/record-batch';
import type { ClassifiedSource } from '../../io';
import type { Cursor, ElementRun } from './cursor';
import type { RecordCursor } from './record-cursor';
import { watchUnclosed, type Closable } from './unclosed-readers';

/** A position that iterators share and move. */
interface SteppedCursor {
  /** The fields that `util.inspect` prints of an iterator. */
  readonly shown: object;
  close(): Promise<void>;
}

/**
 * An iterator over a cursor. It is not an async generator, because that costs twice as much per step, and its `return`
 * waits for a `next` that may never come.
 */
export abstract class CursorSteps<T, C extends SteppedCursor> implements AsyncIterableIterator<T> {
  protected cursor: C;
  /** The reader. The iterator keeps it alive, because a collected reader is closed with a warning. */
  protected readonly owner: object;

  readonly #resume: (() => C) | undefined;

  /**
   * `owner` is the reader. Default: this iterator. `resume` is called when another loop over this iterator begins; it
   * returns the position, or throws. Default: the position stays.
   */
  constructor(cursor: C, owner?: object, resume?: () => C) {
    this.cursor = cursor;
    this.owner = owner ?? this;
    this.#resume = resume;
  }

  /** If this iterator is collected before `reading` is closed, closes it with a warning. `name`: with an article. */
  protected owns(reading: Closable, name: string): void {
    watchUnclosed(this, reading, name);
  }

  /** The name that `util.inspect` prints. */
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

/** An iterator over the elements. */
export class ElementSteps<T extends object> extends CursorSteps<T, Cursor<T, ElementRun>> {
  protected printedName(): string {
    return 'RecordIterator';
  }

  next(): Promise<IteratorResult<T>> {
    const value = this.cursor.take();
    return value === undefined ? this.cursor.nextElement(this.owner) : Promise.resolve({ value, done: false });
  }
}

/** An iterator over the batches. */
export class BatchSteps extends CursorSteps<RecordBatch, RecordCursor> {
  protected printedName(): string {
    return 'RecordBatchIterator';
  }

  next(): Promise<IteratorResult<RecordBatch>> {
    return this.cursor.nextBatch(this.owner);
  }
}

/** True if `source` can be read again from its start: paths, bytes, a Blob, a FileHandle. */
export function isRepeatable(source: ClassifiedSource): boolean {
  return source.kind === 'bytes' ? source.source.repeatable : source.paths.every(({ path }) => path !== '-');
}

/** Returns the error for iterating over a reader that has ended and cannot, or must not, read its source again. */
export function readerClosed(): TFRecordError {
  return tfrecordError(
    'TFR_CLOSED',
    worded`This reader was read to its end, left or closed.${aside` Open another one to read again; to read a stream twice, keep its bytes.`}`,
    {},
  );
}

/**
 * The readings of a source, one after another. The next one begins when somebody iterates again after the last one has
 * ended. A stream can be read only once.
 */
export class Readings<C extends { readonly over: boolean }> {
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

  /** Returns the reading to iterate over. @throws TFRecordError TFR_CLOSED if no other reading can begin. */
  resume(): C {
    if (this.#current.over) {
      if (this.#closed || !this.#repeatable) throw readerClosed();
      this.#current = this.#begin();
    }
    return this.#current;
  }

  /** Keeps any other reading from beginning. */
  close(): void {
    this.#closed = true;
  }
}
