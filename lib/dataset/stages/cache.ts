import { sliceChunk, type Chunk, type Mark, type Operator } from '../engine/operator';
import type { Run } from '../engine/run';
import { KeepingStage, type Keeper, type Kept } from './keeping';

/** `cache()`: held in memory, for all iterations of the dataset. */
export class CacheStage extends KeepingStage {
  #pass: Pass | undefined;

  override get size(): number | undefined {
    return this.#pass?.size ?? this.input?.size;
  }

  open(run: Run, from: Mark): Operator {
    const keep = (pass: Pass): void => void (this.#pass ??= pass);
    return this.openKeeping(run, from, { kept: this.#pass, keeperOf: (seed) => new MemoryKeeper(seed, keep) });
  }
}

class MemoryKeeper implements Keeper {
  readonly #seed: string | null;
  readonly #keep: (pass: Pass) => void;
  readonly #chunks: Chunk[] = [];
  readonly #firsts = [0];

  constructor(seed: string | null, keep: (pass: Pass) => void) {
    this.#seed = seed;
    this.#keep = keep;
  }

  add(chunk: Chunk): undefined {
    this.#chunks.push(chunk);
    this.#firsts.push(this.#firsts.at(-1)! + chunk.column.length);
  }

  finish(): undefined {
    this.#keep(new Pass(this.#chunks, this.#firsts, this.#seed));
  }

  drop(): undefined {
    return undefined;
  }
}

class Pass implements Kept {
  readonly seed: string | null;
  readonly chunks: readonly Chunk[];
  /** The number of the first element of each chunk, and of the one that would come next. */
  readonly firsts: readonly number[];

  constructor(chunks: readonly Chunk[], firsts: readonly number[], seed: string | null) {
    this.chunks = chunks;
    this.firsts = firsts;
    this.seed = seed;
  }

  get size(): number {
    return this.firsts.at(-1)!;
  }

  open(index: number): Operator {
    return new CachedOperator(this, index);
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
    const begin = this.#index - this.#pass.firsts[this.#chunk]!;
    const end = Math.min(chunk.column.length, begin + max);
    this.#index += end - begin;
    if (end === chunk.column.length) this.#chunk++;
    return sliceChunk(chunk, begin, end);
  }

  async close(): Promise<void> {
    this.#chunk = Infinity;
  }
}
