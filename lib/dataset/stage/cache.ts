import { behind, sliceChunk, START, type Chunk, type Mark, type Operator } from '../core/operator';
import type { Run } from '../core/run';
import { Stage } from '../core/stage';
import { seedFromText, seedText } from '../random';

/** The elements of one pass over an input. */
interface Pass {
  readonly chunks: readonly Chunk[];
  /** The number of the first element of each chunk, and of the one that would come next. */
  readonly firsts: readonly number[];
  /** What its order was drawn with, where that is no part of the dataset. */
  readonly seed: string | null;
}

/** Where a cache stands: in its input, in numbers, and with the seed of the pass. */
type CachePlace = readonly [input: Mark, index: number, seed: string | null];

/**
 * `cache`: the elements of the first complete pass, held in memory and given again by all later ones, also of other
 * iterations of the dataset. A pass that breaks off leaves nothing.
 */
export class CacheStage extends Stage {
  readonly kind = 'cache';
  #pass: Pass | undefined;

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

  override get size(): number | undefined {
    return this.#pass?.firsts.at(-1) ?? this.input?.size;
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const drawn = this.unseeded ? seedText(run.seed) : null;
    const [place, index, seed] = (at ?? [START, 0, drawn]) as unknown as CachePlace;
    const pass = this.#pass;
    if (pass !== undefined && (at === null || pass.seed === seed)) return new CachedOperator(pass, index + skip);
    // What is kept is of the first epoch, whichever asks for it: a place in it is one without the cache, too.
    const first = { ...run, seed: seedFromText(seed) ?? run.seed, call: 0, epoch: 0 };
    const input = this.openInput(first, behind(place, skip));
    const keep = (kept: Pass): void => void (this.#pass ??= kept);
    return new FillingOperator(input, run, index + skip, seed, at === null && skip === 0 ? keep : undefined);
  }
}

/** Gives the elements of an input, and keeps them when all have come. */
class FillingOperator implements Operator {
  readonly #input: Operator;
  readonly #run: Run;
  readonly #seed: string | null;
  readonly #keep: ((pass: Pass) => void) | undefined;
  readonly #chunks: Chunk[] = [];
  readonly #firsts: number[] = [];
  #index: number;
  #closed = false;

  constructor(input: Operator, run: Run, index: number, seed: string | null, keep?: (pass: Pass) => void) {
    this.#input = input;
    this.#run = run;
    this.#index = index;
    this.#seed = seed;
    this.#keep = keep;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const given = await this.#input.next(max);
    if (given === undefined) {
      this.#end();
      return undefined;
    }
    const place: CachePlace = [given.mark, this.#index, this.#seed];
    const chunk: Chunk = { column: given.column, mark: [place, 0] };
    if (this.#keep !== undefined) {
      this.#chunks.push(chunk);
      this.#firsts.push(this.#index);
    }
    this.#index += chunk.column.length;
    return chunk;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#input.close();
  }

  /** What is closed has no end: more may have been to come. */
  #end(): void {
    if (this.#closed || this.#run.scope.closed) return;
    this.#keep?.({ chunks: this.#chunks, firsts: [...this.#firsts, this.#index], seed: this.#seed });
  }
}

/** Gives what was kept. */
class CachedOperator implements Operator {
  readonly #pass: Pass;
  #index: number;
  /** Of the next element. */
  #chunk: number;

  constructor(pass: Pass, index: number) {
    this.#pass = pass;
    this.#index = index;
    this.#chunk = Math.max(
      0,
      pass.firsts.findLastIndex((first) => first <= index),
    );
  }

  async next(max: number): Promise<Chunk | undefined> {
    const chunk = this.#pass.chunks[this.#chunk];
    if (chunk === undefined) return undefined;
    const begin = this.#index - (this.#pass.firsts[this.#chunk] as number);
    const end = Math.min(chunk.column.length, begin + max);
    this.#index += end - begin;
    if (end === chunk.column.length) this.#chunk++;
    return sliceChunk(chunk, begin, end);
  }

  async close(): Promise<void> {
    this.#chunk = Infinity;
  }
}
