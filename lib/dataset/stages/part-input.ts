import { Input } from '../engine/input';
import type { Mark, Operator } from '../engine/operator';
import type { Run } from '../engine/run';

/** A dataset that is a part of another, at work. */
export class PartInput {
  readonly elements: Input;
  /** Its end was met. */
  ended = false;
  #loading: Promise<boolean> | undefined;

  /** `from`: where `operator` was opened. */
  constructor(operator: Operator, run: Run, from: Mark) {
    this.elements = new Input(operator, run.scope, from);
  }

  /** Whether an element is in hand. */
  get ready(): boolean {
    return this.elements.index < this.elements.column.length;
  }

  /**
   * Whether an element is in hand, after waiting for a chunk of up to `max`. May be called again while it waits. Rejects as
   * the part does, and nobody need listen: an error stays until it is asked for.
   */
  load(max: number): Promise<boolean> {
    if (this.#loading === undefined) {
      this.#loading = this.#load(max);
      this.#loading.catch(() => undefined);
    }
    return this.#loading;
  }

  async #load(max: number): Promise<boolean> {
    const loaded = await this.elements.load(max);
    this.#loading = undefined;
    if (!loaded) this.ended = true;
    return loaded;
  }
}
