import { TFRecordError } from '../errors';
import type { ClassifiedSource } from './source';

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
