/**
 * The base of the stages of `cache`: stores the elements of the first complete pass, and yields them in later passes.
 */
import { counted } from '../../base';
import {
  markAfter,
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
 * draws; else null.
 */
export type CachePosition = readonly [input: Mark, index: number, seed: string | null];

/** The stored elements of one complete pass over an input. */
export interface StoredPass {
  /** The seed of the pass; null if no stage draws. */
  readonly seed: string | null;
  /** Number of elements. */
  readonly size: number;
  /** Opens the elements from number `index` on. */
  open(index: number, run: Run): Operator;
}

/** Stores the elements of a pass. */
export interface Keeper {
  /** Adds a chunk, whose first element is at `mark` in the input. */
  add(chunk: Chunk, mark: Mark): Promise<void> | undefined;
  /** Called after the last chunk. */
  finish(): Promise<void> | undefined;
  /** Discards the elements of an unfinished pass. */
  drop(): Promise<void> | undefined;
}

/** The stored elements of a stage, if any, and the keepers for further passes. */
interface Keeping {
  readonly kept: StoredPass | undefined;
  /** Returns a keeper for a pass with `seed`. */
  readonly keeperOf: (seed: string | null) => Keeper;
}

/**
 * The base of the stages of `cache`: elements of the first complete pass are stored, and all later passes yield them.
 * An incomplete pass stores nothing.
 */
export abstract class KeepingStage extends Stage {
  readonly kind = 'cache';

  constructor(input: Stage) {
    super(input);
    for (let stage: Stage | undefined = input; stage !== undefined; stage = stage.input) {
      if (stage.kind !== 'shuffle') continue;
      process.emitWarning(
        'cache() after shuffle() keeps one order for all epochs. Cache first, then shuffle.',
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
    // Every pass that fills the cache draws as in epoch 0, so that a place in the cache is also a place without it.
    const first = { ...run, seed: seedFromText(seed) ?? run.seed, call: 0, epoch: 0 };
    if (at !== null) return new KeepingOperator(this.openInput(first, markAfter(place, skip)), run, index + skip, seed);
    const whole = new KeepingOperator(this.openInput(first, START), run, 0, seed, keeperOf(seed));
    return skipping(whole, skip, run.scope);
  }
}

function cachePlace(path: string, at: Json): CachePosition {
  const [input, index, seed] = placeList(path, at, 3);
  if (seed !== null && (typeof seed !== 'string' || seedFromText(seed) === undefined)) {
    throw misplaced(path, 'a seed, or null', seed);
  }
  return [placeMark(path, input), placeCount(path, 'the number of an element', index), seed];
}

/** Yields the elements of an input, and passes them to a keeper. */
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
    const place: CachePosition = [given.mark, this.#index, this.#seed];
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

  /** Finishes the cache, unless the pass was closed, and may be incomplete. */
  async #end(): Promise<void> {
    if (this.#finished || this.#closed || this.#run.scope.closed) return;
    this.#finished = true;
    await this.#keeper?.finish();
  }
}
