/**
 * Data sets in the form of TensorFlow Datasets, written by the rules of its serializer: names joined by `/`, one sequence
 * flat, several as `ragged_flat_values` and `ragged_row_lengths_N`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bytes, encodeExample, float, int64, type FeatureLike } from '../../../lib';
import { tfrecord } from './tfrecord';

/** A feature, as in `features.json`. */
export type TfdsFeature = Readonly<Record<string, unknown>>;

const MODULE = 'tensorflow_datasets.core.features';

export const dict = (features: Readonly<Record<string, TfdsFeature>>): TfdsFeature => ({
  pythonClassName: `${MODULE}.features_dict.FeaturesDict`,
  featuresDict: { features },
});
export const tensor = (dtype: string, ...dimensions: number[]): TfdsFeature => ({
  pythonClassName: `${MODULE}.tensor_feature.Tensor`,
  tensor: { shape: { dimensions: dimensions.map(String) }, dtype, encoding: 'none' },
});
export const scalar = (dtype: string): TfdsFeature => ({
  pythonClassName: `${MODULE}.scalar.Scalar`,
  tensor: { shape: {}, dtype, encoding: 'none' },
});
export const optional = (dtype: string, ...dimensions: number[]): TfdsFeature => ({
  pythonClassName: `${MODULE}.tensor_feature.Tensor`,
  tensor: { shape: { dimensions: dimensions.map(String) }, dtype, encoding: 'none', optional: true },
});
export const text = (): TfdsFeature => ({ pythonClassName: `${MODULE}.text_feature.Text`, text: {} });
export const label = (numClasses: number): TfdsFeature => ({
  pythonClassName: `${MODULE}.class_label_feature.ClassLabel`,
  classLabel: { numClasses: String(numClasses) },
});
export const image = (): TfdsFeature => ({
  pythonClassName: `${MODULE}.image_feature.Image`,
  image: { shape: { dimensions: ['4', '4', '3'] }, dtype: 'uint8', encodingFormat: 'png' },
});
export const sequence = (feature: TfdsFeature, length = -1): TfdsFeature => ({
  pythonClassName: `${MODULE}.sequence_feature.Sequence`,
  sequence: { feature, length: String(length) },
});
export const dataset = (feature: TfdsFeature): TfdsFeature => ({
  pythonClassName: `${MODULE}.dataset_feature.Dataset`,
  sequence: { feature, length: '-1' },
});

/** A value of a feature: numbers and texts, lists for tensors and sequences, objects for dictionaries. */
export type TfdsValue = number | bigint | string | null | readonly TfdsValue[] | { readonly [name: string]: TfdsValue };

interface Leaf {
  readonly name: string;
  /** The way to it: the key of a dictionary, or undefined for the elements of a sequence. */
  readonly path: readonly (string | undefined)[];
  readonly make: (values: readonly TfdsValue[]) => FeatureLike;
}

type Content = Readonly<Record<string, never>> & { readonly dtype: string };

function makeOf(feature: TfdsFeature): Leaf['make'] {
  const dtype = (feature['tensor'] as Content | undefined)?.dtype ?? ('classLabel' in feature ? 'int64' : 'bytes');
  if (dtype.includes('float')) return (values) => float(values as number[]);
  if (dtype.includes('int') || dtype === 'bool')
    return (values) => int64(values.map((value) => BigInt(value as number)));
  return (values) => bytes(values as string[]);
}

function leavesOf(feature: TfdsFeature, name = '', path: Leaf['path'] = []): Leaf[] {
  const { featuresDict, sequence: inner } = feature as {
    featuresDict?: { features: Record<string, TfdsFeature> };
    sequence?: { feature: TfdsFeature };
  };
  if (inner !== undefined) return leavesOf(inner.feature, name, [...path, undefined]);
  if (featuresDict === undefined) return [{ name, path, make: makeOf(feature) }];
  return Object.entries(featuresDict.features).flatMap(([key, each]) =>
    leavesOf(each, name === '' ? key : `${name}/${key}`, [...path, key]),
  );
}

function valueAt(value: TfdsValue, path: Leaf['path']): TfdsValue {
  const [key, ...rest] = path;
  if (path.length === 0) return value;
  if (key === undefined) return (value as TfdsValue[]).map((each) => valueAt(each, rest));
  return valueAt((value as Record<string, TfdsValue>)[key]!, rest);
}

/** All values in `value`, in order. */
function flat(value: TfdsValue): TfdsValue[] {
  return Array.isArray(value) ? (value as readonly TfdsValue[]).flatMap(flat) : [value];
}

