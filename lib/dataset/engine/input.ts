import { meanBytesOf } from './bytes-of';
import { ArrayColumn, type Column, type Part } from './column';
import { behind, type Mark, type Operator } from './operator';
import type { Scope } from './scope';

/** Asked for while nobody knows how large they are. */
const FIRST_ELEMENTS = 64;
const NOTHING: Column = new ArrayColumn([]);

/** What a stage reads from: the chunk in hand, and how far it was used. */
export class Input {
  readonly #operator: Operator;
  readonly #scope: Scope;
  /** Of the first element of `column`. */
  #mark: Mark;
  #ended = false;
  /** Elements to ask for at a time: as many as were found to go into a chunk. */
  #most = FIRST_ELEMENTS;
  column = NOTHING;
  /** The next element of `column`. */
  index = 0;

  /** `from`: where `operator` was opened. */
  constructor(operator: Operator, scope: Scope, from: Mark) {
    this.#operator = operator;
    this.#scope = scope;
    this.#mark = from;
  }

  /** Whether an element is in hand, loading a chunk of up to `max` where there is none. False at the end. */
  async load(max: number): Promise<boolean> {
    while (this.index >= this.column.length) {
      if (this.#ended || this.#scope.closed) return false;
      await this.#scope.breathe();
      const chunk = await this.#operator.next(Math.min(max, this.#scope.inputElements, this.#most));
      if (chunk === undefined || this.#scope.closed) {
        this.#ended = true;
        return false;
      }
      this.#most = this.#scope.budget.chunkOf(meanBytesOf(chunk.column));
      this.#mark = chunk.mark;
      this.column = chunk.column;
      this.index = 0;
    }
    return true;
  }

  /** Where the next element lies. */
  get mark(): Mark {
    return behind(this.#mark, this.index);
  }

  /** Of the elements in hand, of which there is one or more, up to `max`; they are used then. */
  take(max: number): Column {
    const { column, begin, end } = this.takePart(max);
    return column.slice(begin, end);
  }

  /** The same, as a part of `column`. */
  takePart(max: number): Part {
    const { column, index: begin } = this;
    this.index = Math.min(column.length, begin + max);
    return { column, begin, end: this.index };
  }

  close(): Promise<void> {
    return this.#operator.close();
  }
}
