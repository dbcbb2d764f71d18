import type { Json } from '../core/json';
import type { Input } from '../core/input';
import { skipping, START, type Chunk, type Mark, type Operator } from '../core/operator';
import { drawKey, type Run } from '../core/run';
import { Stage } from '../core/stage';
import { Store } from '../core/store';
import { Draws, type Words } from '../random';
import { BufferedChunks } from './buffered-chunks';
import { compactRecords } from './compact-records';
import { replayShuffle } from './shuffle-replay';

/** How a shuffle was asked for. */
export interface ShuffleOptions {
  readonly size: number;
  readonly seed: Words | undefined;
  readonly reshuffle: boolean;
}

/**
 * `shuffle`: a buffer of `size` elements, of which one at random leaves for each that comes. Its state is how many have
 * left, and where the oldest that it holds lies: the draws are made again on numbers, and the buffer is read again.
 */
export class ShuffleStage extends Stage {
  readonly kind = 'shuffle';
  protected override readonly passes = true;
  readonly #options: ShuffleOptions;

  constructor(input: Stage, options: ShuffleOptions) {
    super(input, 'draws');
    this.#options = options;
  }

  override get order(): Json {
    const { size, seed, reshuffle } = this.#options;
    return [size, seed === undefined ? null : [seed.low, seed.high], reshuffle];
  }

  override get unseeded(): boolean {
    return this.#options.seed === undefined || super.unseeded;
  }

  open(run: Run, from: Mark): Operator {
    const { size, seed, reshuffle } = this.#options;
    const draws = new Draws(drawKey(reshuffle ? run : { ...run, call: 0, epoch: 0 }, this, seed));
    const place = shufflePlace(from);
    const input = this.readInput(run, place.oldest);
    return skipping(new ShuffleOperator(input, size, draws, place, run), from[1], run.scope);
  }
}

/** Where a shuffle stands. */
interface Place {
  /** Elements that have left the buffer. */
  readonly given: number;
  /** Where the chunk lies that the oldest element of the buffer came with, and the number of its first element. */
  readonly oldest: Mark;
  readonly first: number;
  /** Elements of the input, where its end was reached. */
  readonly total: number | null;
}

function shufflePlace([at]: Mark): Place {
  if (at === null) return { given: 0, oldest: START, first: 0, total: null };
  const [given, oldest, first, total] = at as unknown as [number, Mark, number, number | null];
  return { given, oldest, first, total };
}

class ShuffleOperator implements Operator {
  readonly #input: Input;
  readonly #size: number;
  readonly #draws: Draws;
  readonly #run: Run;
  readonly #chunks = new BufferedChunks();
  #buffer = new Store();
  #given: number;
  /** Number of the next input. */
  #next: number;
  /** Inputs that were in the buffer, by place; it is filled again with them first. */
  #held: Float64Array | undefined;
  /** Number of the input behind those that were used. */
  readonly #used: number;
  #ended = false;
  /** The load under way. */
  #loading: Promise<boolean> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(input: Input, size: number, draws: Draws, { given, first, total }: Place, run: Run) {
    this.#run = run;
    this.#input = input;
    this.#size = size;
    this.#draws = draws;
    this.#given = given;
    this.#next = first;
    this.#used = Math.min(total ?? Infinity, size + given);
    if (given > 0) this.#held = replayShuffle(size, given, total ?? undefined, draws);
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#held !== undefined) await this.#fillAgain(this.#held);
    while (this.#buffer.length < this.#size && (await this.#load())) this.#put(this.#buffer.length);
    // Where the input ends is known before the mark is made.
    if (this.#buffer.length > 0) await this.#load();
    if (this.#buffer.length > 0) return this.#draw(max);
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  /** Whether an input is in hand, loading where there is none. */
  #load(): Promise<boolean> | boolean {
    if (this.#input.index < this.#input.column.length) return true;
    return !this.#ended && (this.#loading ??= this.#read());
  }

  /** What comes before an error leaves the buffer before it is told. */
  async #read(): Promise<boolean> {
    const input = this.#input;
    try {
      this.#ended = !(await input.load(Infinity));
      if (!this.#ended) this.#chunks.load(input.mark, this.#next);
      this.#compact();
    } catch (error) {
      this.#failure = { error };
      this.#ended = true;
    }
    this.#loading = undefined;
    return !this.#ended;
  }

  /** The input in hand goes to place `at`. */
  #put(at: number): void {
    this.#buffer.set(at, this.#input.column, this.#input.index++);
    this.#chunks.put(at);
    this.#next++;
  }

  /**
   * Copies what is left of chunks that have become sparse: the last of a thousand neighbours leaves when ten times the buffer
   * has passed, and their slabs would live as long.
   */
  #compact(): void {
    for (;;) {
      const places = this.#chunks.takeSparse(this.#buffer.length);
      const records = places && this.#buffer.recordsAt(places);
      if (places === undefined || records === undefined) return;
      const copied = compactRecords(records, this.#run.slabs);
      places.forEach((at, i) => this.#buffer.set(at, copied, i));
    }
  }

  async #draw(max: number): Promise<Chunk> {
    const { mark, first } = this.#chunks.oldest();
    const total = this.#ended ? this.#next : null;
    const place = [this.#given, mark, first, total];
    const drawn = new Store(max);
    do this.#drawInto(drawn, max);
    while (drawn.length < max && this.#buffer.length > 0 && (await this.#loadsSoon()));
    return { column: drawn.take(), mark: [place, 0] };
  }

  /** Whether what the input has next, or its end, is there without a wait. */
  async #loadsSoon(): Promise<boolean> {
    const loading = this.#load();
    return typeof loading === 'boolean' || this.#run.scope.settlesSoon(loading);
  }

  /** Those that leave for the inputs in hand, and at the end all. */
  #drawInto(drawn: Store, max: number): void {
    const input = this.#input;
    while (drawn.length < max && this.#buffer.length > 0) {
      const full = input.index < input.column.length;
      if (!full && !this.#ended) break;
      const at = this.#draws.below(this.#buffer.length);
      drawn.pushFrom(this.#buffer, at);
      this.#chunks.left(at);
      if (full) {
        this.#put(at);
      } else {
        this.#buffer.fillFromEnd(at);
        this.#chunks.move(this.#buffer.length, at);
      }
      this.#given++;
    }
  }

  /** Reads what was in the buffer once more. */
  async #fillAgain(held: Float64Array): Promise<void> {
    const places = new Map(Array.from(held, (number, at) => [number, at]));
    const found = new Store();
    const foundAt = new Int32Array(held.length);
    while (this.#next < this.#used && (await this.#load())) {
      const at = places.get(this.#next);
      if (at === undefined) {
        this.#input.index++;
        this.#next++;
        continue;
      }
      foundAt[at] = found.length;
      found.push(this.#input.column, this.#input.index++);
      this.#chunks.put(at);
      this.#next++;
    }
    this.#held = undefined;
    if (found.length < held.length) return;
    for (const at of foundAt) this.#buffer.pushFrom(found, at);
  }
}
