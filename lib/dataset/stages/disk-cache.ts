import { basename, dirname, join } from 'node:path';

import { fullPath } from '../../record';
import { cacheKey } from '../disk-cache/cache-key';
import { DiskKeeper } from '../disk-cache/keeper';
import { KeptOnDisk } from '../disk-cache/kept-on-disk';
import { readManifest } from '../disk-cache/manifest';
import { Deferred, type Mark, type Operator } from '../engine/operator';
import type { Run } from '../engine/run';
import type { Stage } from '../engine/stage';
import { KeepingStage } from './keeping';

/** `cache(folder)`: held on the disk, for all processes. */
export class DiskCacheStage extends KeepingStage {
  readonly #folder: string;
  readonly #shardBytes: number | undefined;
  #size: number | undefined;

  /** @param shardBytes from which on elements go to another file */
  constructor(input: Stage, folder: string, shardBytes?: number) {
    super(input);
    // Another name is made of it: it has to end with one.
    this.#folder = join(dirname(folder), basename(folder));
    this.#shardBytes = shardBytes;
  }

  override get size(): number | undefined {
    return this.#size ?? this.input?.size;
  }

  open(run: Run, from: Mark): Operator {
    const folder = fullPath(this.#folder, run.scope.folder);
    return new Deferred(async () => {
      const key = await cacheKey(this.input!, run.scope);
      const manifest = await readManifest(folder, key);
      this.#size = manifest?.elements ?? this.#size;
      return this.openKeeping(run, from, {
        kept: manifest === undefined ? undefined : new KeptOnDisk(folder, manifest),
        keeperOf: (seed) => new DiskKeeper(folder, key, seed, this.#shardBytes),
      });
    });
  }
}
