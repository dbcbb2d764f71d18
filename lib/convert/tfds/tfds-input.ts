/** Reads folders of TensorFlow Datasets: the shards of a split, with the features that the folder describes. */
import { join } from 'node:path';

import { invalidArgValue, TFRecordError } from '../../base';
import type { Spec } from '../../example';
import { crc32c } from '../../record';
import { INFO, readTfds, type Rewrite, type TfdsFolder } from '../../schema/tfds';
import type { FindOptions, FoundInput, InputBatch, InputFormat, InputReader, ReadSettings } from '../format';
import { CountedReader } from '../input/counted-reader';
import { FramedReader, silently } from '../input/framed-input';
import { inputsOf, lookAt, type InputFile, type Inputs } from '../input/inputs';
import { JobFaults } from '../job/faults';
import type { ManifestOptions } from '../job/manifest';
import { partOfList } from '../job/parts';
import { tfrecordInput } from '../tfrecord';
import { RewritingReader } from './rewriting-reader';
import { isCut, ShardReader, type ReaderOf, type ExpectedShard, type ExpectedShards } from './shard-reader';

export const tfdsInput: InputFormat = {
  async find({ files, source }, options) {
    const [only] = files;
    if (only === undefined || files.length > 1 || source.kind !== 'paths') {
      throw invalidArgValue('input', 'one folder of TensorFlow Datasets', files.at(-1)?.file);
    }
    const folder = await readTfds(only.file);
    const rewrite = folder.rewrite(options);
    const shards = new Map<string, ExpectedShard>();
    const found: InputFile[] = [];
    let first = 0;
    const { tfdsSplit, signal } = options;
    for (const { file, records } of await folder.shardsThere(tfdsSplit, 'options.tfdsSplit', signal)) {
      signal?.throwIfAborted();
      found.push(await lookAt(file, source.folder));
      shards.set(file, { records, first });
      first += records;
    }
    if (found.length === 0) {
      const { folder: file, name } = folder;
      const split = tfdsSplit === undefined ? '' : ` of ${tfdsSplit}`;
      throw new TFRecordError('ENOENT', `ENOENT: ${join(file, INFO)} lists no files${split} for ${name}`, { file });
    }
    const spec = rewrite?.output.spec ?? folder.spec;
    const { classNames } = folder;
    const identity = identityOf(options, folder);
    return foundShards(await tfrecordInput.find(inputsOf(found, source.folder), options), {
      ...{ options, shards, rewrite, spec, identity, classNames },
    });
  },
};

/** The facts about a split that all parts of a job share. */
interface SplitPlan {
  readonly options: FindOptions;
  readonly shards: ExpectedShards;
  readonly rewrite: Rewrite | undefined;
  readonly spec: Spec;
  readonly identity: ManifestOptions;
  readonly classNames: ReadonlyMap<string, readonly string[]>;
}

/** Other splits have other inputs, and other features another spec. */
function identityOf({ steps, classNames }: FindOptions, folder: TfdsFolder): ManifestOptions {
  const names = classNames ? crc32c(Buffer.from(JSON.stringify([...folder.classNames]))) : null;
  return { steps, classNames: names };
}

/** The inputs that `plain` reads as TFRecords. */
function foundShards(plain: FoundInput, plan: SplitPlan): FoundInput {
  const { options, shards, rewrite, spec, identity, classNames } = plan;
  const { inputs } = plain;
  const checked = <B extends InputBatch>(reader: ReaderOf<B>, settings: ReadSettings, first?: number): ReaderOf<B> =>
    new ShardReader(reader, inputs, shards, settings, first);
  const lengthOf = (input: number): number => shards.get(inputs.files[input]!.file)!.records;
  const countsSteps = rewrite !== undefined && options.steps;
  return {
    inputs,
    // The sizes of records that are changed are not known before.
    uses: ['verify', ...(rewrite === undefined ? (['maxBytes'] as const) : []), 'tfdsSplit', 'steps', 'classNames'],
    noSpec: plain.noSpec,
    spec,
    identity,
    classNames,
    async partOf(part) {
      if (rewrite === undefined) return foundShards(await plain.partOf(part), plan);
      // Only in whole shards, the numbers of their episodes are known.
      const own = inputsOf(partOfList(inputs.files, part), folderOf(inputs));
      return foundShards(await tfrecordInput.find(own, options), plan);
    },
    async prepared(settings, progress) {
      const records = await plain.prepared(settings, progress);
      return {
        open(first, number = 0, own = settings, place) {
          if (rewrite === undefined) return checked(records.open(first, number, own, place), own, first);
          const reader = checked(records.open(first, 0, own), own, first);
          return new RewritingReader(reader, inputs, shards, rewrite, own, first);
        },
        native() {
          const native = rewrite === undefined && settings.policy.alwaysThrows ? records.native?.() : undefined;
          return native && { ...native, check: () => drained(checked(plain.units(settings, false), settings)) };
        },
        close: async () => records.close?.(),
      };
    },
    units(settings, measured) {
      const units = plain.units(settings, measured);
      // Units of files with damage that is left out are counted without it.
      if (!countsSteps) return settings.policy.alwaysThrows ? checked(units, settings) : units;
      return new CountedReader(async () => {
        // Damage that the caller accepts is reported later, when the records are written.
        const faults = new JobFaults(silently(settings.policy));
        const silent = { ...settings, faults, policy: faults.policy };
        const reader = checked(new FramedReader(inputs, 0, silent), silent);
        return countsIn(new RewritingReader(reader, inputs, shards, rewrite, silent), inputs.files.length);
      });
    },
    async counts(settings) {
      const counts = countsSteps ? undefined : await plain.counts?.(settings);
      const wrong = counts?.findIndex((count, input) => !isCut(inputs, input) && count !== lengthOf(input)) ?? -1;
      // Reading reports it.
      return wrong < 0 ? counts : undefined;
    },
  };
}

function folderOf({ source }: Inputs): string | undefined {
  return source.kind === 'paths' ? source.folder : undefined;
}

async function drained(reader: InputReader): Promise<void> {
  await countsIn(reader, 0);
}

/** The number of records that `reader` delivers of each of `inputs`. Closes it. */
async function countsIn(reader: InputReader, inputs: number): Promise<readonly number[]> {
  const counts = Array.from({ length: inputs }, () => 0);
  try {
    for (let portion = await reader.next(); portion !== undefined; portion = await reader.next()) {
      counts[portion.input]! += portion.batch.length;
    }
  } finally {
    await reader.close();
  }
  return counts;
}
