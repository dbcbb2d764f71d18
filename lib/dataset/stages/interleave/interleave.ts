import { checkBoolean, checkInteger, checkOptions, invalidArgType } from '../../../base';
import { forgetAhead, noteAhead, type OpensAhead } from '../../../io';
import { checkFunction } from '../../arguments';
import { userError } from '../../engine/errors';
import { functionText } from '../../engine/fingerprint';
import { Input } from '../../engine/input';
import { named, optionText, type Label } from '../../engine/labels';
import { skipping, START, type Chunk, type Json, type Mark, type Operator } from '../../engine/operator';
import { drawKey, stagePath, type Run } from '../../engine/run';
import { meanBytesOf } from '../../engine/sizes';
import { openNested, Stage } from '../../engine/stage';
import { Store } from '../../engine/store';
import {
  checkRestored,
  interleavePlace,
  Turn,
  type Holder,
  type InterleavePosition,
  type InterleaveSettings,
} from './interleaving';
import { UnorderedInterleaveOperator } from './unordered-interleave';

/** Returns the stage of the dataset of an input element. */
type StageFunction = (value: unknown) => Stage;

const DEFAULT_CYCLE = 16;

/** Options of `interleave`. Unknown names throw. */
export interface InterleaveOptions {
  /** Number of datasets that are read in turn. Default 16. */
  cycleLength?: number | undefined;
  /** Number of neighbouring elements from one dataset before the turn of the next. Default 1. */
  blockLength?: number | undefined;
  /**
   * Number of datasets that are opened ahead, in addition to those that are read in turn. After the process has run out
   * of file descriptors, none is opened ahead. Default `cycleLength`.
   */
  prefetch?: number | undefined;
  /**
   * If false, the next element is read from whichever dataset is ready; `blockLength` and `prefetch` have no effect.
   * The rules for states are those of `map`. Default true.
   */
  ordered?: boolean | undefined;
}

/** Prints `blockLength 4`, or `unordered`. */
const blockLabel: Label = (blockLength) =>
  typeof blockLength === 'string' ? blockLength : `blockLength ${optionText(blockLength)}`;

/**
 * The stage of `interleave`, which reads `cycleLength` datasets in turn, `blockLength` elements at a time. A slot whose
 * dataset ends loses its turn at once, and gets the next input when it is visited again (`tf.data.Dataset.interleave`).
 */
export class InterleaveStage extends Stage {
  readonly kind = 'interleave';
  override readonly labels = [named('cycleLength'), blockLabel];
  readonly #stageOf: StageFunction;
  readonly #settings: InterleaveSettings;
  readonly #code: Json;

  /** `stageOf` returns the stage of a dataset. */
  static of(
    input: Stage,
    fn: unknown,
    options: InterleaveOptions | undefined,
    stageOf: (value: unknown) => Stage | undefined,
  ): InterleaveStage {
    const call = checkFunction('fn', fn) as (value: unknown) => unknown;
    const given = checkOptions(options, ['cycleLength', 'blockLength', 'prefetch', 'ordered']);
    const cycleLength = checkInteger('options.cycleLength', given.cycleLength, 1, 65_536, DEFAULT_CYCLE);
    const blockLength = checkInteger('options.blockLength', given.blockLength, 1, Number.MAX_SAFE_INTEGER, 1);
    const prefetch = checkInteger('options.prefetch', given.prefetch, 0, 65_536, cycleLength);
    const ordered = checkBoolean('options.ordered', given.ordered, true);
    const datasetOf = (value: unknown): Stage => {
      const result = call(value);
      const stage = stageOf(result);
      if (stage === undefined) throw invalidArgType('the result of fn', 'a Dataset', result);
      return stage;
    };
    const settings = { cycleLength, blockLength, prefetch, ordered };
    return new InterleaveStage(input, datasetOf, settings, functionText(fn));
  }

  /** `code` is the text of the user's function. */
  constructor(input: Stage, stageOf: StageFunction, settings: InterleaveSettings, code: Json) {
    super(input, { draws: true, perFile: true, unordered: !settings.ordered });
    this.#stageOf = stageOf;
    this.#settings = settings;
    this.#code = code;
  }

  override get order(): Json {
    const { cycleLength, blockLength, ordered } = this.#settings;
    return ordered ? [cycleLength, blockLength] : [cycleLength, 'unordered'];
  }

  override get size(): undefined {
    return undefined;
  }

  override get contents(): Json {
    return this.#code;
  }

  override passesOn(): boolean {
    return true;
  }

