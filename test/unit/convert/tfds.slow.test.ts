/** Folders of TensorFlow Datasets as inputs of conversions: splits, episodes, steps, names of classes, and their damage. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import {
  bytes,
  decodeExample,
  encodeExample,
  float,
  int64,
  RecordReader,
  type FeatureLike,
  type TFRecordError,
} from '../../../lib';
import { convert, mergeParts, type ConvertOptions, type ConvertReport } from '../../../lib/convert';
import { lookAtFiles } from '../../../lib/convert/input/inputs';
import { tfdsInput } from '../../../lib/convert/tfds/tfds-input';
import { readTfds } from '../../../lib/schema';
import { parseTable } from '../../../lib/table';
import { REAL_FILES } from '../../support/records/real-data';
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
  type TfdsValue,
} from '../../support/records/tfds-sets';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());

const write = (set: TfdsSet): string => writeTfds(folder.fresh(), set);
const labels = { 'episode_metadata-kind': KINDS, 'steps-observation-objects': KINDS };

/** A set with episodes of 2, 0, 3 and 1 steps in two shards of `train`, and one episode in `test`. */
function robots(): string {
  const train = [
    [episode(0, 2), episode(1, 0)],
    [episode(2, 3), episode(3, 1)],
  ];
  return write({ features: EPISODES, splits: { train, test: [[episode(4, 1)]] }, labels });
}

async function rowsOf(input: string, options: ConvertOptions = {}): Promise<unknown[]> {
  const out = folder.fresh();
  await convert(input, out, { from: 'tfds', to: 'jsonl', ...options });
  return linesOf(out);
}

