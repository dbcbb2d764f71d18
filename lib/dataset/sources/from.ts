import { invalidArgType, isFalseArray, isObject, type Origin } from '../../base';
import { isThenable } from '../engine/element-context';
import { ArrayElements } from '../engine/elements';
import { userError } from '../engine/errors';
import { valueContents } from '../engine/fingerprint';
import { placeCount, skipping, type Chunk, type Json, type Mark, type Operator } from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';

/** A source of elements: an iterable, or a function that returns one for each pass. */
export type ElementSource =
  Iterable<unknown> | AsyncIterable<unknown> | (() => Iterable<unknown> | AsyncIterable<unknown>);

/** The stage of `Dataset.from`, which reads the elements of an iterable. */
export class FromStage extends Stage {
  readonly kind = 'from';
  readonly #source: ElementSource;

  static of(source: unknown): FromStage {
    const iterable =
      typeof source === 'function' ||
      (isObject(source) && !isFalseArray(source) && (Symbol.iterator in source || Symbol.asyncIterator in source));
    if (!iterable) throw invalidArgType('source', 'an iterable, or a function that returns one', source);
    return new FromStage(source as ElementSource);
  }

  private constructor(source: ElementSource) {
    super(undefined);
    this.#source = source;
  }

  override get size(): number | undefined {
    return Array.isArray(this.#source) ? this.#source.length : undefined;
  }

  override get contents(): Json {
    return valueContents(this.#source);
  }

  open(run: Run, from: Mark): Operator {
    return openIterable(this.#source, run, stagePath(run, this), from);
  }
}

/**
 * Opens the elements of `source` from `from` on. Its errors are reported as errors of the function given to the stage
 * at `path`, for the record at `origin`.
 */
export function openIterable(
  source: ElementSource,
  run: Run,
  path: string,
  [at, skip]: Mark,
  origin?: Origin,
): Operator {
  const most = Array.isArray(source) ? source.length : undefined;
  const first = (at === null ? 0 : placeCount(path, 'a number of elements', at, most)) + skip;
  if (Array.isArray(source) && !source.some(isThenable)) return new ArrayOperator(source, first);
  return skipping(new IterableOperator(source, run, path, origin), first, run.scope);
}

class ArrayOperator implements Operator {
  readonly #values: readonly unknown[];
  #next: number;

  constructor(values: readonly unknown[], next: number) {
    this.#values = values;
    this.#next = next;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const begin = this.#next;
    const values = this.#values.slice(begin, begin + max);
    if (values.length === 0) return undefined;
    this.#next += values.length;
    return { elements: new ArrayElements(values), mark: [begin, 0] };
  }

  async close(): Promise<void> {
    this.#next = Infinity;
  }
}

type Steps = Iterator<unknown> | AsyncIterator<unknown>;

/** Reads an iterable of the user, which is not trusted: each step and `return` are guarded. */
class IterableOperator implements Operator {
  readonly #source: ElementSource;
  readonly #run: Run;
  readonly #stage: string;
  readonly #origin: Origin | undefined;
  #steps: Steps | undefined;
  #given = 0;
  #ended = false;
  /** True while a step is pending. */
  #pending = false;
  #closed: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(source: ElementSource, run: Run, stage: string, origin: Origin | undefined) {
    this.#source = source;
    this.#run = run;
    this.#stage = stage;
    this.#origin = origin;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const at = this.#given;
    const values: unknown[] = [];
    try {
      while (!this.#ended && values.length < max) {
        const step = (this.#steps ??= this.#open()).next();
        // Like `for await`, which awaits the values of a sync iterator, too.
        const coming = isThenable(step) ? step : isThenable(step.value) ? valueOf(step) : undefined;
        this.#pending = coming !== undefined;
        const result = coming === undefined ? (step as IteratorResult<unknown>) : await coming;
        this.#pending = false;
        if (result.done === true) this.#ended = true;
        else values.push(result.value);
        // A value that has to be waited for is handed on as it comes.
        if (coming !== undefined || this.#run.scope.due) break;
      }
    } catch (cause) {
      this.#ended = true;
      this.#failure = { error: userError(this.#stage, this.#origin, cause) };
      if (values.length === 0) throw this.#failure.error;
    }
    this.#given += values.length;
    return values.length === 0 ? undefined : { elements: new ArrayElements(values), mark: [at, 0] };
  }

  /** Ends an iterator that has not ended. Does not wait for a pending step, which may never settle. */
  close(): Promise<void> {
    return (this.#closed ??= this.#return());
  }

  async #return(): Promise<void> {
    const over = this.#ended;
    this.#ended = true;
    if (over || this.#steps === undefined) return;
    try {
      const returned = Promise.resolve(this.#steps.return?.());
      // An async generator resolves `return` only after a pending `next`, which may never settle.
      if (this.#pending) returned.catch(() => undefined);
      else await returned;
    } catch {
      // An error of `return` after an early end does not affect the elements.
    }
  }

  #open(): Steps {
    const source = typeof this.#source === 'function' ? this.#source() : this.#source;
    if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
    return source[Symbol.iterator]();
  }
}

async function valueOf({ done, value }: IteratorResult<unknown>): Promise<IteratorResult<unknown>> {
  return { done: done === true, value: await value };
}
