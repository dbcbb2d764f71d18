/** Folders of TensorFlow Datasets: their description, and the rows of their steps. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

import {
  bytes,
  encodeExample,
  int64,
  parseSingleExample,
  readExamples,
  type Spec,
  type TFRecordError,
} from '../../../lib';
import { readSchema, readTfds, type StepReadOptions } from '../../../lib/schema';
import { Folder } from '../../support/records/record-files';
import {
  dataset,
  dict,
  episode,
  EPISODES,
  KINDS,
  label,
  optional,
  scalar,
  sequence,
  shardName,
  stepRows,
  tensor,
  text,
  tfdsExample,
  writeTfds,
  type TfdsFeature,
  type TfdsSet,
} from '../../support/records/tfds-sets';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const write = (set: TfdsSet): string => writeTfds(folder.fresh(), set);
const robots = (more: Partial<TfdsSet> = {}): string =>
  write({
    features: EPISODES,
    splits: { train: [[episode(0, 2)], [], [episode(1, 1), episode(2, 3)]], test: [[episode(3, 1)]] },
    labels: { 'episode_metadata-kind': KINDS },
    ...more,
  });

/** The spec of `features`, as JSON. */
async function specOf(features: TfdsFeature): Promise<unknown> {
  const schema = await readSchema(write({ features, splits: { train: [] } }));
  return JSON.parse(JSON.stringify(schema.toSpecJSON()));
}

describe('readTfds', () => {
  test('has the splits, the files, the features and the names of classes', async () => {
    const path = robots({ info: { configName: 'small' } });
    for (const given of [path, pathToFileURL(path), join(path, 'dataset_info.json')]) {
      const set = await readTfds(given);
      expect(set).toMatchObject({ folder: path, name: 'my_set', version: '1.0.0', config: 'small' });
      expect(set.splits.map(({ name, records, shardLengths }) => [name, records, shardLengths])).toEqual([
        ['train', 3, [1, 0, 2]],
        ['test', 1, [1]],
      ]);
      expect(set.shards('train')).toEqual(
        [1, 0, 2].map((records, i) => ({ file: join(path, shardName('train', i, 3)), records })),
      );
      expect(set.files('test')).toEqual([join(path, shardName('test', 0, 1))]);
      expect(set.files('all')).toHaveLength(4);
      expect([...set.classNames]).toEqual([['episode_metadata/kind', KINDS]]);
      expect(() => set.files()).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
      expect(() => set.files('dev')).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
      expect(() => set.files(1 as never)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }));
      expect(inspect(set)).toContain("name: 'my_set'");
      let rows = 0;
      for await (const row of readExamples(set.files('train'), set.spec)) {
        expect(Object.keys(row)).toContain('steps/action');
        rows++;
      }
      expect(rows).toBe(3);
    }
  });

  test('a split that is named twice, and splits with the same file, are refused', async () => {
    const set = await readTfds(robots());
    for (const split of ['train+train', 'train+test+train']) {
      expect(() => set.shards(split)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
    }
    const filepathTemplate = 'd-{SHARD_X_OF_Y}';
    const splits = ['train', 'test'].map((name) => ({ name, filepathTemplate, shardLengths: [1] }));
    const shared = await readTfds(robots({ info: { splits } }));
    expect(shared.files('test')).toHaveLength(1);
    const file = join(shared.folder, 'dataset_info.json');
    for (const split of ['all', 'train+test']) {
      expect(() => shared.shards(split)).toThrow(expect.objectContaining({ code: 'TFR_DECODE', file }));
    }
  });

  test('older descriptions lack templates, formats and lengths as texts', async () => {
    const splits = [{ name: 'train', shardLengths: [1, 0, 2] }, { name: 'none' }];
    const set = await readTfds(robots({ info: { splits, fileFormat: undefined, version: undefined } }));
    expect(set.files('train')).toEqual([0, 1, 2].map((i) => join(set.folder, shardName('train', i, 3))));
    expect([set.files('none'), set.version]).toEqual([[], undefined]);
  });

  test('names of classes lose spaces and empty lines; a class label may have its own', async () => {
    const own = { type: 'tensorflow_datasets.core.features.class_label_feature.ClassLabel', content: { names: ['x'] } };
    const features = dict({ a: label(2), b: own, c: label(5), 'd/e': dict({ f: label(1) }) });
    const path = write({ features, splits: { train: [] }, labels: { 'd.e-f': ['deep'] } });
    writeFileSync(join(path, 'a.labels.txt'), ' cat \r\n\n dog');
    expect([...(await readTfds(path)).classNames]).toEqual([
      ['a', ['cat', 'dog']],
      ['b', ['x']],
      ['d/e/f', ['deep']],
    ]);
  });

  test.each([
    ['', 'ERR_INVALID_ARG_VALUE'],
    ['\0', 'ERR_INVALID_ARG_VALUE'],
  ])('a path that is none: %j', async (path, code) => {
    await expect(readTfds(path)).rejects.toMatchObject({ code });
  });
});

