import { basename, dirname, join } from 'node:path';

import { invalidArgType, invalidArgValue, checkWellFormed, fullPath } from '../../base';
import { cacheKey } from '../disk-cache/cache-key';
import { DiskKeeper } from '../disk-cache/keeper';
import { PassOnDisk } from '../disk-cache/pass-on-disk';
import { readManifest } from '../disk-cache/manifest';
import { Deferred, sliceChunk, type Chunk, type Mark, type Operator } from '../engine/operator';
import type { Run } from '../engine/run';
import type { Stage } from '../engine/stage';
import { KeepingStage, type Keeper, type StoredPass } from './keeping';

/** Returns the stage of `cache`: in memory, or in `folder`. */
export function cacheOf(input: Stage, folder: string | undefined): Stage {
  if (folder === undefined) return new CacheStage(input);
  if (typeof folder !== 'string') throw invalidArgType('folder', 'the path of a folder', folder);
  if (folder === '') throw invalidArgValue('folder', 'the path of a folder', folder);
  checkWellFormed('folder', folder);
  return new DiskCacheStage(input, folder);
}

/** The stage of `cache()`, which stores elements in memory, for all iterations of the dataset. */
class CacheStage extends KeepingStage {
  /** The first complete pass; undefined before one was completed. All iterations share the object. */
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

class Pass implements StoredPass {
  readonly seed: string | null;
  readonly chunks: readonly Chunk[];
  /** The number of the first element of each chunk, and the total. */
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

/** Reads the stored elements. */
class CachedOperator implements Operator {
  readonly #pass: Pass;
  #index: number;
  /** Number of the chunk of the next element. */
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

/** The stage of `cache(folder)`, which stores elements on the disk, for all processes. */
export class DiskCacheStage extends KeepingStage {
  readonly #folder: string;
  readonly #shardBytes: number | undefined;
  /** The number of elements, after it was read from the folder. */
  readonly #found: { size: number | undefined } = { size: undefined };

  /** @param shardBytes size of a file from which on elements go to another file */
  constructor(input: Stage, folder: string, shardBytes?: number) {
    super(input);
    // Removes a trailing separator, because the temporary name extends the name.
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
        kept: manifest === undefined ? undefined : new PassOnDisk(folder, manifest),
        keeperOf: (seed) => new DiskKeeper(folder, key, seed, this.#shardBytes),
      });
    });
  }
}