function linesOf(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** The rows of a file of another format. */
async function rowsIn(file: string): Promise<unknown[]> {
  const out = folder.fresh();
  await convert(file, out, { to: 'jsonl' });
  return linesOf(out);
}

/** The numbers of a row of a step. */
interface Numbers {
  readonly episode: number;
  readonly step: number;
}

const ALL_STEPS = [...stepRows(0, 2), ...stepRows(2, 3), ...stepRows(3, 1)];

describe('a split', () => {
  test('its episodes are rows of nested lists', async () => {
    const rows = await rowsOf(robots(), { tfdsSplit: 'train' });
    expect(rows).toHaveLength(4);
    expect(rows[0]).toEqual({
      'steps/observation/image': ['image 0.0', 'image 0.1'],
      'steps/observation/state': [
        [0, 0],
        [0, 0.5],
      ],
      'steps/observation/objects': [[], [0]],
      'steps/action': [
        [0, 0, 0.5],
        [1, 0, 0.5],
      ],
      'steps/language_instruction': ['do 0', 'do 1'],
      'steps/is_last': [0, 1],
      'episode_metadata/file_path': '/data/0',
      'episode_metadata/kind': 0,
    });
  });

  test('is named by tfdsSplit, several by +, all by all; the only one needs no name', async () => {
    const path = robots();
    const numbers = async (tfdsSplit?: string): Promise<unknown[]> =>
      (await rowsOf(path, { tfdsSplit, features: ['episode_metadata/file_path'] })).map(
        (row) => (row as Record<string, string>)['episode_metadata/file_path'],
      );
    expect(await numbers('test')).toEqual(['/data/4']);
    expect(await numbers('test+train')).toEqual(['/data/4', '/data/0', '/data/1', '/data/2', '/data/3']);
    expect(await numbers('all')).toEqual(['/data/0', '/data/1', '/data/2', '/data/3', '/data/4']);
    await expect(numbers()).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
      message: expect.stringContaining('one of train, test') as string,
    });
    await expect(numbers('train+train')).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    await expect(numbers('train[:10%]')).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    const single = write({ features: dict({ a: scalar('int64') }), splits: { train: [[{ a: 1 }, { a: 2 }]] } });
    expect(await rowsOf(single)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await rowsOf(join(single, 'dataset_info.json'))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test('TFRecord gets the records as they are', async () => {
    const path = robots();
    const out = folder.fresh();
    await convert(path, out, { from: 'tfds', tfdsSplit: 'train' });
    const stored = [0, 1].flatMap((i) => wholeRecords(readFileSync(join(path, shardName('train', i, 2)))));
    expect(wholeRecords(readFileSync(out))).toEqual(stored);
  });

  test('without records is no rows; without files it is an error', async () => {
    const path = write({ features: dict({ a: scalar('int64') }), splits: { train: [] } });
    await expect(rowsOf(path)).rejects.toMatchObject({ code: 'ENOENT', file: path });
    expect(await rowsOf(write({ features: EPISODES, splits: { train: [[]] } }), { steps: true })).toEqual([]);
  });
});

test('a signal ends the search for shards', async () => {
  const path = robots();
  rmSync(join(path, shardName('test', 0, 1)));
  const found = await lookAtFiles([path]);
  const options = { labels: undefined, classes: undefined, tfdsSplit: 'test', steps: false, classNames: false };
  await expect(tfdsInput.find(found, options)).rejects.toMatchObject({ code: 'ENOENT' });
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(tfdsInput.find(found, { ...options, signal })).rejects.toThrow('enough');
});

describe('steps', () => {
  test('each is a row with the features of its episode, and their numbers', async () => {
    expect(await rowsOf(robots(), { tfdsSplit: 'train', steps: true })).toEqual(ALL_STEPS);
  });

  test('with names of classes', async () => {
    const named = [...stepRows(0, 2, true), ...stepRows(2, 3, true), ...stepRows(3, 1, true)];
    expect(await rowsOf(robots(), { tfdsSplit: 'train', steps: true, classNames: true })).toEqual(named);
  });

  test.each(['parquet', 'arrow', 'tfrecord'] as const)('%s has the same rows', async (to) => {
    const out = folder.at(`steps-${to}.${to}`);
    const { records } = await convert(robots(), out, { from: 'tfds', to, tfdsSplit: 'train', steps: true });
    expect(records).toBe(ALL_STEPS.length);
    const plain = (rows: readonly unknown[]): unknown[] =>
      rows.map((row) =>
        // Without a spec, each value of a TFRecord is a list.
        to === 'tfrecord'
          ? Object.fromEntries(Object.entries(row as object).map(([name, value]) => [name, [value].flat()]))
          : row,
      );
    const rows = (await rowsIn(out)).map((row) => Object.fromEntries(Object.entries(row as object).sort()));
    const expected = plain(ALL_STEPS).map((row) => Object.fromEntries(Object.entries(row as object).sort()));
    expect(rows).toEqual(to === 'tfrecord' ? expected : expected.map(listless(rows)));
    rmSync(out);
  });

  test('several outputs, parts that merge, and a shuffle have the same rows as one', async () => {
    const path = robots();
    const options = { from: 'tfds', tfdsSplit: 'train', steps: true } as const;
    const shards = folder.at('set.jsonl');
    await convert(path, shards, { ...options, shards: 3 });
    const read = (name: string, count: number): unknown[] =>
      Array.from({ length: count }, (_, i) => linesOf(folder.at(`${name}-0000${i}-of-0000${count}.jsonl`))).flat();
    expect(read('set', 3)).toEqual(ALL_STEPS);
    for (const i of [0, 1, 2]) expect(linesOf(folder.at(`set-0000${i}-of-00003.jsonl`))).toHaveLength(2);
    const tables = folder.at('tables.parquet');
    await convert(path, tables, { ...options, shards: 3 });
    const steps = await Promise.all([0, 1, 2].map((i) => rowsIn(folder.at(`tables-0000${i}-of-00003.parquet`))));
    expect(steps.map((rows) => rows.map((row) => [(row as Numbers).episode, (row as Numbers).step].flat()))).toEqual(
      [0, 1, 2].map((i) =>
        ALL_STEPS.slice(2 * i, 2 * i + 2).map((row) => [(row as Numbers).episode, (row as Numbers).step]),
      ),
    );
    const parts = folder.at('parts.jsonl');
    for (const index of [0, 1]) await convert(path, parts, { ...options, shards: 2, shard: { index, count: 2 } });
    await mergeParts(parts);
    expect(read('parts', 2)).toEqual(ALL_STEPS);
    const shuffled = (await rowsOf(path, { ...options, shuffle: true, seed: 5 })) as {
      episode: number;
      step: number;
    }[];
    const inOrder = shuffled.toSorted((a, b) => a.episode - b.episode || a.step - b.step);
    expect(inOrder).toEqual(ALL_STEPS);
    expect(shuffled).not.toEqual(ALL_STEPS);
  });

  test('of a sequence that is called steps; of none: refused', async () => {
    const features = dict({ steps: sequence(dict({ a: scalar('int64') })), id: scalar('int64') });
    const rows = [{ steps: [{ a: 1 }, { a: 2 }], id: 7 }];
    expect(await rowsOf(write({ features, splits: { train: [rows] } }), { steps: true })).toEqual([
      { 'steps/a': 1, id: 7, episode: 0, step: 0 },
      { 'steps/a': 2, id: 7, episode: 0, step: 1 },
    ]);
    const without = write({ features: dict({ a: sequence(scalar('int64')) }), splits: { train: [[{ a: [1] }]] } });
    await expect(rowsOf(without, { steps: true })).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    const taken = dict({ steps: dataset(dict({ a: scalar('int64') })), episode: scalar('int64') });
    await expect(rowsOf(write({ features: taken, splits: { train: [] } }), { steps: true })).rejects.toMatchObject({
      code: 'TFR_SPEC',
      feature: 'episode',
    });
  });

  test('large features of an episode are repeated in pieces', async () => {
    const features = dict({ steps: dataset(dict({ a: scalar('int64') })), map: text() });
    const map = 'x'.repeat(1_000_000);
    const steps = Array.from({ length: 20 }, (_, a) => ({ a }));
    const path = write({ features, splits: { train: [[{ steps, map }]] } });
    const rows = await rowsOf(path, { steps: true });
    expect(rows.map((row) => (row as { step: number }).step)).toEqual(steps.map(({ a }) => a));
    expect(rows.every((row) => (row as { map: string }).map === map)).toBe(true);
    const rewrite = (await readTfds(path)).rewrite({ steps: true, classNames: false })!;
    const sizes: number[] = [];
    const reader = await RecordReader.open(join(path, shardName('train', 0, 1)));
    for await (const batch of reader.batches()) {
      const { value } = await parseTable(batch, rewrite.table);
      for (const { records } of rewrite.records(value, 0)) sizes.push(records.byteLength);
    }
    expect(sizes).toHaveLength(5);
    expect(Math.max(...sizes)).toBeLessThan(5_000_000);
  });
});

/** Makes rows like those of a file of columns, in which a list has the brackets that its column has. */
function listless(rows: readonly unknown[]): (row: unknown) => unknown {
  const [first] = rows as Record<string, unknown>[];
  return (row) =>
    Object.fromEntries(
      Object.entries(row as object).map(([name, value]) => [
        name,
        Array.isArray(first![name]) && !Array.isArray(value) ? [value] : value,
      ]),
    );
}

describe('names of classes', () => {
  const features = dict({ label: label(2), labels: sequence(label(2)), bare: label(4) });
  const set = (rows: readonly TfdsValue[]): string =>
    write({ features, splits: { train: [rows] }, labels: { label: ['cat', 'dog'], labels: ['a b', 'ü'] } });

  test('replace numbers where there are names; -1 is none', async () => {
    const path = set([
      { label: 1, labels: [0, 1], bare: 3 },
      { label: -1, labels: [-1, 0], bare: 0 },
    ]);
    expect(await rowsOf(path, { classNames: true })).toEqual([
      { label: 'dog', labels: ['a b', 'ü'], bare: 3 },
      { label: null, labels: ['', 'a b'], bare: 0 },
    ]);
    expect(await rowsOf(path)).toMatchObject([{ label: 1, labels: [0, 1] }, { label: -1 }]);
    const out = folder.at('named.parquet');
    await convert(path, out, { from: 'tfds', classNames: true });
    expect(await rowsIn(out)).toMatchObject([{ labels: ['a b', 'ü'] }, { labels: ['', 'a b'] }]);
  });

  test('a number of no class is an error with its place, which onError can leave out', async () => {
    const path = set([
      { label: 1, labels: [], bare: 3 },
      { label: 0, labels: [1, 2], bare: 0 },
      { label: 0, labels: [0], bare: 0 },
    ]);
    await expect(rowsOf(path, { classNames: true })).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      file: join(path, shardName('train', 0, 1)),
      record: 1,
      feature: 'labels',
      expected: 'the number of one of 2 classes',
      found: '2',
    });
    const rows = await rowsOf(path, { classNames: true, onError: 'skip' });
    expect(rows.map((row) => (row as { label: string }).label)).toEqual(['dog', 'cat']);
  });

  test('files that contradict features.json, and sets without names, are refused', async () => {
    const wrong = set([]);
    writeFileSync(join(wrong, 'label.labels.txt'), 'cat\ndog\nbird\n');
    await expect(rowsOf(wrong, { classNames: true })).rejects.toMatchObject({
      code: 'TFR_SPEC',
      file: join(wrong, 'label.labels.txt'),
      expected: '2 names',
      found: '3 names',
    });
    writeFileSync(join(wrong, 'label.labels.txt'), `cat\n${'x'.repeat(1025)}\n`);
    await expect(rowsOf(wrong)).rejects.toMatchObject({ code: 'TFR_SPEC' });
    const without = write({ features: dict({ bare: label(4) }), splits: { train: [[{ bare: 1 }]] } });
    await expect(rowsOf(without, { classNames: true })).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });
});

