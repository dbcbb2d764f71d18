import { ArrayElements, type Elements, type ElementRange } from './elements';
import { markAfter, type Mark, type Operator } from './operator';
import type { Scope } from './scope';
import { meanBytesOf } from './sizes';
import { Store } from './store';

/** Request size until sizes are known. */
const FIRST_ELEMENTS = 64;
const NOTHING: Elements = new ArrayElements([]);

/** The input of a stage: the loaded chunk, and the position in it. */
export class Input {
  readonly #operator: Operator;
  readonly #scope: Scope;
  /** The mark of the first element of `elements`. */
  #mark: Mark;
  #ended = false;
  /** Number of elements to request at a time: as many as fit into a chunk by their size. */
  #most = FIRST_ELEMENTS;
  elements = NOTHING;
  /** Index of the next element in `elements`. */
  index = 0;

  /** @param from the position at which `operator` was opened */
  constructor(operator: Operator, scope: Scope, from: Mark) {
    this.#operator = operator;
    this.#scope = scope;
    this.#mark = from;
  }

  /** True if an element is loaded. */
  get ready(): boolean {
    return this.index < this.elements.length;
  }

  /** Loads a chunk of up to `max` elements if no element is loaded. Returns false at the end. */
  async load(max: number): Promise<boolean> {
    while (!this.ready) {
      if (this.#ended || this.#scope.closed) return false;
      await this.#scope.breathe();
      const chunk = await this.#operator.next(Math.min(max, this.#scope.inputElements, this.#most));
      if (chunk === undefined || this.#scope.closed) {
        this.#ended = true;
        return false;
      }
      this.#most = this.#scope.budget.chunkOf(meanBytesOf(chunk.elements));
      this.#mark = chunk.mark;
      this.elements = chunk.elements;
      this.index = 0;
    }
    return true;
  }

  /** Position of the next element. */
  get mark(): Mark {
    return markAfter(this.#mark, this.index);
  }

  /** Takes up to `max` of the loaded elements. Requires `ready`. */
  take(max: number): Elements {
    const { elements, begin, end } = this.takeRange(max);
    return elements.slice(begin, end);
  }

  /** Like {@link take}, as a range of `elements`. */
  takeRange(max: number): ElementRange {
    const { elements, index: begin } = this;
    this.index = Math.min(elements.length, begin + max);
    return { elements, begin, end: this.index };
  }

  close(): Promise<void> {
    return this.#operator.close();
  }
}

/** Elements of an input, in order, and the error that ended the input early, if any. */
export interface Gathered {
  readonly elements: Elements;
  readonly failure: { readonly error: unknown } | undefined;
}

/** Reads the next `count` elements of `input`; fewer at its end, and before an error. */
export async function gather(input: Input, count: number): Promise<Gathered> {
  const parts: ElementRange[] = [];
  let left = count;
  let failure: Gathered['failure'];
  try {
    while (left > 0 && (await input.load(left))) {
      const part = input.takeRange(left);
      parts.push(part);
      left -= part.end - part.begin;
    }
  } catch (error) {
    failure = { error };
  }
  return { elements: joined(parts), failure };
}

/** Concatenates the elements of `parts`. */
export function joined(parts: readonly ElementRange[]): Elements {
  const [first] = parts;
  if (first === undefined) return new ArrayElements([]);
  if (parts.length === 1) return first.elements.slice(first.begin, first.end);
  const store = new Store(parts.reduce((sum, { begin, end }) => sum + end - begin, 0));
  for (const { elements, begin, end } of parts) for (let i = begin; i < end; i++) store.push(elements, i);
  return store.take();
}

/** One of several inputs that a stage reads side by side. Concurrent calls of `load` share one load. */
export class PartInput extends Input {
  /** True after the end was reached. */
  ended = false;
  #loading: Promise<boolean> | undefined;

  /**
   * Like {@link Input.load}, but may be called again while a load is under way. An error stays for the next call, so a
   * caller need not handle a rejection.
   */
  override load(max: number): Promise<boolean> {
    if (this.#loading === undefined) {
      this.#loading = this.#load(max);
      this.#loading.catch(() => undefined);
    }
    return this.#loading;
  }

  async #load(max: number): Promise<boolean> {
    const loaded = await super.load(max);
    this.#loading = undefined;
    if (!loaded) this.ended = true;
    return loaded;
  }
}
