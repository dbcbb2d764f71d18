import type { Input } from '../../engine/input';
import { START, type Chunk, type Mark, type Operator } from '../../engine/operator';
import { meanBytesOf } from '../../engine/sizes';
import { checkRestored, Turn, type Holder, type InterleavePlace, type InterleaveSettings } from './interleaving';

/** A dataset that is read. */
interface Slot {
  readonly index: number;
  /** Position of its input. */
  readonly source: Mark;
  readonly input: Input;
  /** Its turn, where it waits for a descriptor, is when another dataset ends. */
  readonly turn: Turn;
  /** Bytes of the elements in hand. */
  held: number;
  failure: { readonly error: unknown } | undefined;
}

/**
 * Gives the elements of `cycleLength` datasets as they come: of whichever has some. Its place is that of an interleave in
 * order, with the number of the dataset that comes next as the visited slot.
 */
export class UnorderedInterleaveOperator implements Operator {
  readonly #holder: Holder;
  readonly #settings: InterleaveSettings;
  /** All that are open, by number; the oldest first. */
  readonly #slots = new Map<number, Slot>();
  /** Slots that have elements in hand, or have ended: the one that waits longest first. */
  readonly #ready: Slot[] = [];
  #next: number;
  readonly #place: InterleavePlace | null;
  /** Elements of the dataset visited that have to come before those of others. */
  #left: number;
  #opening: Promise<void> | undefined;
  #inputEnded = false;
  #restored = false;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;
  /** Nothing comes of any dataset that is open before there are descriptors. */
  #stuck = false;
  #wake = (): void => undefined;

  /** @param skip elements behind `place` that are passed over: of the dataset visited */
  constructor(holder: Holder, settings: InterleaveSettings, place: InterleavePlace | null, skip: number) {
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
   * There was no descriptor for a file of the dataset that has `turn`. It waits until another dataset ends. False where
   * there is none that gives anything meanwhile.
   */
  async #again(turn: Turn): Promise<boolean> {
    const waiting = turn.wait();
    this.#wake();
    await waiting;
    turn.leave();
    if (this.#closed || !this.#stuck) return !this.#closed;
    return (await this.#holder.again?.()) ?? false;
  }

  /** Lets inputs that wait for descriptors go on, if no other input has elements before them. */
  #freeStuck(): void {
    const all = [...this.#slots.values()];
    const slots = this.#left === 0 ? all : all.filter(({ index }) => index === this.#place?.[3]);
    this.#stuck = slots.every(({ turn }) => turn.awaited);
    if (this.#stuck) for (const { turn } of slots) turn.begin();
  }

  /** A dataset has ended: lets the one that waits longest for descriptors have its own. */
  #passDescriptors(): void {
    this.#stuck = false;
    for (const { turn } of this.#slots.values()) {
      if (!turn.awaited) continue;
      turn.begin();
      return;
    }
  }

  /** Opens datasets while slots are free, without waiting for the input where there is something else to wait for. */
  async #fill(): Promise<void> {
    while (this.#slots.size < this.#settings.cycleLength && !this.#inputEnded && this.#failure === undefined) {
      // They would take the descriptors that others wait for.
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

  /** The slot whose turn it is; undefined where none has anything, or not the one that has to come first. */
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
      // Elements of other slots come before an error.
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

  #placeNow(visited: Slot): InterleavePlace {
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

  /** Opens the inputs that were open, and passes over those that were used up. */
  async #restore([, , next, , , slots]: InterleavePlace): Promise<void> {
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

  /** `slot` has `bytes` in hand. */
  #hold(slot: Slot, bytes: number): void {
    this.#holder.scope.budget.hold(bytes - slot.held);
    slot.held = bytes;
  }
}
