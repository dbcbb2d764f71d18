import type { Input } from '../../engine/input';
import { START, type Chunk, type Mark, type Operator } from '../../engine/operator';
import { meanBytesOf } from '../../engine/sizes';
import { checkRestored, Turn, type Holder, type InterleavePosition, type InterleaveSettings } from './interleaving';

/** A dataset that is being read. */
interface Slot {
  readonly index: number;
  /** Position of its input. */
  readonly source: Mark;
  readonly input: Input;
  /** If it waits for a descriptor, its turn begins when another dataset ends. */
  readonly turn: Turn;
  /** Bytes of its loaded elements. */
  held: number;
  failure: { readonly error: unknown } | undefined;
}

/**
 * Yields the elements of `cycleLength` datasets in the order in which they are ready. Its place has the form of an
 * ordered interleave's, with the number of the next dataset as the visited slot.
 */
export class UnorderedInterleaveOperator implements Operator {
  readonly #holder: Holder;
  readonly #settings: InterleaveSettings;
  /** The open slots, by number, the oldest first. */
  readonly #slots = new Map<number, Slot>();
  /** Slots with loaded elements, or that have ended: the one that has waited longest first. */
  readonly #ready: Slot[] = [];
  #next: number;
  readonly #place: InterleavePosition | null;
  /** Number of elements of the visited dataset that must be yielded before those of others. */
  #left: number;
  #opening: Promise<void> | undefined;
  #inputEnded = false;
  #restored = false;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;
  /** True if no open dataset can yield elements before descriptors are free. */
  #stuck = false;
  #wake = (): void => undefined;

