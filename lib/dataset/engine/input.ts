import { ArrayElements, type Elements, type Part } from './elements';
import { behind, type Mark, type Operator } from './operator';
import type { Scope } from './scope';
import { meanBytesOf } from './sizes';
import { Store } from './store';

/** Request size until sizes are known. */
const FIRST_ELEMENTS = 64;
const NOTHING: Elements = new ArrayElements([]);

/** The input of a stage: the chunk in hand, and how far it was used. */
export class Input {
  readonly #operator: Operator;
  readonly #scope: Scope;
  /** The mark of the first element of `elements`. */
  #mark: Mark;
  #ended = false;
  /** Elements to ask for at a time: as many as were found to go into a chunk. */
  #most = FIRST_ELEMENTS;
  elements = NOTHING;
  /** The next element of `elements`. */
  index = 0;

  /** @param from the position at which `operator` was opened */
  constructor(operator: Operator, scope: Scope, from: Mark) {
    this.#operator = operator;
    this.#scope = scope;
    this.#mark = from;
  }

  /** True if an element is at hand. */
  get ready(): boolean {
    return this.index < this.elements.length;
  }

  /** Loads a chunk of up to `max` elements if none is at hand. False at the end. */
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
    return behind(this.#mark, this.index);
  }

  /** Takes up to `max` of the elements in hand, of which there is one or more. */
  take(max: number): Elements {
    const { elements, begin, end } = this.takePart(max);
    return elements.slice(begin, end);
  }

  /** The same, as a part of `elements`. */
  takePart(max: number): Part {
    const { elements, index: begin } = this;
    this.index = Math.min(elements.length, begin + max);
    return { elements, begin, end: this.index };
  }

  close(): Promise<void> {
    return this.#operator.close();
  }
}

/** Elements of an input, in order, and the error that ended them early. */
export interface Gathered {
  readonly elements: Elements;
  readonly failure: { readonly error: unknown } | undefined;
}

/** The next `count` elements of `input`; fewer at its end, and before an error. */
export async function gather(input: Input, count: number): Promise<Gathered> {
  const parts: Part[] = [];
  let left = count;
  let failure: Gathered['failure'];
  try {
    while (left > 0 && (await input.load(left))) {
      const part = input.takePart(left);
      parts.push(part);
      left -= part.end - part.begin;
    }
  } catch (error) {
    failure = { error };
  }
  return { elements: joined(parts), failure };
}

/** The elements of `parts`, one behind the other. */
export function joined(parts: readonly Part[]): Elements {
  const [first] = parts;
  if (first === undefined) return new ArrayElements([]);
  if (parts.length === 1) return first.elements.slice(first.begin, first.end);
  const store = new Store(parts.reduce((sum, { begin, end }) => sum + end - begin, 0));
  for (const { elements, begin, end } of parts) for (let i = begin; i < end; i++) store.push(elements, i);
  return store.take();
}

/** The input of a stage that reads several side by side: knows whether an element is in hand, and shares a load. */
export class PartInput extends Input {
  /** Its end was met. */
  ended = false;
  #loading: Promise<boolean> | undefined;

  /**
   * As {@link Input.load}, but may be called again while a load is under way. An error of the part stays until the next
   * call, so a rejection may be left unhandled.
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
