import { inspect } from 'node:util';

import { counted, type TFRecordError, tfrecordError, aside, worded } from '../../base';
import type { Elements } from './elements';
import { MAX_ELEMENTS, type Scope } from './scope';

/** The values that states consist of. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * A position in the elements of a stage: `skip` elements after the place `at`. Each stage defines the form `P` of its
 * places, which contain the marks of its inputs; null is the start. States store marks, so they are small.
 */
export type Mark<P extends Json = Json> = readonly [at: P | null, skip: number];

/** The start of any stage. */
export const START: Mark = [null, 0];

/**
 * Returns the mark `count` elements after `mark`, which must not be beyond the end of the chunk that begins at its
 * place.
 */
export function markAfter([at, skip]: Mark, count: number): Mark {
  return [at, skip + count];
}

/** The place of a counting stage: the mark of the next element of its input, and a number of elements or passes. */
type CountedPlace = readonly [input: Mark, count: number];

/** Returns the mark of a stage that is before the element at `input`, and has counted `count`. */
export function countedMark(input: Mark, count: number): Mark<CountedPlace> {
  return [[input, count], 0];
}

/**
 * Returns the input and the count in a mark of {@link countedMark}, for the stage at `path`. The count must be at most
 * `most`.
 * @throws TFRecordError TFR_STATE_MISMATCH
 */
export function countedPlace([at]: Mark, path: string, most?: number): CountedPlace {
  if (at === null) return [START, 0];
  const [input, count] = placeList(path, at, 2);
  return [placeMark(path, input), placeCount(path, 'a number', count, most)];
}

/** One or more elements that a stage hands over at a time. */
export interface Chunk {
  readonly elements: Elements;
  /** The position of the first element. */
  readonly mark: Mark;
}

/** The running instance of a stage, for one iterator. */
export interface Operator {
  /**
   * Returns the next 1 to `max` elements, as soon as there is one; undefined at the end, and when closed. One call at a
   * time. Rejects after all elements before the error; only `close` is called then.
   */
  next(max: number): Promise<Chunk | undefined>;
  /** Closes the operator and its inputs. Resolves when all their resources are closed. Idempotent. */
  close(): Promise<void>;
}

/** Returns the elements of a chunk from `begin` to before `end`. */
export function sliceChunk({ elements, mark }: Chunk, begin: number, end = elements.length): Chunk {
  return { elements: elements.slice(begin, end), mark: markAfter(mark, begin) };
}

/** Returns `operator` without its first `count` elements. */
export function skipping(operator: Operator, count: number, scope: Scope): Operator {
  return count === 0 ? operator : new SkipFirst(operator, count, scope);
}

/**
 * Opens a stage that reads one operator after the other, from `from` on. From the start, `skip` may exceed the elements
 * of the first operator; from any other place, it is at most the rest of a chunk.
 */
export function openFirst(from: Mark, scope: Scope, open: (from: Mark) => Operator): Operator {
  const [at, skip] = from;
  return at === null ? skipping(open(START), skip, scope) : open(from);
}

/** Returns `operator`, and counts its elements, chunks and time under `path`. */
export function tallied(operator: Operator, path: string, scope: Scope): Operator {
  const tally = scope.tally(path);
  return {
    async next(max): Promise<Chunk | undefined> {
      const begun = performance.now();
      try {
        const chunk = await operator.next(max);
        if (chunk !== undefined) {
          tally.elements += chunk.elements.length;
          tally.chunks++;
        }
        return chunk;
      } finally {
        tally.ms += performance.now() - begun;
      }
    },
    close: () => operator.close(),
  };
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
      this.#left -= chunk.elements.length;
    }
    return this.#operator.next(max);
  }

  close(): Promise<void> {
    return this.#operator.close();
  }
}

// Checks of the places in states. States are not trusted, and anyone can compute their checksum, so each stage checks
// its own place before it resumes. All checks throw TFRecordError TFR_STATE_MISMATCH, which names the stage at `path`.

/** Upper bound of `skip` for all stages; `openStage` checks the limit of each stage. */
const MAX_SKIPPED = 2 ** 21;

/** Returns the error for a place that is invalid for the stage at `path`, or does not fit its input. */
export function misplaced(path: string, expected: string, found: unknown): TFRecordError {
  const shown = typeof found === 'string' ? found : inspect(found, { breakLength: Infinity, depth: 1 }).slice(0, 200);
  return misfit(path, path, expected, shown);
}

