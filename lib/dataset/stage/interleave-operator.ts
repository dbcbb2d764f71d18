import { meanBytesOf } from '../core/bytes-of';
import type { Input } from '../core/input';
import { START, type Chunk, type Mark, type Operator } from '../core/operator';
import type { Scope } from '../core/scope';
import { Store } from '../core/store';

/** How an interleave was asked for. */
export interface InterleaveOptions {
  readonly cycleLength: number;
  readonly blockLength: number;
  /** Inputs that are opened ahead. */
  readonly prefetch: number;
  /** Whether each waits for its turn. */
  readonly ordered: boolean;
}

/**
 * Where an interleave stands: the oldest input that is in a slot, or comes next, and its number; the number of the next;
 * the slot that is visited, and how many elements of its block were taken; the slots, each the number of its input and the
 * place in it, or null.
 */
export type InterleavePlace = readonly [
  oldest: Mark,
  first: number,
  next: number,
  visit: number,
  taken: number,
  slots: readonly (readonly [number: number, mark: Mark] | null)[],
];

/** What an interleave works with. */
export interface Holder {
  readonly scope: Scope;
  readonly input: Input;
  /** The dataset of input `value`, number `index`, from `mark` on. @throws what the user's function did */
  open(value: unknown, index: number, mark: Mark): Input;
}

/** A dataset that is read, or will be next. */
interface Slot {
  readonly index: number;
  /** Where its input lies. */
  readonly source: Mark;
  readonly elements: Input;
  /** Bytes of what was loaded last. */
  held: number;
  /** The load under way. */
  loading: Promise<boolean> | undefined;
}

export class InterleaveOperator implements Operator {
  readonly #holder: Holder;
  readonly #options: InterleaveOptions;
  readonly #slots: (Slot | undefined)[];
  /** Opened ahead, in order. */
  readonly #upcoming: Slot[] = [];
  #active = 0;
  /** Number of the next input to be opened. */
  #next: number;
  #inputEnded = false;
  #closed = false;
  #visit: number;
  #taken: number;
  #place: InterleavePlace | null;
  #failure: { readonly error: unknown } | undefined;
  /** Bytes that were loaded at a time, about. */
  #each = 0;