describe('features.json', () => {
  test('sequences in sequences are ragged, even if all lengths are known, as they are stored', async () => {
    const features = dict({ a: sequence(sequence(tensor('float32', 2), 3), 2) });
    expect(await specOf(features)).toEqual({
      a: {
        type: 'ragged',
        dtype: 'float32',
        valueKey: 'a/ragged_flat_values',
        partitions: [
          { by: 'rowLengths', key: 'a/ragged_row_lengths_0' },
          { by: 'uniformRowLength', length: 2 },
        ],
      },
    });
    const [x, y] = [
      [1, 2],
      [3, 4],
    ];
    const record = encodeExample(
      tfdsExample(features, {
        a: [
          [x, y, x],
          [y, y, x],
        ],
      }),
    );
    const { spec } = await readSchema(write({ features, splits: { train: [] } }));
    const { a } = parseSingleExample(record, spec as Spec);
    expect((a as { toArray(): unknown }).toArray()).toEqual([
      [x, y, x],
      [y, y, x],
    ]);
  });

  test('one unknown size, wherever it is', async () => {
    expect(await specOf(dict({ a: tensor('int64', 2, -1), b: sequence(tensor('int64', -1), 3) }))).toEqual({
      a: { type: 'fixedLenSequence', dtype: 'int64', shape: [], allowMissing: true },
      b: { type: 'fixedLenSequence', dtype: 'int64', shape: [], allowMissing: true },
    });
  });

  test('optional values, in both forms, and the numbers of words of old texts', async () => {
    const of = (name: string, content: unknown): TfdsFeature => ({
      type: `tensorflow_datasets.core.features.${name}`,
      content,
    });
    const features = dict({
      a: optional('int64'),
      b: optional('float32', 3),
      c: of('optional_feature.Optional', { feature: text() }),
      d: sequence(optional('int64')),
      e: of('text_feature.Text', { use_encoder: true }),
    });
    const steps = { type: 'fixedLenSequence', shape: [], allowMissing: true };
    expect(await specOf(features)).toEqual({
      a: { type: 'fixedLen', dtype: 'int64', shape: [], default: null },
      b: { ...steps, dtype: 'float32' },
      c: { type: 'fixedLen', dtype: 'text', shape: [], default: null },
      d: { ...steps, dtype: 'int64' },
      e: { ...steps, dtype: 'int64' },
    });
  });

  test.each<[string, TfdsFeature]>([
    ['JSON that is cut in jsonFeature', { pythonClassName: 'a.b.Text', jsonFeature: { json: '{' } }],
    ['a class with the name of a member of objects', { pythonClassName: 'a.toString' }],
    [
      'features that are nested without end',
      Array.from({ length: 100 }).reduce<TfdsFeature>((all) => dict({ a: all }), text()),
    ],
  ])('%s: refused', async (_, feature) => {
    await expect(specOf(dict({ x: feature }))).rejects.toMatchObject({ code: 'TFR_SPEC' });
  });
});

