import { checkOptions, neededInteger } from '../../base';
import { countOr, MAX_HELD } from '../arguments';
import { sliceChunk, type Chunk, type Mark, type Operator } from '../engine/operator';
import type { Run } from '../engine/run';
import { bytesOf } from '../engine/sizes';
import { Stage } from '../engine/stage';

/** Options of `prefetch`. Unknown names throw. */
export interface PrefetchOptions {
  /** Maximum bytes of prepared elements. Default: the rest of `iterate({ bytes })`. */
  bytes?: number | undefined;
}

/**
 * The stage of `prefetch`, which prepares elements while earlier ones are used. It does not change elements, their
 * order or their places.
 */
export class PrefetchStage extends Stage {
  readonly kind = 'prefetch';
  readonly #count: number | 'auto';
  readonly #bytes: number;
  /** The count that `auto` chose last. */
  readonly #auto: Chosen = { count: undefined };

  static of(input: Stage, count: number | 'auto', options: PrefetchOptions | undefined): PrefetchStage {
    const { bytes } = checkOptions(options, ['bytes']);
    const limit = bytes === undefined ? Infinity : neededInteger('options.bytes', bytes, 1, Number.MAX_SAFE_INTEGER);
    return new PrefetchStage(input, countOr('count', count, 'auto', 0, MAX_HELD), limit);
  }

  private constructor(input: Stage, count: number | 'auto', bytes: number) {
    super(input, { passes: true, oneByOne: true, perFile: true, outsideState: true });
    this.#count = count;
    this.#bytes = bytes;
  }

  override get chosen(): string | undefined {
    if (this.#count !== 'auto') return String(this.#count);
    const { count } = this.#auto;
    return count === undefined ? 'auto' : `auto: ${count}`;
  }

  open(run: Run, from: Mark): Operator {
    const input = this.openInput(run, from);
    if (this.#count === 0) return input;
    return new PrefetchOperator(input, run, this.#newCount(this.#count), this.#bytes);
  }

  #newCount(count: number | 'auto'): Count {
    if (count !== 'auto') return { most: count, full: () => undefined, dry: () => undefined };
    return new AutoCount(this.#auto);
  }
}

interface Ready {
  readonly chunk: Chunk;
  readonly bytes: number;
}

/** Holds at most `count` elements and `bytes` bytes, or one element, in addition to those being prepared. */
class PrefetchOperator implements Operator {
  readonly #input: Operator;
  readonly #run: Run;
  readonly #count: Count;
  readonly #bytes: number;
  readonly #ready: Ready[] = [];
  #elements = 0;
  #held = 0;
  /** Approximate bytes of an element; undefined before the first. */
  #each: number | undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #making: Promise<void> | undefined;

  constructor(input: Operator, run: Run, count: Count, bytes: number) {
    this.#input = input;
    this.#run = run;
    this.#count = count;
    this.#bytes = bytes;
  }

  async next(max: number): Promise<Chunk | undefined> {
    for (;;) {
      this.#make();
      const first = this.#ready.shift();
      if (first !== undefined) return this.#give(first, max);
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#ended || this.#run.scope.closed) return undefined;
      const begun = performance.now();
      await this.#making;
      this.#count.dry(performance.now() - begun);
    }
  }

  async close(): Promise<void> {
    this.#ended = true;
    this.#ready.length = 0;
    this.#hold(-this.#held);
    await this.#input.close();
  }

  #give({ chunk, bytes }: Ready, max: number): Chunk {
    const { length } = chunk.elements;
    // Hands over half of the maximum, so that the other half can be prepared meanwhile.
    const given = Math.min(length, max, Math.max(1, Math.ceil(this.#count.most / 2)));
    const share = (bytes * given) / length;
    this.#elements -= given;
    this.#hold(-share);
    if (given < length) this.#ready.unshift({ chunk: sliceChunk(chunk, given), bytes: bytes - share });
    this.#make();
    return given < length ? sliceChunk(chunk, 0, given) : chunk;
  }

  /** Starts preparing the missing elements, unless it is under way. */
  #make(): void {
    this.#making ??= this.#fill().finally(() => (this.#making = undefined));
  }

  async #fill(): Promise<void> {
    while (!this.#ended && this.#failure === undefined) {
      const wanted = this.#wanted();
      if (wanted === 0) {
        this.#count.full();
        return;
      }
      try {
        const chunk = await this.#input.next(wanted);
        if (chunk === undefined) this.#ended = true;
        else if (!this.#ended) this.#keep(chunk);
      } catch (error) {
        this.#failure = { error };
      }
    }
  }

  #keep(chunk: Chunk): void {
    const { length } = chunk.elements;
    const bytes = bytesOf(chunk.elements);
    this.#ready.push({ chunk, bytes });
    this.#elements += length;
    this.#each = bytes / length;
    this.#hold(bytes);
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    this.#run.scope.budget.hold(bytes);
  }

  /** Returns the number of elements to prepare now: as many as there is room for; one if none is ready. */
  #wanted(): number {
    const { budget, chunkElements } = this.#run.scope;
    const wanted = this.#count.most - this.#elements;
    if (wanted <= 0 || this.#each === undefined) return Math.max(0, Math.min(1, wanted));
    const room = Math.min(this.#bytes - this.#held, budget.room) / Math.max(1, this.#each);
    const most = Math.max(Math.floor(room), this.#elements === 0 ? 1 : 0);
    return Math.min(wanted, most, chunkElements, budget.chunkOf(this.#each));
  }
}

/** Chooses the number of elements to prepare. */
interface Count {
  readonly most: number;
  /** Called when `most` elements are ready. */
  full(): void;
  /** Called when no element was ready, and the consumer waited `ms` milliseconds. */
  dry(ms: number): void;
}

/** The count that `auto` chose, for later iterators. */
interface Chosen {
  count: number | undefined;
}

const FIRST = 16;
const LARGEST = 65_536;
/** Shorter waits do not count, because making an element on demand takes as long. */
const WAIT_MS = 0.1;

/**
 * Doubles the count if the consumer waits after all elements had been ready: the input is then fast enough, but not
 * steady. If not all were ready, the input is too slow, and a larger buffer would not help.
 */
class AutoCount implements Count {
  readonly #chosen: Chosen;
  #most: number;
  #wasFull = false;

  /** Starts with the count in `chosen`, if any, and updates it. */
  constructor(chosen: Chosen) {
    this.#most = chosen.count ??= FIRST;
    this.#chosen = chosen;
  }

  get most(): number {
    return this.#most;
  }

  full(): void {
    this.#wasFull = true;
  }

  dry(ms: number): void {
    if (!this.#wasFull || ms < WAIT_MS || this.#most >= LARGEST) return;
    this.#most *= 2;
    this.#wasFull = false;
    this.#chosen.count = this.#most;
  }
}
