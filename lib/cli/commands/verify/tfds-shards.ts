/**
 * Checks the numbers of records that TensorFlow Datasets stores in `dataset_info.json`, next to the files of a data set.
 */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { TFRecordError } from '../../../base';
import type { TfdsSplit } from '../../../schema';
import { onDemand } from '../../on-demand';
import { plural } from '../../terminal/text';

const INFO = 'dataset_info.json';

/** A shard of a data set, by its name. */
interface Shard {
  readonly split: TfdsSplit;
  readonly index: number;
  readonly count: number;
}

/** Checks files against the `dataset_info.json` next to each. */
export class TfdsShards {
  readonly #splits = new Map<string, Promise<readonly TfdsSplit[]>>();
  /** The splits whose files were found by a pattern or in a folder, with the indices of these files. */
  readonly #found = new Map<TfdsSplit, { readonly folder: string; readonly indices: Set<number> }>();

  /**
   * Returns the error if the number of records in `file`, or the number of shards in its name, differs from
   * `dataset_info.json`. If `named`, the user named this file itself, so the other files of its split may be elsewhere.
   */
  async check(file: string, records: number, named: boolean): Promise<TFRecordError | undefined> {
    const folder = dirname(file);
    const shard = shardOf(basename(file), await this.#splitsIn(folder));
    if (shard === undefined) return undefined;
    const { split, index, count } = shard;
    const shards = split.shardLengths.length;
    if (count !== shards) {
      return onDemand.tfds.contradiction(
        file,
        `the split ${split.name} has ${plural(shards, 'shard')}`,
        `one of ${count}`,
      );
    }
    if (!named) {
      const found = this.#found.get(split) ?? { folder, indices: new Set() };
      found.indices.add(index);
      this.#found.set(split, found);
    }
    const expected = split.shardLengths[index]!;
    return records === expected ? undefined : onDemand.tfds.wrongRecords(file, expected, records);
  }

  /** Returns the errors for splits of which some shards were checked, and others are missing. */
  missing(): TFRecordError[] {
    return [...this.#found].flatMap(([split, { folder, indices }]) => {
      const lacks = split.shardLengths.flatMap((_, index) => (indices.has(index) ? [] : split.fileName(index)));
      if (lacks.length === 0) return [];
      return [onDemand.tfds.missingShards(folder, split, lacks)];
    });
  }

  #splitsIn(folder: string): Promise<readonly TfdsSplit[]> {
    let splits = this.#splits.get(folder);
    if (splits === undefined) this.#splits.set(folder, (splits = splitsIn(folder)));
    return splits;
  }
}

/** Returns the splits of the data set in `folder`; none if there is no valid description of one. */
async function splitsIn(folder: string): Promise<readonly TfdsSplit[]> {
  try {
    await stat(join(folder, INFO));
    return (await onDemand.tfds.readTfdsInfo(folder)).splits;
  } catch {
    return [];
  }
}

function shardOf(name: string, splits: readonly TfdsSplit[]): Shard | undefined {
  for (const [, at, of] of name.matchAll(/(?=(\d{5,})-of-(\d{5,}))/g)) {
    const [index, count] = [Number(at), Number(of)];
    const split = splits.find((each) => each.fileName(index, count) === name);
    if (split !== undefined) return { split, index, count };
  }
  return undefined;
}