describe('steps', () => {
  const read = async (path: string, split?: string, options?: StepReadOptions): Promise<unknown[]> => {
    const rows: unknown[] = [];
    for await (const row of (await readTfds(path)).steps(split, options)) rows.push(JSON.parse(JSON.stringify(row)));
    return rows;
  };

  test('are rows with the features of their episode, of all shards', async () => {
    const rows = await read(robots(), 'train', { bytes: 'text', int64: 'number' });
    expect(rows).toEqual([...stepRows(0, 2), ...stepRows(1, 1), ...stepRows(2, 3)]);
    const named = await read(robots(), 'all', { bytes: 'text', int64: 'number', classNames: true });
    expect(named.map((row) => (row as Record<string, unknown>)['episode_metadata/kind'])).toEqual(
      [0, 0, 1, 2, 2, 2, 0].map((kind) => KINDS[kind]),
    );
    expect(named.at(-1)).toMatchObject({ episode: 3, step: 0 });
  });

  test('a shard with another number of records, and a bad episode, are errors after all steps before', async () => {
    const path = robots();
    const file = join(path, shardName('train', 2, 3));
    const content = readFileSync(file);
    writeFileSync(file, tfrecord([]));
    await expect(read(path, 'train')).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file });
    expect(await read(path, 'train', { onError: 'skip' })).toHaveLength(2);
    const bad = { ...tfdsExample(EPISODES, episode(1, 1)), 'steps/is_last': int64([1, 2]) };
    writeFileSync(
      file,
      Buffer.concat([
        tfrecord([encodeExample(bad)]),
        content.subarray(tfrecord([encodeExample(tfdsExample(EPISODES, episode(1, 1)))]).length),
      ]),
    );
    const rows: unknown[] = [];
    const all = (await readTfds(path)).steps('train');
    await expect(
      (async () => {
        for await (const row of all) rows.push(row);
      })(),
    ).rejects.toMatchObject({ code: 'TFR_FEATURE', file, record: 0, feature: 'steps/is_last' });
    expect(rows).toHaveLength(2);
    const skipped = (await read(path, 'train', { onError: 'skip' })) as { episode: string }[];
    expect(skipped.map((row) => Number(row.episode))).toEqual([0, 0, 2, 2, 2]);
    expect(await read(path, 'train', { onError: 'stop' })).toHaveLength(2);
  });

  test('wrong options, and sets without steps, are refused at once', async () => {
    const set = await readTfds(robots());
    expect(() => set.steps('train', { unknown: 1 } as never)).toThrow(TypeError);
    expect(() => set.steps('train', { classNames: 1 } as never)).toThrow(TypeError);
    expect(() => set.steps('train', { verify: 'x' } as never)).toThrow(TypeError);
    expect(() => set.steps('train', { onError: 'x' } as never)).toThrow(TypeError);
    const other = await readTfds(write({ features: dict({ a: scalar('int64') }), splits: { train: [] } }));
    expect(() => other.steps()).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
  });

  test('a signal ends them', async () => {
    const controller = new AbortController();
    const all = (await readTfds(robots())).steps('train', { signal: controller.signal });
    await all.next();
    controller.abort(new Error('enough'));
    await expect(
      (async () => {
        for await (const _ of all) continue;
      })(),
    ).rejects.toThrow('enough');
  });

  test('a signal ends them within an episode', async () => {
    const controller = new AbortController();
    let rows = 0;
    const all = (await readTfds(robots())).steps('train', { signal: controller.signal });
    await expect(
      (async () => {
        for await (const _ of all) if (++rows === 1) controller.abort(new Error('enough'));
      })(),
    ).rejects.toThrow('enough');
    expect(rows).toBe(1);
  });

  describe('whose values have another form than the options ask for', () => {
    const features = dict({ id: scalar('int64'), steps: dataset(dict({ a: scalar('int64'), t: text() })) });
    const BAD = ['2.0', '2.1', '4.0', '5.2'];
    /** Steps, of which {@link BAD} have an integer that is not safe, and a text that is not UTF-8. */
    const path = (): string => {
      const record = (id: number): Uint8Array => {
        const steps = [0, 1, 2].map((step) => BAD.includes(`${id}.${step}`));
        return encodeExample({
          id: int64([id]),
          'steps/a': int64(steps.map((isBad) => (isBad ? 2n ** 60n : 1n))),
          'steps/t': bytes(steps.map((isBad) => (isBad ? new Uint8Array([255]) : 'x'))),
        });
      };
      const set = write({
        features,
        splits: { train: [[], []] },
        info: { splits: [{ name: 'train', shardLengths: [4, 3] }] },
      });
      const ids = Array.from({ length: 7 }, (_, id) => id);
      writeFileSync(join(set, shardName('train', 0, 2)), tfrecord(ids.slice(0, 4).map(record)));
      writeFileSync(join(set, shardName('train', 1, 2)), tfrecord(ids.slice(4).map(record)));
      return set;
    };
    const all = Array.from({ length: 7 }, (_, id) => [0, 1, 2].map((step) => `${id}.${step}`)).flat();
    const numbers = (rows: readonly unknown[]): string[] =>
      (rows as { episode: number; step: number }[]).map((row) => `${row.episode}.${row.step}`);

    test.each<StepReadOptions>([{ int64: 'number' }, { bytes: 'text' }])('%j', async (options) => {
      const errors: TFRecordError[] = [];
      const report = (error: TFRecordError): void => void errors.push(error);
      const skipped = await read(path(), undefined, { ...options, onError: { action: 'skip', report } });
      expect(numbers(skipped)).toEqual(all.filter((number) => !BAD.includes(number)));
      expect(errors.map(({ code, record }) => [code, record])).toEqual(
        [2, 2, 0, 1].map((record) => ['TFR_FEATURE', record]),
      );
      expect(numbers(await read(path(), undefined, { ...options, onError: 'stop' }))).toEqual(all.slice(0, 6));
      await expect(read(path(), undefined, options)).rejects.toMatchObject({
        code: 'TFR_FEATURE',
        file: expect.stringContaining(shardName('train', 0, 2)) as string,
        record: 2,
      });
      await expect(read(path(), undefined, { ...options, onError: { action: 'skip', max: 3 } })).rejects.toMatchObject({
        code: 'TFR_FEATURE',
        record: 1,
      });
    });
  });
});
