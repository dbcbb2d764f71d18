/** The stage of `cache` for every store: it keeps the elements of the first whole pass, and later gives them again. */
import { counted } from '../../base';
import {
  behind,
  misplaced,
  placeCount,
  placeList,
  placeMark,
  skipping,
  START,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';
import { seedFromText, seedText } from '../random';

/**
 * The place of a cache: the mark of the next element of its input, its number, and the seed of the pass, if a stage
 * draws.
 */
export type CachePlace = readonly [input: Mark, index: number, seed: string | null];

/** The elements of one whole pass over an input. */
export interface Kept {
  /** The seed of the pass. */
  readonly seed: string | null;
  /** Elements. */
  readonly size: number;
  /** Gives them from number `index` on. */
  open(index: number, run: Run): Operator;
}

/** Takes the elements of a pass that begins. */
export interface Keeper {
  /** Adds a chunk, whose first element is at `mark` in the input. */
  add(chunk: Chunk, mark: Mark): Promise<void> | undefined;
  /** All have come. */
  finish(): Promise<void> | undefined;
  /** Discards the elements of an unfinished pass. */
  drop(): Promise<void> | undefined;
}

/** The elements that a stage keeps, and the keepers of further passes. */
interface Keeping {
  readonly kept: Kept | undefined;
  /** For a pass drawn with `seed`. */
  readonly keeperOf: (seed: string | null) => Keeper;
}

/**
 * `cache`: the elements of the first complete pass are kept and given again by all later ones. A pass that breaks off
 * leaves nothing.
 */
export abstract class KeepingStage extends Stage {
  readonly kind = 'cache';

  constructor(input: Stage) {
    super(input);
    for (let stage: Stage | undefined = input; stage !== undefined; stage = stage.input) {
      if (stage.kind !== 'shuffle') continue;
      process.emitWarning(
        'cache() behind shuffle() keeps one order for all epochs. Cache first, then shuffle.',
        'TFRecordWarning',
      );
      break;
    }
  }

  protected openKeeping(run: Run, [at, skip]: Mark, { kept, keeperOf }: Keeping): Operator {
    const drawn = this.draws + this.calls > 0 ? seedText(run.seed) : null;
    const path = stagePath(run, this);
    const [place, index, seed] = at === null ? [START, 0, drawn] : cachePlace(path, at);
    if (kept !== undefined && index > kept.size) {
      throw misplaced(path, `a place in the ${counted(kept.size, 'element')} of the cache`, index);
    }
    if (kept !== undefined && (at === null || kept.seed === seed)) return kept.open(index + skip, run);
    // Whichever epoch fills the cache keeps the first one: a place in it is a place without the cache, too.
    const first = { ...run, seed: seedFromText(seed) ?? run.seed, call: 0, epoch: 0 };
    if (at !== null) return new KeepingOperator(this.openInput(first, behind(place, skip)), run, index + skip, seed);
    const whole = new KeepingOperator(this.openInput(first, START), run, 0, seed, keeperOf(seed));
    return skipping(whole, skip, run.scope);
  }
}

function cachePlace(path: string, at: Json): CachePlace {
  const [input, index, seed] = placeList(path, at, 3);
  if (seed !== null && (typeof seed !== 'string' || seedFromText(seed) === undefined)) {
    throw misplaced(path, 'a seed, or null', seed);
  }
  return [placeMark(path, input), placeCount(path, 'the number of an element', index), seed];
}

/** Gives the elements of an input, and has them kept. */
class KeepingOperator implements Operator {
  readonly #input: Operator;
  readonly #run: Run;
  readonly #seed: string | null;
  readonly #keeper: Keeper | undefined;
  #index: number;
  #closed = false;
  #finished = false;
  /** Thrown by the next call of `next`. */
  #failure: { readonly error: unknown } | undefined;

  constructor(input: Operator, run: Run, index: number, seed: string | null, keeper?: Keeper) {
    this.#input = input;
    this.#run = run;
    this.#index = index;
    this.#seed = seed;
    this.#keeper = keeper;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const given = await this.#input.next(max);
    if (given === undefined) {
      await this.#end();
      return undefined;
    }
    const place: CachePlace = [given.mark, this.#index, this.#seed];
    const chunk: Chunk = { elements: given.elements, mark: [place, 0] };
    this.#index += chunk.elements.length;
    try {
      await this.#keeper?.add(chunk, given.mark);
    } catch (error) {
      this.#failure = { error };
    }
    return chunk;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#input.close();
    await this.#keeper?.drop();
  }

  /** Finishes the cache, unless the pass was closed: more may have been to come. */
  async #end(): Promise<void> {
    if (this.#finished || this.#closed || this.#run.scope.closed) return;
    this.#finished = true;
    await this.#keeper?.finish();
  }
}
