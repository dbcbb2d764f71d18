import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { inspect } from 'node:util';

import {
  inspected,
  invalidArgType,
  invalidArgValue,
  isUrl,
  pathOf,
  TFRecordError,
  type InspectArguments,
} from '../../base';
import type { Spec } from '../../example';
import { inFile } from '../read/small-file';
import { Schema } from '../schema';
import { readClassNames } from './class-names';
import { INFO, missingShards, readTfdsInfo, type TfdsInfo, type TfdsShard, type TfdsSplit } from './dataset-info';
import { tfdsTensors, type TfdsTensor } from './features-json';
import { invalidFile, readJson } from './json-file';
import { tfdsFeatures } from './layout';
import { checkStepOptions, readSteps, type StepReadOptions, type StepRow } from './read-steps';
import { Rewrite } from './rewrite';

const FEATURES = 'features.json';

/**
 * A data set that TensorFlow Datasets wrote: its splits, its features and the names of its classes. {@link readTfds}
 * reads it. Does not hold records.
 *
 * @example
 * const { name, splits, spec } = await readTfds('data/my_set/1.0.0');
 * console.log(name, splits.map((split) => [split.name, split.records]), Object.keys(spec));
 */
export class TfdsFolder {
  /** The path of the folder, as it was given. */
  readonly folder: string;
  /** The name of the data set, such as `mnist`. */
  readonly name: string;
  /** Its version, such as `3.0.1`; undefined if it has none. */
  readonly version: string | undefined;
  /** The name of its configuration; undefined if it has none. */
  readonly config: string | undefined;
  /** The splits, in the order of `dataset_info.json`. */
  readonly splits: readonly TfdsSplit[];
  /** The stored features. Nested ones have names that are joined by `/`. */
  readonly schema: Schema;
  /** The names of classes, in the order of their numbers, by the features that have names. */
  readonly classNames: ReadonlyMap<string, readonly string[]>;
  readonly #tensors: readonly TfdsTensor[];

  /** @internal */
  constructor(
    folder: string,
    { name, version, config, splits }: TfdsInfo,
    tensors: readonly TfdsTensor[],
    classNames: ReadonlyMap<string, readonly string[]>,
  ) {
    this.folder = folder;
    this.name = name;
    this.version = version;
    this.config = config;
    this.splits = splits;
    this.classNames = classNames;
    this.#tensors = tensors;
    const { features, spec } = tfdsFeatures(tensors);
    this.schema = new Schema('Example', features, spec);
  }

  /** The spec that reads the records, for `readExamples`. An episode of RLDS is one row. */
  get spec(): Spec {
    return this.schema.spec;
  }

  /**
   * Returns the paths of the files of a split, in order. The files may be missing: see {@link TfdsFolder.shards}.
   * @param split - As for {@link TfdsFolder.shards}.
   *
   * @example
   * const set = await readTfds('data/my_set/1.0.0');
   * for await (const row of readExamples(set.files('train'), set.spec)) console.log(row);
   */
  files(split?: string): string[] {
    return this.shards(split).map(({ file }) => file);
  }

  /**
   * Returns the files of a split, in order, and the number of records that each must have.
   * @param split - The name of a split, several different ones joined by `+`, or `all`. Default: the only split.
   * @throws TypeError if there is no such split, if one is named twice, or if there are several and none is named;
   *   TFRecordError TFR_DECODE if two of the splits have the same file
   *
   * @example
   * const set = await readTfds('data/my_set/1.0.0');
   * for (const { file, records } of set.shards('train')) console.log(file, (await countRecords(file)) === records);
   */
  shards(split?: string): TfdsShard[] {
    return this.#shardsOf(this.#splitsOf(split, 'split'));
  }

