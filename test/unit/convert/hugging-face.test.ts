import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import {
  bytes,
  decodeExample,
  encodeExample,
  encodeSequenceExample,
  float,
  int64,
  readRecordsSync,
} from '../../../lib';
import { convert, type HuggingFaceOptions } from '../../../lib/convert';
import { openParquet } from '../../../lib/sql';
import { Folder } from '../../support/records/record-files';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const WAV = Buffer.from('52494646ff', 'hex');
const records = [
  encodeExample({ image: PNG, label: int64(0), views: [PNG, JPEG], wav: WAV, score: float([1, 2]), 7: 'a' }),
  encodeExample({ label: int64(2), views: [], wav: WAV, score: float([3, 4]), 7: 'b' }),
  encodeExample({ image: JPEG, label: int64(-1), views: [JPEG], wav: WAV, score: float([5, 6]), 7: 'c' }),
];
folder.write('in.tfrecord', records);
const CLASSES = { label: ['cat', 'dog', 'cow'] };
const EXPECTED = {
  image: { _type: 'Image' },
  label: { names: CLASSES.label, _type: 'ClassLabel' },
  views: { feature: { _type: 'Image' }, length: -1, _type: 'Sequence' },
  wav: { _type: 'Audio' },
  score: { feature: { dtype: 'float32', _type: 'Value' }, length: 2, _type: 'Sequence' },
  7: { dtype: 'string', _type: 'Value' },
};

const write = (name: string, huggingface: boolean | HuggingFaceOptions = { audio: ['wav'], classNames: CLASSES }) =>
  convert(folder.at('in.tfrecord'), folder.at(name), { huggingface, force: true });
const featuresOf = (text: string | undefined): object =>
  (JSON.parse(text!) as { info: { features: object } }).info.features;

async function parquetMetadata(name: string): Promise<ReadonlyMap<string, string>> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const sql = `SELECT decode(key), decode(value) FROM parquet_kv_metadata('${folder.at(name)}')`;
  const rows = (await connection.runAndReadAll(sql)).getRowsJS() as [string, string][];
  connection.closeSync();
  instance.closeSync();
  return new Map(rows);
}

/** The features of each record that the converted file gives back. */
async function back(name: string): Promise<unknown[]> {
  await convert(folder.at(name), folder.at('back.tfrecord'), { force: true });
  return [...readRecordsSync(folder.at('back.tfrecord'))].map((record) => decodeExample(record));
}

