/** Chooses the file of each record. */
import { basename, dirname, join } from 'node:path';

import { checkWellFormed, FRAME_BYTES, invalidArgType, outOfRange, type Bytes, type Origin } from '../../base';
import { MAX_SHARDS, shardName } from '../../io';
import { partitionFolder } from './partition-text';
import type { ShardedPlan, ShardKey } from './sharded-options';
import { hashOf, StoredFeature } from './stored-feature';

export interface Placement {
  /** Number of files, if all of them are made whatever is written. */
  readonly count: number | undefined;
  /** Files with lower numbers get no more records. */
  readonly current: number;
  /** Returns the number of the file of `record`, from 0. Records are given in the order in which they are written. */
  fileOf(record: Bytes, origin: () => Origin): number;
  /** The same for a record of `length` bytes, if its content does not matter. Undefined: it does. */
  readonly fileOfLength?: ((length: number) => number) | undefined;
  /**
   * Returns the path of a file of the set that is called `path`. `count`: number of all files; undefined while it is not
   * known.
   */
  pathOf(path: string, index: number, count: number | undefined): string;
}

export function placementOf(plan: ShardedPlan): Placement {
  const { shards, shardBy, maxShardBytes, partitionBy } = plan;
  if (partitionBy !== undefined) return new ByPartition(partitionBy);
  if (maxShardBytes !== undefined) return new BySize(maxShardBytes);
  return new ByNumber(shards!, shardBy === undefined ? undefined : hashBy(shardBy));
}

type Hash = (record: Bytes, origin: () => Origin) => number;

/** In turn, or by a hash. */
class ByNumber implements Placement {
  readonly count: number;
  readonly current = 0;
  readonly fileOfLength: Placement['fileOfLength'];
  readonly #hash: Hash | undefined;
  #next = 0;

  constructor(count: number, hash: Hash | undefined) {
    this.count = count;
    this.#hash = hash;
    this.fileOfLength = hash === undefined ? () => this.#inTurn() : undefined;
  }

  fileOf(record: Bytes, origin: () => Origin): number {
    if (this.#hash === undefined) return this.#inTurn();
    return Math.floor((this.#hash(record, origin) * this.count) / 2 ** 32);
  }

  #inTurn(): number {
    const index = this.#next;
    this.#next = index + 1 === this.count ? 0 : index + 1;
    return index;
  }

  pathOf(path: string, index: number): string {
    return shardName(path, undefined, index, this.count);
  }
}

/** One after the other, each up to a size. */
class BySize implements Placement {
  readonly count = undefined;
  current = 0;
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  fileOf({ length }: Bytes): number {
    return this.fileOfLength(length);
  }

  fileOfLength(length: number): number {
    const bytes = length + FRAME_BYTES;
    if (this.#bytes > 0 && this.#bytes + bytes > this.#most) {
      if (this.current + 1 === MAX_SHARDS) throw outOfRange('options.maxShardBytes', 'larger', this.#most);
      this.current++;
      this.#bytes = 0;
    }
    this.#bytes += bytes;
    return this.current;
  }

  pathOf(path: string, index: number, count: number | undefined): string {
    return count === undefined ? path : shardName(path, undefined, index, count);
  }
}

/** By the values of features, in folders. */
class ByPartition implements Placement {
  readonly count = undefined;
  readonly current = 0;
  readonly #features: readonly StoredFeature[];
  readonly #numbers = new Map<string, number>();
  readonly #folders: string[] = [];

  constructor(features: readonly string[]) {
    this.#features = features.map(partitionFeature);
  }

  fileOf(record: Bytes, origin: () => Origin): number {
    const folder = this.#features.map((feature) => partitionFolder(feature, record, origin)).join('/');
    const known = this.#numbers.get(folder);
    if (known !== undefined) return known;
    const number = this.#folders.length;
    if (number === MAX_SHARDS) {
      const expected = `at most ${MAX_SHARDS} values`;
      const name = JSON.stringify(this.#features.map((feature) => feature.name).join(', '));
      const message = `The records have more values of ${name} than there may be folders: expected ${expected}, found more.`;
      throw this.#features[0]!.error(message, origin(), { expected, found: 'more' });
    }
    this.#numbers.set(folder, number);
    this.#folders.push(folder);
    return number;
  }

  pathOf(path: string, index: number): string {
    return join(dirname(path), this.#folders[index]!, basename(path));
  }
}

/** The feature `name` as one that names folders. */
function partitionFeature(name: string): StoredFeature {
  return new StoredFeature(name, 'by whose feature it could have a folder', 'by which to name a folder');
}

function hashBy(key: ShardKey): Hash {
  if (typeof key === 'string') {
    const feature = new StoredFeature(key, 'whose feature could be hashed', 'by which to choose a file');
    return (record, origin) => feature.hash(record, origin);
  }
  return (record) => hashOf(keyBytes(key(record)));
}

function keyBytes(key: unknown): Uint8Array {
  if (key instanceof Uint8Array) return key;
  if (typeof key === 'number' || typeof key === 'bigint') return Buffer.from(String(key));
  if (typeof key !== 'string') {
    throw invalidArgType('the result of options.shardBy', 'a string, number, bigint or Uint8Array', key);
  }
  checkWellFormed('the result of options.shardBy', key);
  return Buffer.from(key);
}