  #shardsOf(splits: readonly TfdsSplit[]): TfdsShard[] {
    const shards = splits.flatMap((each) =>
      each.shardLengths.map((records, i) => ({ file: join(this.folder, each.fileName(i)), records })),
    );
    // The episodes of a file have one number each.
    const seen = new Set<string>();
    for (const { file } of shards) {
      if (seen.has(file)) {
        throw invalidFile(join(this.folder, INFO), 'each file in one split', `${basename(file)} in several`);
      }
      seen.add(file);
    }
    return shards;
  }

  /**
   * @internal The files of the split that `option` names, which exist. @throws TypeError as {@link TfdsFolder.shards}; TFRecordError ENOENT,
   * naming the missing files; the reason of `signal`
   */
  async shardsThere(split: string | undefined, option: string, signal?: AbortSignal): Promise<TfdsShard[]> {
    const splits = this.#splitsOf(split, option);
    for (const each of splits) {
      const lacks: string[] = [];
      for (let i = 0; i < each.shardLengths.length; i++) {
        signal?.throwIfAborted();
        const name = each.fileName(i);
        if (!(await isThere(join(this.folder, name)))) lacks.push(name);
      }
      if (lacks.length > 0) throw missingShards(this.folder, each, lacks);
    }
    return this.#shardsOf(splits);
  }

  /** @internal Changes the records: to rows of steps, and to names of classes. Undefined: leaves them as they are. */
  rewrite({ steps, classNames }: { readonly steps: boolean; readonly classNames: boolean }): Rewrite | undefined {
    if (!steps && !classNames) return undefined;
    return new Rewrite(this.#tensors, { steps, classNames: classNames ? this.classNames : undefined });
  }

  /**
   * Reads data sets of episodes (RLDS): a row is a step, with the features of its episode, and with `episode`, the number
   * of the episode in the split, and `step`, the number of the step in the episode.
   * @param split - As for {@link TfdsFolder.shards}.
   * @throws TypeError for wrong options, and if the data set has no steps; TFRecordError, when the iteration reaches it:
   *   TFR_FEATURE for an episode whose features have different numbers of steps; TFR_STATE_MISMATCH for a shard with
   *   another number of records; the codes of reading. `onError` can leave out episodes, and steps that `int64` or `bytes`
   *   refuses
   *
   * @example
   * const set = await readTfds('data/robots/1.0.0');
   * for await (const row of set.steps('train')) console.log(row.episode, row.step, row['steps/action']);
   */
  steps(split?: string, options?: StepReadOptions): AsyncIterableIterator<StepRow> {
    const reading = checkStepOptions(options);
    const { classNames } = reading;
    const rewrite = this.rewrite({ steps: true, classNames })!;
    return readSteps(this.shards(split), rewrite, reading);
  }

  #splitsOf(given: string | undefined, name: string): readonly TfdsSplit[] {
    const names = this.splits.map((split) => split.name);
    const known = `one of ${names.join(', ')}, several joined by +, or all`;
    if (given === undefined) {
      if (this.splits.length > 1) throw invalidArgValue(name, `given: ${known}`, given);
      return this.splits;
    }
    if (typeof given !== 'string') throw invalidArgType(name, 'the name of a split', given);
    if (given === 'all' && !names.includes('all')) return this.splits;
    const chosen = given.split('+');
    if (new Set(chosen).size < chosen.length) throw invalidArgValue(name, 'splits that are each named once', given);
    return chosen.map((one) => {
      const split = this.splits.find((each) => each.name === one);
      if (split === undefined) throw invalidArgValue(name, known, given);
      return split;
    });
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected(this.constructor.name, args, () => ({
      folder: this.folder,
      name: this.name,
      version: this.version,
      splits: this.splits,
    }));
  }
}

/**
 * Reads the description of a data set that TensorFlow Datasets wrote: `dataset_info.json`, `features.json`, and the names
 * of classes in `NAME.labels.txt`. Does not read records.
 *
 * @param path - The folder with these files, such as `~/tensorflow_datasets/mnist/3.0.1`, or its `dataset_info.json`.
 * @throws TFRecordError, naming the file: Node's code if it cannot be read; TFR_DECODE if it is invalid; TFR_SPEC for
 *   features that records cannot hold, and for names that contradict the features; TFR_NOT_TFRECORD if the records are
 *   stored in another format
 *
 * @example
 * const set = await readTfds('data/my_set/1.0.0');
 * console.log(set.splits.length, set.classNames.get('label'));
 */
export async function readTfds(path: string | URL): Promise<TfdsFolder> {
  if (typeof path !== 'string' && !isUrl(path)) throw invalidArgType('path', 'a string or a URL', path);
  const given = pathOf(path, 'path');
  const folder = basename(given) === INFO ? dirname(given) : given;
  const info = await readTfdsInfo(folder);
  if (info.fileFormat !== 'tfrecord') {
    const file = join(folder, INFO);
    const message = `The records of ${folder} are stored as ${info.fileFormat}: expected tfrecord. Let tensorflow_datasets write them with file_format="tfrecord".`;
    throw new TFRecordError('TFR_NOT_TFRECORD', message, { file, expected: 'tfrecord', found: info.fileFormat });
  }
  const file = join(folder, FEATURES);
  const json = await readJson(file);
  try {
    const tensors = tfdsTensors(json);
    return new TfdsFolder(folder, info, tensors, await readClassNames(folder, tensors));
  } catch (error) {
    throw inFile(error, file);
  }
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