describe('convert with huggingface', () => {
  test.each(['a.parquet', 'a.arrow', 'a.arrows'])('%s has the features, and gives the records back', async (name) => {
    await write(name);
    const text = name.endsWith('parquet')
      ? (await parquetMetadata(name)).get('huggingface')
      : tableFromIPC(readFileSync(folder.at(name))).schema.metadata.get('huggingface');
    // Lists of a fixed size are lists in files of Parquet.
    const score = { ...EXPECTED.score, length: name.endsWith('parquet') ? -1 : 2 };
    expect(featuresOf(text)).toEqual({ ...EXPECTED, score });
    expect(await back(name)).toEqual(records.map((record) => decodeExample(record)));
  });

  test('columns of Arrow are structs of bytes and path', async () => {
    await write('s.arrow');
    const table = tableFromIPC(readFileSync(folder.at('s.arrow')));
    const type = (name: string): string => String(table.schema.fields.find((field) => field.name === name)!.type);
    expect([type('image'), type('views'), type('label')]).toEqual([
      'Struct<{bytes:Binary, path:Utf8}>',
      'List<Struct<{bytes:Binary, path:Utf8}>>',
      'Int64',
    ]);
    const image = table.getChild('image')!;
    expect([...image].map((value: { toJSON(): object } | null) => value?.toJSON() ?? null)).toEqual([
      { bytes: new Uint8Array(PNG), path: null },
      null,
      { bytes: new Uint8Array(JPEG), path: null },
    ]);
  });

  test('the order of the features is that of the columns, whatever their names', async () => {
    await write('o.parquet', true);
    const text = (await parquetMetadata('o.parquet')).get('huggingface')!;
    const file = await openParquet(folder.at('o.parquet'));
    file.close();
    const places = file.table.columns.map(({ name }) => text.indexOf(`${JSON.stringify(name)}: {`));
    expect(places.every((place) => place > 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });

  test('without options, pictures are found by their content, in lists and in feature lists, too', async () => {
    await write('p.parquet', true);
    expect(featuresOf((await parquetMetadata('p.parquet')).get('huggingface'))).toMatchObject({
      ...{
        image: { _type: 'Image' },
        wav: { _type: 'Value', dtype: 'binary' },
        label: { _type: 'Value', dtype: 'int64' },
      },
    });
    folder.write('steps.tfrecord', [
      encodeSequenceExample({ context: { id: int64(1) }, featureLists: { frame: [bytes(PNG), bytes(JPEG)] } }),
      encodeSequenceExample({ context: { id: int64(2) }, featureLists: { frame: [] } }),
    ]);
    for (const name of ['q.parquet', 'q.arrow']) {
      await convert(folder.at('steps.tfrecord'), folder.at(name), { huggingface: true });
      await convert(folder.at(name), folder.at('q.tfrecord'), { force: true });
      expect([...readRecordsSync(folder.at('q.tfrecord'))]).toEqual([...readRecordsSync(folder.at('steps.tfrecord'))]);
    }
    expect(featuresOf((await parquetMetadata('q.parquet')).get('huggingface'))).toEqual({
      id: { dtype: 'int64', _type: 'Value' },
      frame: { feature: { _type: 'Image' }, length: -1, _type: 'Sequence' },
    });
  });

  test('a value that is not a picture makes a feature bytes', async () => {
    folder.write('mixed.tfrecord', [encodeExample({ p: [PNG] }), encodeExample({ p: ['text'] })]);
    await convert(folder.at('mixed.tfrecord'), folder.at('mixed.parquet'), { huggingface: true });
    expect(featuresOf((await parquetMetadata('mixed.parquet')).get('huggingface'))).toEqual({
      p: { dtype: 'binary', _type: 'Value' },
    });
    await convert(folder.at('mixed.tfrecord'), folder.at('named.parquet'), { huggingface: { images: ['p'] } });
    expect(featuresOf((await parquetMetadata('named.parquet')).get('huggingface'))).toEqual({ p: { _type: 'Image' } });
  });

  test.each(['w.parquet', 'w.arrow'])('%s: a number without a class is an error of its record', async (name) => {
    const classNames = { label: ['cat', 'dog'] };
    await expect(write(name, { classNames })).rejects.toMatchObject({
      ...{ code: 'TFR_FEATURE', file: folder.at('in.tfrecord'), record: 1, feature: 'label' },
      ...{ expected: 'the number of one of 2 classes', found: '2' },
    });
    expect(existsSync(folder.at(name))).toBe(false);
    const report = await convert(folder.at('in.tfrecord'), folder.at(name), {
      huggingface: { classNames },
      onError: { action: 'skip', maxRate: 1 },
    });
    expect(report).toMatchObject({ records: 2, skipped: 1 });
    expect(await back(name)).toEqual([records[0]!, records[2]!].map((record) => decodeExample(record)));
  });

  test.each([
    [{ images: ['no'] }, 'TFR_FEATURE', 'Feature "no": expected a feature of bytes, found no such feature'],
    [{ images: ['label'] }, 'TFR_FEATURE', 'Feature "label": expected a feature of bytes, found int64'],
    [{ audio: ['score'] }, 'TFR_FEATURE', 'expected a feature of bytes, found float32'],
    [{ classNames: { wav: ['a'] } }, 'TFR_FEATURE', 'expected a feature of int64, found bytes'],
    [{ classNames: { label: [] } }, 'ERR_INVALID_ARG_VALUE', 'at least one name'],
    [{ classNames: { label: ['a', 'a'] } }, 'ERR_INVALID_ARG_VALUE', 'names that differ'],
    [{ images: ['wav'], audio: ['wav'] }, 'ERR_INVALID_ARG_VALUE', 'features that are not among images'],
    [{ pictures: ['wav'] }, 'ERR_INVALID_ARG_VALUE', 'pictures'],
    [{ images: 'wav' }, 'ERR_INVALID_ARG_TYPE', 'an array of names'],
    ['yes', 'ERR_INVALID_ARG_TYPE', 'a boolean or an object of options'],
  ])('refuses %j', async (huggingface, code, message) => {
    await expect(write('x.parquet', huggingface as never)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(existsSync(folder.at('x.parquet'))).toBe(false);
  });

  test('is for Parquet and Arrow, and parts name the pictures', async () => {
    await expect(write('x.csv', true)).rejects.toThrow('it is for Parquet and Arrow');
    const spec = { label: { type: 'varLen', dtype: 'int64' } } as const;
    const part = (huggingface: boolean | HuggingFaceOptions) =>
      convert(folder.at('in.tfrecord'), folder.at('part.parquet'), { huggingface, shard: '0/2', spec: spec as never });
    await expect(part(true)).rejects.toThrow('options.huggingface.images');
    await expect(part({ images: [] })).resolves.toMatchObject({ records: expect.any(Number) as number });
  });

  test('resume distinguishes other options', async () => {
    const run = (huggingface: boolean | HuggingFaceOptions) =>
      convert(folder.at('in.tfrecord'), folder.at('r.parquet'), { huggingface, resume: true });
    await run(true);
    await expect(run(true)).resolves.toMatchObject({ upToDate: true });
    await expect(run({ classNames: CLASSES })).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  });

  test('classes of TensorFlow Datasets have their names', async () => {
    const set = folder.at('set');
    mkdirSync(set);
    const feature = (pythonClassName: string, more: object) => ({ pythonClassName, ...more });
    const features = {
      features: {
        label: feature('tensorflow_datasets.core.features.class_label_feature.ClassLabel', {
          classLabel: { numClasses: '2' },
        }),
      },
    };
    writeFileSync(
      `${set}/features.json`,
      JSON.stringify(
        feature('tensorflow_datasets.core.features.features_dict.FeaturesDict', { featuresDict: features }),
      ),
    );
    writeFileSync(`${set}/label.labels.txt`, 'cat\ndog\n');
    const split = {
      name: 'train',
      shardLengths: ['1'],
      filepathTemplate: '{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}',
    };
    writeFileSync(
      `${set}/dataset_info.json`,
      JSON.stringify({ name: 'pets', version: '1.0.0', fileFormat: 'tfrecord', splits: [split] }),
    );
    folder.write('set/pets-train.tfrecord-00000-of-00001', [encodeExample({ label: int64(1) })]);
    await convert(set, folder.at('pets.parquet'), { from: 'tfds', huggingface: true });
    expect(featuresOf((await parquetMetadata('pets.parquet')).get('huggingface'))).toEqual({
      label: { names: ['cat', 'dog'], _type: 'ClassLabel' },
    });
    await convert(set, folder.at('text.parquet'), { from: 'tfds', huggingface: true, classNames: true });
    expect(featuresOf((await parquetMetadata('text.parquet')).get('huggingface'))).toEqual({
      label: { dtype: 'string', _type: 'Value' },
    });
  });
});

describe('tfrecord convert --huggingface', () => {
  const run = (...args: string[]) => runHere(['convert', 'in.tfrecord', ...args], { cwd: folder.path });
  writeFileSync(folder.at('labels.txt'), 'cat\r\ndog\n\ncow\n');

  it('takes the names of classes from a file', async () => {
    const flags = ['--huggingface', '--images', 'image,views', '--audio', 'wav', '--label-file', 'label=labels.txt'];
    expect(await run('cli.parquet', ...flags)).toMatchObject({ code: 0 });
    const { score } = EXPECTED;
    expect(featuresOf((await parquetMetadata('cli.parquet')).get('huggingface'))).toEqual({
      ...{ ...EXPECTED, score: { ...score, length: -1 } },
    });
  });

  test.each([
    [['--images', 'image'], 2, '--images needs --huggingface'],
    [['--label-file', 'label=labels.txt'], 2, '--label-file needs --huggingface'],
    [['--huggingface', '--label-file', 'label'], 2, 'Expected a feature and a file'],
    [['--huggingface', '--label-file', 'label=no.txt'], 1, 'ENOENT'],
    [['--huggingface', '--label-file', 'label=empty.txt'], 2, 'empty.txt has no names'],
    [['--huggingface', '--label-file', 'label=twice.txt'], 2, 'twice.txt has the name cat twice'],
    [['--huggingface', '--label-file', 'label=bytes.txt'], 2, 'bytes.txt is not UTF-8'],
    [['--huggingface', '--label-file', 'a=b', '--label-file', 'a=c'], 2, 'The feature "a" has two files.'],
  ])('refuses %j', async (flags, code, problem) => {
    writeFileSync(folder.at('empty.txt'), '\n\n');
    writeFileSync(folder.at('twice.txt'), 'cat\ncat\n');
    writeFileSync(folder.at('bytes.txt'), Buffer.from([0xff, 0x0a]));
    expect(await run('wrong.parquet', ...flags)).toMatchObject({ code, stderr: expect.stringContaining(problem) });
    expect(existsSync(folder.at('wrong.parquet'))).toBe(false);
  });
});