  /** @param skip number of elements after `place` to skip, in the visited dataset */
  constructor(holder: Holder, settings: InterleaveSettings, place: InterleavePosition | null, skip: number) {
    this.#holder = holder;
    this.#settings = settings;
    this.#place = place;
    this.#next = place?.[1] ?? 0;
    this.#left = skip;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#place !== null && !this.#restored) await this.#restore(this.#place);
    for (;;) {
      await this.#fill();
      if (this.#closed) return undefined;
      const slot = this.#pick();
      if (slot !== undefined) {
        const chunk = await this.#take(slot, max);
        if (chunk !== undefined) return chunk;
      } else if (this.#failure !== undefined) {
        throw this.#failure.error;
      } else if (this.#slots.size > 0 || this.#opening !== undefined) {
        if (this.#opening === undefined) this.#freeStuck();
        await new Promise<void>((resolve) => (this.#wake = resolve));
      } else if (this.#inputEnded) {
        return undefined;
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#inputEnded = true;
    for (const slot of this.#slots.values()) this.#hold(slot, 0);
    this.#wake();
    const slots = [...this.#slots.values()];
    const closing = slots.map(({ input }) => input.close());
    for (const { turn } of slots) turn.end();
    await Promise.all([this.#holder.input.close(), ...closing]);
  }

  /**
   * Waits, for a dataset for which no descriptor was free, until another dataset ends. False if no other dataset can
   * yield elements meanwhile.
   */
  async #again(turn: Turn): Promise<boolean> {
    const waiting = turn.wait();
    this.#wake();
    await waiting;
    turn.leave();
    if (this.#closed || !this.#stuck) return !this.#closed;
    return (await this.#holder.again?.()) ?? false;
  }

  /** Lets inputs that wait for descriptors continue, if no other input has elements. */
  #freeStuck(): void {
    const all = [...this.#slots.values()];
    const slots = this.#left === 0 ? all : all.filter(({ index }) => index === this.#place?.[3]);
    this.#stuck = slots.every(({ turn }) => turn.awaited);
    if (this.#stuck) for (const { turn } of slots) turn.begin();
  }

  /** Called when a dataset has ended: its descriptors go to the dataset that has waited longest. */
  #passDescriptors(): void {
    this.#stuck = false;
    for (const { turn } of this.#slots.values()) {
      if (!turn.awaited) continue;
      turn.begin();
      return;
    }
  }

  /** Opens datasets while slots are free. Waits for the input only if there is nothing else to wait for. */
  async #fill(): Promise<void> {
    while (this.#slots.size < this.#settings.cycleLength && !this.#inputEnded && this.#failure === undefined) {
      // New datasets would use the descriptors that others wait for.
      if (this.#slotWaits()) return;
      this.#opening ??= this.#openNext();
      const opening = this.#opening;
      if (this.#slots.size === 0) await opening;
      else if (!(await this.#holder.scope.settlesSoon(opening))) return;
    }
  }

  #slotWaits(): boolean {
    for (const { turn } of this.#slots.values()) if (turn.awaited) return true;
    return false;
  }

  async #openNext(): Promise<void> {
    const { input } = this.#holder;
    try {
      if (await input.load(1)) {
        const source = input.mark;
        this.#open(input.elements.at(input.index++), source, START);
      } else {
        this.#inputEnded = true;
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#opening = undefined;
    this.#wake();
  }

  #open(value: unknown, source: Mark, mark: Mark): void {
    if (this.#closed) return;
    const index = this.#next++;
    const turn = new Turn();
    const input = this.#holder.open(value, index, mark, () => this.#again(turn));
    const slot: Slot = { index, source, input, turn, held: 0, failure: undefined };
    this.#slots.set(index, slot);
    this.#load(slot);
  }

  #load(slot: Slot): void {
    const { input } = slot;
    const loaded = (failure?: { readonly error: unknown }): void => {
      slot.failure = failure;
      const { elements, index } = input;
      if (!this.#closed && index < elements.length) this.#hold(slot, elements.length * meanBytesOf(elements));
      this.#ready.push(slot);
      this.#wake();
    };
    input.load(Infinity).then(
      () => loaded(),
      (error: unknown) => loaded({ error }),
    );
  }

  /** Returns the slot whose turn it is; undefined if no slot is ready, or not the one that must be first. */
  #pick(): Slot | undefined {
    if (this.#left > 0 && !this.#slots.has(this.#place?.[3] ?? -1)) this.#left = 0;
    if (this.#left === 0) return this.#ready.shift();
    const at = this.#ready.findIndex(({ index }) => index === this.#place?.[3]);
    return at < 0 ? undefined : this.#ready.splice(at, 1)[0];
  }

  async #take(slot: Slot, max: number): Promise<Chunk | undefined> {
    const { input, failure } = slot;
    if (!input.ready) {
      this.#left = 0;
      this.#hold(slot, 0);
      this.#slots.delete(slot.index);
      // Elements of other slots are yielded before an error.
      if (failure !== undefined) this.#failure ??= failure;
      const closing = input.close();
      slot.turn.end();
      await closing;
      this.#passDescriptors();
      return undefined;
    }
    const mark: Mark = [this.#placeNow(slot), 0];
    const elements = input.take(this.#left === 0 ? max : Math.min(max, this.#left));
    this.#left = Math.max(0, this.#left - elements.length);
    if (input.ready) this.#ready.push(slot);
    else if (this.#failure === undefined) this.#load(slot);
    return { elements, mark };
  }

  #placeNow(visited: Slot): InterleavePosition {
    const [oldest] = this.#slots.values();
    const slots = Array.from(this.#slots.values(), ({ index, input }) => [index, input.mark] as const);
    return [
      oldest?.source ?? this.#holder.input.mark,
      oldest?.index ?? this.#next,
      this.#next,
      visited.index,
      0,
      slots,
    ];
  }

  /** Opens the inputs that were open, and skips those that had ended. */
  async #restore([, , next, , , slots]: InterleavePosition): Promise<void> {
    const { input } = this.#holder;
    this.#restored = true;
    const marks = new Map(slots.filter((slot) => slot !== null));
    while (this.#next < next && (await input.load(next - this.#next))) {
      const source = input.mark;
      const value = input.elements.at(input.index++);
      const mark = marks.get(this.#next);
      if (mark === undefined) this.#next++;
      else this.#open(value, source, mark);
    }
    if (!this.#closed) checkRestored(this.#holder, next - this.#next);
  }

  /** Sets the bytes that `slot` holds. */
  #hold(slot: Slot, bytes: number): void {
    this.#holder.scope.budget.hold(bytes - slot.held);
    slot.held = bytes;
  }
}