  constructor(holder: Holder, options: InterleaveOptions, place: InterleavePlace | null) {
    this.#holder = holder;
    this.#options = options;
    this.#slots = new Array<Slot | undefined>(options.cycleLength).fill(undefined);
    this.#place = place;
    this.#next = place?.[1] ?? 0;
    this.#visit = place?.[3] ?? 0;
    this.#taken = place?.[4] ?? 0;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#place !== null) await this.#restore(this.#place);
    // Its input is known before the mark is made, which begins with it.
    if (this.#active === 0 && this.#upcoming.length === 0 && !(await this.#openNext())) return undefined;
    const mark: Mark = [this.#placeNow(), 0];
    const drawn = new Store(max);
    try {
      while (drawn.length < max && !this.#holder.scope.closed) {
        const slot = this.#slots[this.#visit];
        if (slot === undefined) {
          if (!(await this.#fillSlot())) break;
        } else if (slot.elements.index < slot.elements.column.length) {
          this.#draw(slot.elements, drawn, max);
        } else if (!(await this.#load(slot, drawn.length > 0))) {
          break;
        }
      }
    } catch (error) {
      if (drawn.length === 0) throw error;
      this.#failure = { error };
    }
    return drawn.length === 0 ? undefined : { column: drawn.take(), mark };
  }

  async close(): Promise<void> {
    this.#inputEnded = true;
    const slots = [...this.#slots, ...this.#upcoming];
    for (const slot of slots) if (slot !== undefined) this.#hold(slot, 0);
    this.#closed = true;
    await Promise.all([this.#holder.input.close(), ...slots.map((slot) => slot?.elements.close())]);
  }

  /** Takes of the slot in turn what its block and `max` allow. */
  #draw(elements: Input, drawn: Store, max: number): void {
    const { column } = elements;
    const wanted = Math.min(this.#options.blockLength - this.#taken, max - drawn.length);
    const end = Math.min(column.length, elements.index + wanted);
    this.#taken += end - elements.index;
    for (; elements.index < end; elements.index++) drawn.push(column, elements.index);
    if (this.#taken === this.#options.blockLength) this.#turn();
  }

  #turn(): void {
    this.#taken = 0;
    this.#visit = (this.#visit + 1) % this.#slots.length;
  }

  /** False where that would keep elements waiting that were drawn. */
  async #load(slot: Slot, drawn: boolean): Promise<boolean> {
    const loading = this.#startLoading(slot);
    if (drawn && !(await this.#holder.scope.settlesSoon(loading))) return false;
    slot.loading = undefined;
    if (await loading) return true;
    this.#hold(slot, 0);
    await slot.elements.close();
    this.#slots[this.#visit] = undefined;
    this.#active--;
    this.#turn();
    return true;
  }

  /** Gives the slot in turn the next input, or passes it over. False where all is over. */
  async #fillSlot(): Promise<boolean> {
    if (this.#upcoming.length === 0) await this.#openNext();
    const slot = this.#upcoming.shift();
    if (slot !== undefined) {
      this.#slots[this.#visit] = slot;
      this.#active++;
      await this.#openAhead();
      return true;
    }
    this.#turn();
    return this.#active > 0;
  }

  /** Once all slots are taken, the datasets of the inputs behind are opened, and begin to be read, as far as there is room. */
  async #openAhead(): Promise<void> {
    if (this.#active < this.#slots.length) return;
    const { budget } = this.#holder.scope;
    while (this.#upcoming.length < this.#options.prefetch && budget.room >= this.#each && (await this.#openNext()));
  }

  async #openNext(): Promise<boolean> {
    const { input } = this.#holder;
    if (this.#inputEnded || !(await input.load(1))) {
      this.#inputEnded = true;
      return false;
    }
    const source = input.mark;
    const value = input.column.at(input.index++);
    this.#upcoming.push(this.#opened(value, source, START));
    return true;
  }

  #opened(value: unknown, source: Mark, mark: Mark): Slot {
    const index = this.#next++;
    const slot: Slot = { index, source, elements: this.#holder.open(value, index, mark), held: 0, loading: undefined };
    this.#hold(slot, this.#each);
    void this.#startLoading(slot);
    return slot;
  }

  #placeNow(): InterleavePlace {
    const [ahead] = this.#upcoming;
    let oldest = ahead?.source ?? this.#holder.input.mark;
    let first = ahead?.index ?? this.#next;
    const next = first;
    for (const slot of this.#slots) {
      if (slot === undefined || slot.index > first) continue;
      oldest = slot.source;
      first = slot.index;
    }
    const slots = this.#slots.map((slot) => (slot === undefined ? null : ([slot.index, slot.elements.mark] as const)));
    return [oldest, first, next, this.#visit, this.#taken, slots];
  }

  /** Opens the inputs that were in slots, and passes over those that were used up. */
  async #restore([, , next, , , slots]: InterleavePlace): Promise<void> {
    const { input } = this.#holder;
    this.#place = null;
    while (this.#next < next && (await input.load(next - this.#next))) {
      const at = slots.findIndex((slot) => slot?.[0] === this.#next);
      const source = input.mark;
      const value = input.column.at(input.index++);
      if (at < 0) {
        this.#next++;
      } else {
        this.#slots[at] = this.#opened(value, source, slots[at]?.[1] as Mark);
        this.#active++;
      }
    }
  }

  /** The next chunk of a slot, awaited once: an error stays until it is its turn. */
  #startLoading(slot: Slot): Promise<boolean> {
    if (slot.loading === undefined) {
      slot.loading = slot.elements.load(Infinity);
      slot.loading.then(
        () => this.#weigh(slot),
        () => undefined,
      );
    }
    return slot.loading;
  }

  #weigh(slot: Slot): void {
    if (this.#closed) return;
    const { column } = slot.elements;
    this.#each = column.length === 0 ? 0 : column.length * meanBytesOf(column);
    this.#hold(slot, this.#each);
  }

  /** `slot` has `bytes` in hand. */
  #hold(slot: Slot, bytes: number): void {
    this.#holder.scope.budget.hold(bytes - slot.held);
    slot.held = bytes;
  }
}
