import { basename, dirname, join } from 'node:path';

import { invalidArgType, invalidArgValue } from '../../errors';
import { checkWellFormed, fullPath } from '../../record';
import { counted } from '../../wording';
import { cacheKey } from '../disk-cache/cache-key';
import { DiskKeeper } from '../disk-cache/keeper';
import { KeptOnDisk } from '../disk-cache/kept-on-disk';
import { readManifest } from '../disk-cache/manifest';
import {
  behind,
  Deferred,
  misplaced,
  placeCount,
  placeList,
  placeMark,
  skipping,
  sliceChunk,
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
abstract class KeepingStage extends Stage {
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

/** The stage of `cache`: in memory, or in `folder`. */
export function cacheOf(input: Stage, folder: string | undefined): Stage {
  if (folder === undefined) return new CacheStage(input);
  if (typeof folder !== 'string') throw invalidArgType('folder', 'the path of a folder', folder);
  if (folder === '') throw invalidArgValue('folder', 'the path of a folder', folder);
  checkWellFormed('folder', folder);
  return new DiskCacheStage(input, folder);
}

/** `cache()`: held in memory, for all iterations of the dataset. */
class CacheStage extends KeepingStage {
  /** The first complete pass, once there was one. */
  readonly #first: { pass: Pass | undefined } = { pass: undefined };

  override get size(): number | undefined {
    return this.#first.pass?.size ?? this.input?.size;
  }

  open(run: Run, from: Mark): Operator {
    const first = this.#first;
    const keep = (pass: Pass): void => void (first.pass ??= pass);
    return this.openKeeping(run, from, { kept: first.pass, keeperOf: (seed) => new MemoryKeeper(seed, keep) });
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
    this.#firsts.push(this.#firsts.at(-1)! + chunk.elements.length);
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

/** Gives the kept elements. */
class CachedOperator implements Operator {
  readonly #pass: Pass;
  #index: number;
  /** The chunk of the next element. */
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
    const end = Math.min(chunk.elements.length, begin + max);
    this.#index += end - begin;
    if (end === chunk.elements.length) this.#chunk++;
    return sliceChunk(chunk, begin, end);
  }

  async close(): Promise<void> {
    this.#chunk = Infinity;
  }
}

/** `cache(folder)`: held on the disk, for all processes. */
export class DiskCacheStage extends KeepingStage {
  readonly #folder: string;
  readonly #shardBytes: number | undefined;
  /** The number of elements, once it was read in the folder. */
  readonly #found: { size: number | undefined } = { size: undefined };

  /** @param shardBytes from which on elements go to another file */
  constructor(input: Stage, folder: string, shardBytes?: number) {
    super(input);
    // Another name is made of it: it has to end with one.
    this.#folder = join(dirname(folder), basename(folder));
    this.#shardBytes = shardBytes;
  }

  override get size(): number | undefined {
    return this.#found.size ?? this.input?.size;
  }

  open(run: Run, from: Mark): Operator {
    const folder = fullPath(this.#folder, run.scope.folder);
    return new Deferred(async () => {
      const key = await cacheKey(this.input!, run.scope);
      const manifest = await readManifest(folder, key);
      this.#found.size = manifest?.elements ?? this.#found.size;
      return this.openKeeping(run, from, {
        kept: manifest === undefined ? undefined : new KeptOnDisk(folder, manifest),
        keeperOf: (seed) => new DiskKeeper(folder, key, seed, this.#shardBytes),
      });
    });
  }
}