/** Returns the error if the files of the stage at `path` differ from those of the state. */
export function otherFiles(path: string, expected: string, found: string): TFRecordError {
  return misfit(path, `the files of ${path}`, expected, found);
}

/** Prints the size of a file, for {@link otherFiles}; null is unknown. */
export function sizeText(bytes: number | null): string {
  return bytes === null ? 'an unknown size' : counted(bytes, 'byte');
}

function misfit(path: string, what: string, expected: string, found: string): TFRecordError {
  return tfrecordError(
    'TFR_STATE_MISMATCH',
    worded`The state does not fit ${what}: expected ${expected}, found ${found}.${aside` Iterate without a state to start again.`}`,
    { stage: path, expected, found },
  );
}

/** A list of `N` JSON values. */
type Members<N extends number, L extends readonly Json[] = readonly []> = number extends N
  ? readonly Json[]
  : L['length'] extends N
    ? L
    : Members<N, readonly [...L, Json]>;

/** Checks that `value` is a list of `length` members. */
export function placeList<N extends number>(path: string, value: Json, length: N): Members<N> {
  const list = placeListUpTo(path, value, length);
  if (list.length !== length)
    throw misplaced(path, `a place of ${counted(length, 'member')}`, `${list.length} of them`);
  return list as Members<N>;
}

/** Checks that `value` is a list of at most `most` members. */
export function placeListUpTo(path: string, value: Json, most: number): readonly Json[] {
  if (!Array.isArray(value)) throw misplaced(path, 'a list', value);
  const list: readonly Json[] = value;
  if (list.length > most)
    throw misplaced(path, `a list of at most ${counted(most, 'member')}`, `${list.length} of them`);
  return list;
}

/** Checks that `value` is an integer from 0 to `most`. The error calls it `what`. */
export function placeCount(path: string, what: string, value: Json, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  throw misplaced(path, `${what} from 0 to ${most}`, value);
}

/** Checks that `value` is a string. The error calls it `what`. */
export function placeText(path: string, what: string, value: Json): string {
  if (typeof value !== 'string') throw misplaced(path, what, value);
  return value;
}

/**
 * Checks that `value` is a mark; the stage that it belongs to checks the place. At the start, null, `skip` must be 0.
 */
export function placeMark(path: string, value: Json): Mark {
  const [at, skip] = placeList(path, value, 2);
  return [at, placeCount(path, 'a number of elements to skip', skip, at === null ? 0 : MAX_SKIPPED)];
}

/** Checks `value` with `check`, unless it is null, which stands for a missing place or number. */
export function placeOrNull<T>(value: Json, check: (value: Json) => T): T | null {
  return value === null ? null : check(value);
}

/** An operator that is created at the first `next`. */
export class Deferred implements Operator {
  readonly #open: () => Promise<Operator>;
  #operator: Operator | undefined;
  #closed = false;

  constructor(open: () => Promise<Operator>) {
    this.#open = open;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#closed) return undefined;
    this.#operator ??= await this.#open();
    if (!this.#isClosed()) return this.#operator.next(max);
    await this.#operator.close();
    return undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#operator?.close();
  }

  /** A method, so that the field is read again after `await`. */
  #isClosed(): boolean {
    return this.#closed;
  }
}

/**
 * Counts the elements that a state skips after a place, for a stage that drops some of its input. A valid state skips
 * elements of one chunk, so at most one chunk of input elements yields them.
 */
export class SkippedByState {
  readonly #path: string;
  #left: number;
  #seen = 0;

  constructor(path: string, count: number) {
    this.#path = path;
    this.#left = count;
  }

  /**
   * Returns the number of elements to skip among the next `kept`, which `seen` input elements yielded. @throws
   * TFRecordError TFR_STATE_MISMATCH
   */
  of(kept: number, seen: number): number {
    if (this.#left === 0) return 0;
    if (this.#seen >= MAX_ELEMENTS) throw misplaced(this.#path, 'elements of one chunk', `${this.#left} more to skip`);
    const passed = Math.min(this.#left, kept);
    this.#left -= passed;
    this.#seen += seen;
    return passed;
  }
}
