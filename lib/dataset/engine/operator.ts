import type { Column } from './column';
import type { Json } from './json';
import { placeCount, placeList, placeMark } from './place-check';
import type { Scope } from './scope';

/**
 * A place in what a stage gives: `skip` elements behind the place `at`, which is the stage's own business, and holds the
 * marks of its inputs; null is the start. Part of a state, so it is small.
 */
export type Mark = readonly [at: Json, skip: number];

/** The start of any stage. */
export const START: Mark = [null, 0];

/** The place `count` elements behind `mark`; not beyond the chunk whose first element lies there, or its end. */
export function behind([at, skip]: Mark, count: number): Mark {
  return [at, skip + count];
}

/** The mark of a stage that stands before what lies at `input`, and counts: elements, passes. */
export function countedMark(input: Mark, count: number): Mark {
  return [[input, count], 0];
}

/**
 * The input and count that {@link countedMark} was made of, for the stage at `path`. The count is at most `most`.
 * @throws TFRecordError TFR_STATE_MISMATCH
 */
export function countedPlace([at]: Mark, path: string, most?: number): readonly [input: Mark, count: number] {
  if (at === null) return [START, 0];
  const [input, count] = placeList(path, at, 2);
  return [placeMark(path, input), placeCount(path, 'a number', count, most)];
}

/** Elements that a stage gives at a time: one or more. */
export interface Chunk {
  readonly column: Column;
  /** The place of the first of them. */
  readonly mark: Mark;
}

/** A stage at work, for one iterator. */
export interface Operator {
  /**
   * What comes next: 1 to `max` elements, as soon as there is one; undefined at the end, and when closed. One call at a
   * time. After a rejection only `close` is called. What came before an error was given before.
   */
  next(max: number): Promise<Chunk | undefined>;
  /** Ends it, and its inputs. Resolves when nothing of it is open. Idempotent. */
  close(): Promise<void>;
}

/** Elements `begin` to `end` of a chunk. */
export function sliceChunk({ column, mark }: Chunk, begin: number, end = column.length): Chunk {
  return { column: column.slice(begin, end), mark: behind(mark, begin) };
}

/** `operator` without its first `count` elements. */
export function skipping(operator: Operator, count: number, scope: Scope): Operator {
  return count === 0 ? operator : new SkipFirst(operator, count, scope);
}

/**
 * What `open` gives from `from` on, of a stage that has its elements from one operator after the other. From the start on,
 * more may be passed over than the first of them has; behind any other place there is what is left of a chunk.
 */
export function openFirst(from: Mark, scope: Scope, open: (from: Mark) => Operator): Operator {
  const [at, skip] = from;
  return at === null ? skipping(open(START), skip, scope) : open(from);
}

class SkipFirst implements Operator {
  readonly #operator: Operator;
  readonly #scope: Scope;
  #left: number;

  constructor(operator: Operator, count: number, scope: Scope) {
    this.#operator = operator;
    this.#left = count;
    this.#scope = scope;
  }

  async next(max: number): Promise<Chunk | undefined> {
    while (this.#left > 0) {
      await this.#scope.breathe();
      const chunk = await this.#operator.next(Math.min(this.#left, this.#scope.chunkElements));
      if (chunk === undefined || this.#scope.closed) return undefined;
      this.#left -= chunk.column.length;
    }
    return this.#operator.next(max);
  }

  close(): Promise<void> {
    return this.#operator.close();
  }
}