test('an optional feature that a record lacks is null', async () => {
  const features = dict({ a: optional('int64'), b: optional('float32', 2), c: scalar('int64') });
  const rows = [
    { a: 1, b: [1, 2], c: 1 },
    { a: null, b: null, c: 2 },
  ];
  const path = write({ features, splits: { train: [rows] } });
  expect(await rowsOf(path)).toEqual([
    { a: 1, b: [1, 2], c: 1 },
    { a: null, b: [], c: 2 },
  ]);
});

describe('numbers of records', () => {
  const FORMATS = ['tfrecord', 'jsonl', 'csv', 'parquet'] as const;
  const features = dict({ a: scalar('int64') });
  const rows = (count: number): TfdsValue[] => Array.from({ length: count }, (_, a) => ({ a }));
  /** A set whose second shard has three records, and is said to have `count`. */
  const set = (count: number): string => {
    const path = write({ features, splits: { train: [rows(2), rows(count), rows(1)] } });
    const records = rows(3).map((row) => encodeExample(tfdsExample(features, row)));
    writeFileSync(join(path, shardName('train', 1, 3)), tfrecord(records));
    return path;
  };
  const run = (path: string, options: ConvertOptions): Promise<ConvertReport> =>
    convert(path, folder.fresh(), { from: 'tfds', ...options });

  describe.each([
    ['too few', 4],
    ['too many', 2],
  ])('%s', (_, count) => {
    test.each(FORMATS)('to %s: an error that names the shard, and no output', async (to) => {
      const path = set(count);
      const out = folder.fresh();
      await expect(convert(path, out, { from: 'tfds', to })).rejects.toMatchObject({
        code: 'TFR_STATE_MISMATCH',
        file: join(path, shardName('train', 1, 3)),
        expected: `it has ${count} records`,
        found: '3 records',
      });
      expect(existsSync(out)).toBe(false);
    });

    test.each<[string, ConvertOptions]>([
      ['several outputs', { shards: 2 }],
      ['several outputs of Parquet', { to: 'parquet', shards: 3 }],
      ['as many outputs as shards', { to: 'jsonl', shards: 6 }],
      ['sizes', { maxBytes: 40 }],
      ['a shuffle', { shuffle: true, seed: 1 }],
    ])('with %s, too', async (_name, options) => {
      await expect(run(set(count), options)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    });

    test('which onError can accept', async () => {
      const { records, skipped } = await run(set(count), { onError: 'skip' });
      expect([records, skipped]).toEqual([6, 1]);
    });
  });

  test('damage that is left out explains a missing record', async () => {
    const path = set(3);
    const file = join(path, shardName('train', 1, 3));
    const content = readFileSync(file);
    content[content.length - 6]! ^= 1;
    writeFileSync(file, content);
    await expect(run(path, {})).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA' });
    for (const to of FORMATS)
      expect(await run(path, { to, onError: 'skip' })).toMatchObject({ records: 5, skipped: 1 });
  });

  test('a shard that is missing', async () => {
    const path = set(3);
    rmSync(join(path, shardName('train', 2, 3)));
    await expect(run(path, {})).rejects.toMatchObject({
      code: 'ENOENT',
      file: join(path, shardName('train', 2, 3)),
    });
  });
});

describe('episodes that do not fit together', () => {
  const features = dict({
    steps: dataset(dict({ a: scalar('int64'), p: tensor('float32', 2), l: sequence(sequence(scalar('int64'))) })),
    id: scalar('int64'),
  });
  const good: TfdsValue = {
    steps: [
      { a: 1, p: [1, 2], l: [[1], []] },
      { a: 2, p: [3, 4], l: [] },
    ],
    id: 1,
  };
  const [flat, outer, inner] = ['flat_values', 'row_lengths_0', 'row_lengths_1'].map((end) => `steps/l/ragged_${end}`);

  test.each<[string, Record<string, FeatureLike | undefined>, string]>([
    ['a step less', { 'steps/a': int64([1]) }, 'steps/p'],
    ['a step more', { 'steps/p': float([1, 2, 3, 4, 5, 6]) }, 'steps/p'],
    ['half a step', { 'steps/p': float([1, 2, 3]) }, 'steps/p'],
    ['no values of a feature', { 'steps/p': undefined }, 'steps/p'],
    ['lengths of one step', { [outer!]: int64([2]) }, 'steps/l'],
    ['lengths that are too long', { [outer!]: int64([2, 1]) }, 'steps/l'],
    ['a negative length', { [outer!]: int64([3, -1]) }, 'steps/l'],
    ['a huge length', { [outer!]: int64([2, 2n ** 62n]) }, 'steps/l'],
    ['inner lengths without values', { [inner!]: int64([1, 1]) }, 'steps/l'],
    ['values without lengths', { [flat!]: int64([1, 2]) }, 'steps/l'],
    ['a negative inner length', { [inner!]: int64([2, -1]) }, 'steps/l'],
  ])('%s: an error with its place, which onError can leave out', async (_, change, feature) => {
    const stored = tfdsExample(features, good);
    const changed = Object.fromEntries(
      Object.entries({ ...stored, ...change }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const path = write({ features, splits: { train: [[good, good, good]] } });
    const file = join(path, shardName('train', 0, 1));
    writeFileSync(file, tfrecord([stored, changed, stored].map((each) => encodeExample(each))));
    await expect(rowsOf(path, { steps: true })).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      file,
      record: 1,
      feature,
    });
    const rows = (await rowsOf(path, { steps: true, onError: 'skip' })) as { episode: number; step: number }[];
    expect(rows.map((row) => [row.episode, row.step])).toEqual([
      [0, 0],
      [0, 1],
      [2, 0],
      [2, 1],
    ]);
    expect(rows[0]).toMatchObject({ 'steps/l': [[1], []], 'steps/p': [1, 2] });
  });

  test('bytes that are no Example, and Events', async () => {
    const path = write({ features, splits: { train: [[good, good]] } });
    const file = join(path, shardName('train', 0, 1));
    for (const other of [Uint8Array.of(0xff, 0xff, 0xff), Uint8Array.of(0x09, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x10, 1)]) {
      writeFileSync(file, tfrecord([encodeExample(tfdsExample(features, good)), other]));
      await expect(rowsOf(path, { steps: true })).rejects.toMatchObject({ record: 1, file });
    }
    const lists = dict({ steps: dataset(dict({ a: scalar('int64') })) });
    const other = write({ features: lists, splits: { train: [[{ steps: [] }]] } });
    writeFileSync(
      join(other, shardName('train', 0, 1)),
      tfrecord([Uint8Array.of(0x09, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x10, 1)]),
    );
    await expect(rowsOf(other, { steps: true })).rejects.toMatchObject({ code: 'TFR_EXAMPLE', record: 0 });
  });
});

test('rows of steps are the steps, for random features and values', async () => {
  const leaf = fc.constantFrom<readonly [TfdsFeature, fc.Arbitrary<TfdsValue>]>(
    [scalar('int32'), fc.integer()],
    [tensor('float32', 2), fc.tuple(fc.float({ noNaN: true }), fc.float({ noNaN: true }))],
    [text(), fc.string({ unit: 'binary' })],
    [tensor('int64', 2, 2), fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat())],
  );
  const inStep = fc.tuple(leaf, fc.nat(3), fc.boolean()).map(([[feature, value], depth, isFixed]) => {
    const nested = { feature, value };
    for (let i = 0; i < depth; i++) {
      nested.feature = sequence(nested.feature, isFixed ? 2 : -1);
      nested.value = fc.array(nested.value, isFixed ? { minLength: 2, maxLength: 2 } : { maxLength: 3 });
    }
    return nested;
  });
  const sets = fc
    .tuple(fc.array(inStep, { minLength: 1, maxLength: 3 }), fc.array(inStep, { maxLength: 2 }))
    .chain(([steps, others]) => {
      const record = (
        list: readonly { value: fc.Arbitrary<TfdsValue> }[],
        prefix: string,
      ): fc.Arbitrary<Record<string, TfdsValue>> =>
        fc.record(Object.fromEntries(list.map(({ value }, i) => [`${prefix}${i}`, value])));
      const of = (list: readonly { feature: TfdsFeature }[], prefix: string): Record<string, TfdsFeature> =>
        Object.fromEntries(list.map(({ feature }, i) => [`${prefix}${i}`, feature]));
      const examples = fc.tuple(fc.array(record(steps, 's'), { maxLength: 4 }), record(others, 'o'));
      const features = dict({ steps: dataset(dict(of(steps, 's'))), ...of(others, 'o') });
      const stepFeatures = dict({ ...of(steps, 'steps/s'), ...of(others, 'o') });
      return fc.record({
        features: fc.constant(features),
        stepFeatures: fc.constant(stepFeatures),
        episodes: fc.array(examples, { maxLength: 4 }),
      });
    });
  await fc.assert(
    fc.asyncProperty(sets, async ({ features, stepFeatures, episodes }) => {
      const rows = episodes.map(([steps, others]) => ({ steps, ...others }));
      const path = write({ features, splits: { train: [rows] } });
      const out = folder.fresh();
      await convert(path, out, { from: 'tfds', steps: true });
      const found = wholeRecords(readFileSync(out)).map((record) => decodeExample(record));
      const expected = episodes.flatMap(([steps, others], number) =>
        steps.map((step, i) => {
          const own = Object.fromEntries(Object.entries(step).map(([name, value]) => [`steps/${name}`, value]));
          const stored = tfdsExample(stepFeatures, { ...own, ...others });
          return decodeExample(encodeExample({ ...stored, episode: int64([number]), step: int64([i]) }));
        }),
      );
      expect(found).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

describe('folders that are refused', () => {
  const features = dict({ a: scalar('int64') });
  const refusal = (path: string, options: ConvertOptions = {}): Promise<unknown> =>
    rowsOf(path, options).catch((error: unknown) => error);

  test.each<[string, Readonly<Record<string, unknown>>, object]>([
    ['another format of records', { fileFormat: 'array_record' }, { code: 'TFR_NOT_TFRECORD', found: 'array_record' }],
    ['no name', { name: undefined }, { code: 'TFR_DECODE' }],
    ['splits that are no list', { splits: 1 }, { code: 'TFR_DECODE' }],
    ['a split without a name', { splits: [{}] }, { code: 'TFR_DECODE' }],
    ['lengths that are none', { splits: [{ name: 'train', shardLengths: ['x'] }] }, { code: 'TFR_DECODE' }],
    [
      'files outside the folder',
      { splits: [{ name: 'train', shardLengths: ['1'], filepathTemplate: '../{DATASET}' }] },
      { code: 'TFR_DECODE' },
    ],
    [
      'one name of two files',
      { splits: [{ name: 'train', shardLengths: ['1', '1'], filepathTemplate: '{DATASET}' }] },
      { code: 'TFR_DECODE' },
    ],
  ])('%s', async (_, info, error) => {
    const path = write({ features, splits: { train: [[{ a: 1 }]] }, info });
    expect(await refusal(path)).toMatchObject({ ...error, file: join(path, 'dataset_info.json') });
  });

  test('no description, no features, broken JSON, several folders, a stream', async () => {
    const { path } = folder.place();
    expect(await refusal(path)).toMatchObject({ code: 'ENOENT', file: join(path, 'dataset_info.json') });
    const set = write({ features, splits: { train: [[{ a: 1 }]] } });
    writeFileSync(join(set, 'features.json'), '{');
    expect(await refusal(set)).toMatchObject({ code: 'TFR_DECODE', file: join(set, 'features.json') });
    rmSync(join(set, 'features.json'));
    expect(await refusal(set)).toMatchObject({ code: 'ENOENT', file: join(set, 'features.json') });
    await expect(convert([set, set], folder.fresh(), { from: 'tfds' })).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
    });
    await expect(convert(new Uint8Array(1), folder.fresh(), { from: 'tfds' })).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
    });
  });

  test.each([{ tfdsSplit: 'train' }, { steps: true }, { classNames: true }])(
    '%j without from: an error',
    async (options) => {
      const file = folder.write('records', [encodeExample({ a: bytes(['x']) })]);
      await expect(convert(file, folder.fresh(), options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    },
  );
});

test('many bad episodes among good ones: the steps of the good ones, with their numbers', async () => {
  const features = dict({ steps: dataset(dict({ a: scalar('int64'), b: scalar('int64') })) });
  const isBad = (i: number): boolean => i % 7 === 0 || (i > 20 && i < 40) || i === 99;
  const records = Array.from({ length: 100 }, (_, i) =>
    encodeExample({ 'steps/a': int64([i, i]), 'steps/b': int64(isBad(i) ? [i] : [i, i]) }),
  );
  const path = write({ features, splits: { train: [[]] }, info: { splits: [{ name: 'train', shardLengths: [100] }] } });
  writeFileSync(join(path, shardName('train', 0, 1)), tfrecord(records));
  const expected = records.flatMap((_, i) =>
    isBad(i) ? [] : [0, 1].map((step) => ({ 'steps/a': i, 'steps/b': i, episode: i, step })),
  );
  expect(await rowsOf(path, { steps: true, onError: 'skip' })).toEqual(expected);
  const faults: (number | undefined)[] = [];
  const report = ({ record }: TFRecordError): void => void faults.push(record);
  const rows: unknown[] = [];
  const options = { int64: 'number', onError: { action: 'skip', report } } as const;
  for await (const row of (await readTfds(path)).steps('train', options)) rows.push({ ...row });
  expect(rows).toEqual(expected);
  expect(faults).toEqual(Array.from(records.keys()).filter(isBad));
});

describe('the command', () => {
  test('converts steps with names of classes, and reports them', async () => {
    const path = robots();
    const out = folder.at('rows.jsonl');
    const args = ['convert', path, out, '--from', 'tfds', '--tfds-split', 'test', '--steps', '--class-names', '--json'];
    const { code, stdout } = await runHere(args);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { records: 1 }]);
    expect(linesOf(out)).toEqual(stepRows(4, 1, true).map((row) => ({ ...row, episode: 0 })));
  });

  test('says in its own words which splits there are, and what the flags are for', async () => {
    const { code, stderr } = await runHere(['convert', robots(), folder.at('no.jsonl'), '--from', 'tfds']);
    expect(code).toBe(2);
    expect(stderr).toContain('--tfds-split');
    expect(stderr).toContain('one of train, test');
    const file = folder.write('records', [encodeExample({ a: bytes(['x']) })]);
    const other = await runHere(['convert', file, folder.at('no.jsonl'), '--steps']);
    expect([other.code, other.stderr]).toMatchObject([2, expect.stringContaining('--from tfds')]);
  });

  test('without --from, the folder is one of pictures, and the error says how to read it', async () => {
    const { code, stderr } = await runHere(['convert', robots(), folder.at('no.jsonl')]);
    expect(code).toBe(1);
    expect(stderr).toContain('TFR_NOT_IMAGE');
    expect(stderr).toContain('--from tfds');
  });

  test('a shard with too many records is an error of the data', async () => {
    const path = robots();
    writeFileSync(join(path, shardName('test', 0, 1)), tfrecord([]));
    const out = folder.at('no.jsonl');
    const { code, stderr } = await runHere(['convert', path, out, '--from', 'tfds', '--tfds-split', 'test']);
    expect(code).toBe(1);
    expect(stderr).toContain('it has 1 record there, found 0 records');
    expect(existsSync(out)).toBe(false);
  });
});

const real = join(REAL_FILES, '..', 'sets', 'tfds-para_crawl', 'ende', '1.2.0');
if (!existsSync(real)) {
  test.todo('a real set: no sets/tfds-para_crawl in TFRECORD_REAL_DATA or ../shared/data: skipped');
} else {
  test('a real set', async () => {
    const rows = await rowsOf(real);
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(row).toEqual({ de: expect.any(String) as string, en: expect.any(String) as string });
  });
}
