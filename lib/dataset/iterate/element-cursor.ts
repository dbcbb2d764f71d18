import { Pace, type Origin } from '../../base';
import { BatchMemory } from '../../example';
import { type MemoryPool } from '../../io';
import { StepQueue } from '../../record';
import { ArrayElements, type Elements } from '../engine/elements';
import { markAfter, type Chunk, type Mark } from '../engine/operator';
import { endOfRaw, RAW } from '../engine/record-forms';
import { NeighbourRecords } from '../engine/records';
import { explainStages } from './graph';
import type { Iteration } from './iteration';

const NONE: readonly unknown[] = [];

/** The position of an iterator: the loaded chunk, and the steps that wait for more. */
export class ElementCursor {
  readonly iteration: Iteration;
  #chunk: Chunk | undefined;
  #elements: Elements | undefined;
  #index = 0;
  #length = 0;
  /** `take` returns elements before this index without checking the clock or the queue. */
  #limit = 0;
  /** Number of elements returned from earlier chunks. */
  #before = 0;
  /** Pool for the memory of transient batches. */
  readonly #memory: MemoryPool | undefined;
  /** True after `close`. */
  #closed = false;
  /** The elements of the last step. */
  #lent: readonly unknown[] = NONE;
  readonly #steps = new StepQueue();
  readonly #pace = new Pace();

  constructor(iteration: Iteration) {
    this.iteration = iteration;
    const { memory, transient } = iteration.scope;
    this.#memory = transient ? memory : undefined;
    iteration.onClosed = () => {
      this.#limit = this.#length = 0;
    };
  }

  /** Number of elements that this iterator returned so far. */
  get given(): number {
    return this.#before + this.#index;
  }

  /** The fields that `inspect` prints for an iterator. */
  get shown(): object {
    const { plan, phase } = this.iteration;
    return { stages: explainStages(plan.stage).join(' > '), state: phase, elements: this.given };
  }

  /** The mark after the last element. */
  get mark(): Mark {
    return this.#chunk === undefined ? this.iteration.plan.from : markAfter(this.#chunk.mark, this.#index);
  }

  /** Origins of the records of the last element. */
  get origins(): readonly Origin[] {
    return this.#index === 0 ? [] : (this.#elements?.origins.all(this.#index - 1) ?? []);
  }

  /** Closes the iteration. The position and origins of the last element stay. */
  close(): Promise<void> {
    this.#closed = true;
    return this.iteration.close();
  }

  /** Returns the next element to `owner`, the iterator. Calls resolve in order. */
  next<T>(owner: object): Promise<IteratorResult<T, undefined>> {
    if (this.#index < this.#limit) {
      try {
        this.#giveBack();
        return Promise.resolve({ value: this.#noted(this.#take()) as T, done: false });
      } catch {
        // `#find` meets the same error, and rejects.
      }
    }
    return this.#inTurn(owner, () => this.#find<T>());
  }

  /** Returns the elements that are ready, at least one and at most `max`; undefined at the end. */
  nextValues<T>(owner: object, max: number): Promise<readonly T[] | undefined> {
    return this.#inTurn(owner, async () => {
      this.#giveBack();
      if (this.#index >= this.#length && !(await this.#load())) return undefined;
      await this.iteration.scope.breathe();
      const elements = this.#elements;
      // `close()` cleared it.
      if (this.#index >= this.#length) return undefined;
      if (elements instanceof ArrayElements) {
        const begin = this.#index;
        this.#index = Math.min(this.#length, begin + max);
        // A copy, because other stages may share the elements.
        const given = elements.values.slice(begin, this.#index);
        if (this.#memory !== undefined) this.#lent = given.slice();
        return given as T[];
      }
      const values: T[] = [];
      try {
        while (this.#index < this.#length && values.length < max) values.push(this.#take() as T);
      } catch (error) {
        // The next step meets the same error after those elements.
        if (values.length === 0) return this.#fail(error);
      }
      return values.length === 0 ? undefined : values;
    });
  }

  /**
   * Returns the elements that are ready, as stages hand them over; undefined at the end. For a cursor without memory.
   */
  nextElements(owner: object): Promise<Elements | undefined> {
    return this.#inTurn(owner, async () => {
      if (this.#index >= this.#length && !(await this.#load())) return undefined;
      await this.iteration.scope.breathe();
      // `close()` cleared it.
      if (this.#index >= this.#length) return undefined;
      const elements = this.#elements!.slice(this.#index, this.#length);
      this.#index = this.#length;
      return elements;
    });
  }

  /** Runs `step` after earlier steps have ended. */
  #inTurn<R>(owner: object, step: () => Promise<R>): Promise<R> {
    this.#limit = 0;
    return this.#steps.run(owner, step, () => this.#setLimit());
  }

  async #find<T>(): Promise<IteratorResult<T, undefined>> {
    this.#giveBack();
    while (this.#index < this.#length || (await this.#load())) {
      await this.#pace.look(this.given, () => this.iteration.scope.breathe());
      // `close()` cleared it.
      if (this.#index >= this.#length) continue;
      try {
        return { value: this.#noted(this.#take()) as T, done: false };
      } catch (error) {
        return this.#fail(error);
      }
    }
    return { value: undefined, done: true };
  }

  async #fail(error: unknown): Promise<never> {
    await this.close().catch(() => undefined);
    throw error;
  }

  #take(): unknown {
    const value = this.#elements!.at(this.#index);
    this.#index++;
    return value;
  }

  /** Remembers the element of this step, whose memory the next step may reuse. Returns it. */
  #noted(value: unknown): unknown {
    if (this.#memory !== undefined) this.#lent = [value];
    return value;
  }

  #giveBack(): void {
    if (this.#memory === undefined || this.#closed) return;
    const lent = this.#lent;
    this.#lent = NONE;
    for (const value of lent) {
      BatchMemory.endOf(value, this.#memory);
      endOfRaw(value, this.#memory);
    }
  }

  async #load(): Promise<boolean> {
    const chunk = await this.iteration.next();
    if (chunk === undefined || this.iteration.closed) return false;
    try {
      this.#show(chunk.elements);
    } catch (error) {
      return this.#fail(error);
    }
    this.#before += this.#index;
    this.#index = 0;
    this.#chunk = chunk;
    this.#elements = chunk.elements;
    this.#length = chunk.elements.length;
    return true;
  }

  /** Overwrites the records of the chunk before with those of `elements`, if records are valid until the next step only. */
  #show(elements: Elements): void {
    const { shown } = this.iteration.scope;
    if (shown !== undefined && elements instanceof NeighbourRecords && elements.form === RAW)
      elements.slab().show(shown);
  }

  #setLimit(): void {
    this.#limit = this.#steps.idle ? Math.min(this.#length, this.#index + this.#pace.budget) : 0;
  }
}