  open(run: Run, from: Mark): Operator {
    const [at, skip] = from;
    const path = stagePath(run, this);
    const place = at === null ? null : interleavePlace(path, at, this.#settings, this.input?.size);
    const start = place?.[0] ?? START;
    const inside = { path, key: drawKey(run, this), beside: this.#settings.cycleLength };
    const holder: Holder = {
      scope: run.scope,
      path,
      // Records of the opened datasets are handed on, so their slabs can be reused; records of the input cannot.
      input: this.readInput({ ...run, slabs: undefined }, start),
      again: run.again,
      open: (value, index, mark, again) => {
        const operator = openNested({ ...inside, run: { ...run, again } }, this.#stageFor(value, path), index, mark);
        return new Input(operator, run.scope, mark);
      },
    };
    if (this.traits.unordered === true) {
      run.scope.noteUnordered(run.path);
      return skipping(new UnorderedInterleaveOperator(holder, this.#settings, place, skip), skip, run.scope);
    }
    return skipping(new InterleaveOperator(holder, this.#settings, place), skip, run.scope);
  }

  #stageFor(value: unknown, path: string): Stage {
    try {
      return this.#stageOf(value);
    } catch (cause) {
      throw userError(path, undefined, cause);
    }
  }
}

/** An input element whose dataset is not open. */
interface Waiting {
  readonly index: number;
  readonly value: unknown;
  /** Position of the input element. */
  readonly source: Mark;
}

/** A dataset that is read, or opened ahead. */
interface Slot extends Waiting {
  readonly input: Input;
  readonly turn: Turn;
  /** Bytes of the chunk that was loaded last, which count against the budget. */
  held: number;
  left: boolean;
  /** The pending load. */
  loading: Promise<boolean> | undefined;
}

function isOpen(slot: Slot | Waiting | undefined): slot is Slot {
  return slot !== undefined && 'input' in slot;
}

class InterleaveOperator implements Operator, OpensAhead {
  readonly #holder: Holder;
  readonly #settings: InterleaveSettings;
  readonly #slots: (Slot | undefined)[];
  /** The next inputs, in order. Their datasets are open, unless there were too few descriptors. */
  #upcoming: (Slot | Waiting)[] = [];
  /** Resolves when datasets that were closed to free their descriptors are closed. */
  #closingAhead: Promise<unknown> | undefined;
  #active = 0;
  /** Number of the next input to open. */
  #next: number;
  #inputEnded = false;
  #closed = false;
  #visit: number;
  #taken: number;
  #place: InterleavePosition | null;
  #failure: { readonly error: unknown } | undefined;
  /** Approximate bytes of a loaded chunk. */
  #each = 0;

  constructor(holder: Holder, settings: InterleaveSettings, place: InterleavePosition | null) {
    this.#holder = holder;
    this.#settings = settings;
    this.#slots = new Array<Slot | undefined>(settings.cycleLength).fill(undefined);
    this.#place = place;
    this.#next = place?.[1] ?? 0;
    this.#visit = place?.[3] ?? 0;
    this.#taken = place?.[4] ?? 0;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#place !== null) await this.#restore(this.#place);
    // Opened before the mark is made, because the mark begins with its input.
    if (this.#active === 0 && this.#upcoming.length === 0 && !(await this.#openNext())) return undefined;
    const mark: Mark = [this.#placeNow(), 0];
    const drawn = new Store(max);
    try {
      while (drawn.length < max && !this.#over) {
        const slot = this.#slots[this.#visit];
        if (slot === undefined) {
          if (!(await this.#fillSlot())) break;
        } else if (slot.input.index < slot.input.elements.length) {
          this.#draw(slot.input, drawn, max);
        } else if (!(await this.#load(slot, drawn.length > 0))) {
          break;
        }
      }
    } catch (error) {
      if (drawn.length === 0) throw error;
      this.#failure = { error };
    }
    return drawn.length === 0 ? undefined : { elements: drawn.take(), mark };
  }

  get #over(): boolean {
    return this.#closed || this.#holder.scope.closed;
  }

  async close(): Promise<void> {
    this.#inputEnded = true;
    const slots = [...this.#slots, ...this.#upcoming].filter(isOpen);
    this.#closed = true;
    forgetAhead(this);
    const leaving = slots.map((slot) => this.#leave(slot));
    await Promise.all([this.#holder.input.close(), ...leaving, this.#closingAhead]);
  }

  /** Closes `slot`, and releases its bytes. */
  async #leave(slot: Slot): Promise<void> {
    this.#hold(slot, 0);
    slot.left = true;
    const closing = slot.input.close();
    slot.turn.end();
    await closing;
  }

  /** Adds as many elements of the current slot to `drawn` as its block and `max` allow. */
  #draw(input: Input, drawn: Store, max: number): void {
    const { elements } = input;
    const wanted = Math.min(this.#settings.blockLength - this.#taken, max - drawn.length);
    const end = Math.min(elements.length, input.index + wanted);
    this.#taken += end - input.index;
    for (; input.index < end; input.index++) drawn.push(elements, input.index);
    if (this.#taken === this.#settings.blockLength) this.#turn();
  }

  #turn(): void {
    this.#taken = 0;
    this.#visit = (this.#visit + 1) % this.#slots.length;
  }

  /** Loads elements of `slot`. False if drawn elements would have to wait for it. */
  async #load(slot: Slot, drawn: boolean): Promise<boolean> {
    slot.turn.begin();
    const loading = this.#startLoading(slot);
    if (drawn && !(await this.#holder.scope.settlesSoon(loading))) return false;
    slot.loading = undefined;
    if (await loading) {
      slot.turn.leave();
      return true;
    }
    await this.#leave(slot);
    this.#slots[this.#visit] = undefined;
    this.#active--;
    this.#turn();
    return true;
  }

  /** Opens the next input in the current slot, or skips the slot. False at the end of all. */
  async #fillSlot(): Promise<boolean> {
    if (this.#upcoming.length === 0) await this.#openNext();
    const next = this.#upcoming.shift();
    if (this.#over) return false;
    if (next !== undefined) {
      this.#slots[this.#visit] = isOpen(next) ? next : this.#opened(next, START);
      this.#active++;
      await this.#openAhead();
      return true;
    }
    this.#turn();
    return this.#active > 0;
  }

  /**
   * If all slots are in use, opens the datasets of the next inputs, and begins to read them, as far as the budget
   * allows.
   */
  async #openAhead(): Promise<void> {
    if (this.#active < this.#slots.length) return;
    const { scope } = this.#holder;
    const continues = (): boolean =>
      !scope.scarce && this.#upcoming.length < this.#settings.prefetch && scope.budget.room >= this.#each;
    while (continues() && (await this.#openNext()));
    if (this.#upcoming.length > 0 && !this.#closed) noteAhead(this);
  }

  async #openNext(): Promise<boolean> {
    const { input } = this.#holder;
    // `#over` is read after `await`, because the operator may have been closed.
    if (this.#inputEnded || !(await input.load(1)) || this.#over) {
      this.#inputEnded = true;
      return false;
    }
    const source = input.mark;
    const value = input.elements.at(input.index++);
    const next: Waiting = { index: this.#next++, value, source };
    this.#upcoming.push(this.#holder.scope.scarce ? next : this.#opened(next, START));
    return true;
  }

  #opened(waiting: Waiting, mark: Mark): Slot {
    const turn = new Turn();
    const input = this.#holder.open(waiting.value, waiting.index, mark, () => this.#again(turn));
    const slot: Slot = { ...waiting, input, turn, held: 0, left: false, loading: undefined };
    this.#hold(slot, this.#each);
    void this.#startLoading(slot);
    return slot;
  }

  /**
   * Waits for the turn of a dataset for which no descriptor was free. False if it is the turn of all containing stages,
   * too.
   */
  async #again(turn: Turn): Promise<boolean> {
    this.#holder.scope.scarce = true;
    if (turn.come) return (await this.#holder.again?.()) ?? false;
    await turn.wait();
    return !this.#closed;
  }

  closeAhead(): boolean {
    const open = this.#upcoming.filter(isOpen);
    if (open.length === 0) return false;
    this.#holder.scope.scarce = true;
    this.#upcoming = this.#upcoming.map(({ index, value, source }) => ({ index, value, source }));
    const leaving = open.map((slot) => this.#leave(slot));
    // Errors are ignored: datasets that are opened again report theirs.
    this.#closingAhead = Promise.allSettled([this.#closingAhead, ...leaving]);
    return true;
  }

  #placeNow(): InterleavePosition {
    const [ahead] = this.#upcoming;
    let oldest = ahead?.source ?? this.#holder.input.mark;
    let first = ahead?.index ?? this.#next;
    const next = first;
    for (const slot of this.#slots) {
      if (slot === undefined || slot.index > first) continue;
      oldest = slot.source;
      first = slot.index;
    }
    const slots = this.#slots.map((slot) => (slot === undefined ? null : ([slot.index, slot.input.mark] as const)));
    return [oldest, first, next, this.#visit, this.#taken, slots];
  }

  /** Opens the inputs that were in slots, and skips those that had ended. */
  async #restore([, , next, , , slots]: InterleavePosition): Promise<void> {
    const { input } = this.#holder;
    this.#place = null;
    while (this.#next < next && (await input.load(next - this.#next)) && !this.#over) {
      const at = slots.findIndex((slot) => slot?.[0] === this.#next);
      const source = input.mark;
      const value = input.elements.at(input.index++);
      const index = this.#next++;
      if (at >= 0) {
        this.#slots[at] = this.#opened({ index, value, source }, slots[at]![1]);
        this.#active++;
      }
    }
    if (!this.#over) checkRestored(this.#holder, next - this.#next);
  }

  /** Starts loading the next chunk of a slot, once. An error is reported at the turn of the slot. */
  #startLoading(slot: Slot): Promise<boolean> {
    if (slot.loading === undefined) {
      slot.loading = slot.input.load(Infinity);
      slot.loading.then(
        () => this.#weigh(slot),
        () => undefined,
      );
    }
    return slot.loading;
  }

  #weigh(slot: Slot): void {
    if (slot.left) return;
    const { elements } = slot.input;
    this.#each = elements.length === 0 ? 0 : elements.length * meanBytesOf(elements);
    this.#hold(slot, this.#each);
  }

  /** Sets the bytes that `slot` holds. */
  #hold(slot: Slot, bytes: number): void {
    this.#holder.scope.budget.hold(bytes - slot.held);
    slot.held = bytes;
  }
}