/** The features that store `example`. */
export function tfdsExample(features: TfdsFeature, example: TfdsValue): Record<string, FeatureLike> {
  const stored: Record<string, FeatureLike> = {};
  for (const { name, path, make } of leavesOf(features)) {
    const value = valueAt(example, path);
    const rank = path.filter((key) => key === undefined).length;
    // The way in which an optional tensor is missing.
    if (value === null) continue;
    if (rank < 2) {
      stored[name] = make(flat(value));
      continue;
    }
    let level = value as readonly TfdsValue[];
    for (let i = 0; i < rank - 1; i++) {
      stored[`${name}/ragged_row_lengths_${i}`] = int64(level.map((each) => BigInt((each as TfdsValue[]).length)));
      level = level.flatMap((each) => each as TfdsValue[]);
    }
    stored[`${name}/ragged_flat_values`] = make(flat(level));
  }
  return stored;
}

/** A data set to write. */
export interface TfdsSet {
  readonly features: TfdsFeature;
  /** The examples of each shard of each split. */
  readonly splits: Readonly<Record<string, readonly (readonly TfdsValue[])[]>>;
  /** The names of classes, by files without `.labels.txt`. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Changes `dataset_info.json`. */
  readonly info?: Readonly<Record<string, unknown>>;
}

export const shardName = (split: string, index: number, count: number): string =>
  `my_set-${split}.tfrecord-${String(index).padStart(5, '0')}-of-${String(count).padStart(5, '0')}`;

/** Writes `set` to the new folder `path`. Returns the path. */
export function writeTfds(path: string, { features, splits, labels = {}, info = {} }: TfdsSet): string {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'features.json'), JSON.stringify(features));
  const described = Object.entries(splits).map(([name, shards]) => {
    for (const [i, examples] of shards.entries()) {
      const records = examples.map((example) => encodeExample(tfdsExample(features, example)));
      writeFileSync(join(path, shardName(name, i, shards.length)), tfrecord(records));
    }
    const filepathTemplate = '{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}';
    return { name, filepathTemplate, numBytes: '1', shardLengths: shards.map(({ length }) => String(length)) };
  });
  const about = { fileFormat: 'tfrecord', name: 'my_set', version: '1.0.0', splits: described, ...info };
  writeFileSync(join(path, 'dataset_info.json'), JSON.stringify(about));
  for (const [name, names] of Object.entries(labels)) {
    writeFileSync(join(path, `${name}.labels.txt`), `${names.join('\n')}\n`);
  }
  return path;
}

/** Episodes as in Open X-Embodiment. */
export const EPISODES: TfdsFeature = dict({
  steps: dataset(
    dict({
      observation: dict({ image: image(), state: tensor('float32', 2), objects: sequence(label(3)) }),
      action: tensor('float32', 3),
      language_instruction: text(),
      is_last: scalar('bool'),
    }),
  ),
  episode_metadata: dict({ file_path: text(), kind: label(3) }),
});
export const KINDS = ['pick', 'place', 'push'];

/** Episode `number`, with `steps` steps. */
export function episode(number: number, steps: number): TfdsValue {
  return {
    steps: Array.from({ length: steps }, (_, i) => ({
      observation: {
        image: `image ${number}.${i}`,
        state: [number, i / 2],
        objects: Array.from({ length: (number + i) % 3 }, (_each, k) => k),
      },
      action: [i, number, 0.5],
      language_instruction: `do ${i}`,
      is_last: i === steps - 1 ? 1 : 0,
    })),
    episode_metadata: { file_path: `/data/${number}`, kind: number % 3 },
  };
}

/** The lines of its steps in JSON Lines. `names`: with names of classes. */
export function stepRows(number: number, steps: number, names = false): object[] {
  const { steps: all, episode_metadata } = episode(number, steps) as unknown as {
    steps: {
      observation: { image: string; state: number[]; objects: number[] };
      action: number[];
      language_instruction: string;
      is_last: number;
    }[];
    episode_metadata: { file_path: string; kind: number };
  };
  const named = (value: number): number | string => (names ? KINDS[value]! : value);
  return all.map(({ observation, action, language_instruction, is_last }, step) => ({
    'steps/observation/image': observation.image,
    'steps/observation/state': observation.state,
    'steps/observation/objects': observation.objects.map(named),
    'steps/action': action,
    'steps/language_instruction': language_instruction,
    'steps/is_last': is_last,
    'episode_metadata/file_path': episode_metadata.file_path,
    'episode_metadata/kind': named(episode_metadata.kind),
    episode: number,
    step,
  }));
}
