/** Writing a dataset to files: names, shards, and nothing left after a failure. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  Dataset,
  encodeExample,
  encodeExamples,
  fixedLen,
  int64,
  readRecords,
  type Bytes,
  type RecordBatch,
} from '../../../../lib';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());
const records = Array.from({ length: 10 }, (_, i) => Buffer.from(`record ${i}`));

test('one file', async () => {
  const file = join(folder.path, 'one.tfrecord.gz');
  const report = await Dataset.from(records).writeTo(file, { level: 1 });
  expect(report).toMatchObject({ records: 10, bytes: 80, files: [file] });
  expect((await Dataset.tfrecord(file).toArray()).map((record) => Buffer.from(record).toString())).toEqual(
    records.map(String),
  );
});

test.each([
  ['set.tfrecord', ['set-00000-of-00003.tfrecord', 'set-00001-of-00003.tfrecord', 'set-00002-of-00003.tfrecord']],
  ['a.b-{shard}.{shards:02}', ['a.b-0.03', 'a.b-1.03', 'a.b-2.03']],
  ['plain', ['plain-00000-of-00003', 'plain-00001-of-00003', 'plain-00002-of-00003']],
  ['set2.tfrecord@3', ['set2-00000-of-00003.tfrecord', 'set2-00001-of-00003.tfrecord', 'set2-00002-of-00003.tfrecord']],
  ['plain2@3', ['plain2-00000-of-00003', 'plain2-00001-of-00003', 'plain2-00002-of-00003']],
  [
    'set4.tfrecord@3.gz',
    ['set4-00000-of-00003.tfrecord.gz', 'set4-00001-of-00003.tfrecord.gz', 'set4-00002-of-00003.tfrecord.gz'],
  ],
  ['{shard}.b@3', ['0.b', '1.b', '2.b']],
])('%s in three shards: records in turn', async (pattern, names) => {
  const options = pattern.includes('@') ? {} : { shards: 3 };
  const { files, records: written } = await Dataset.from(records).writeTo(join(folder.path, pattern), options);
  expect(written).toBe(10);
  expect(files).toEqual(names.map((name) => join(folder.path, name)));
  const turns = [];
  for (const file of files) {
    const numbers = [];
    for await (const record of readRecords(file)) numbers.push(Number(String(Buffer.from(record)).slice(7)));
    turns.push(numbers);
  }
  expect(turns).toEqual([
    [0, 3, 6, 9],
    [1, 4, 7],
    [2, 5, 8],
  ]);
});

test('base.ext@N names the same set for writing and for reading', async () => {
  const set = join(folder.path, 'both.tfrecord.gz@2');
  await Dataset.from(records).writeTo(set);
  const found = await Dataset.tfrecord(set).toArray();
  expect(found.map((record) => Number(String(Buffer.from(record)).slice(7)))).toEqual([0, 2, 4, 6, 8, 1, 3, 5, 7, 9]);
});

test.each([
  ['out/part-*', 'out/part-{shard:05}-of-{shards:05}'],
  ['part-?????-of-00003', 'part-{shard:05}-of-{shards:05}'],
  ['a-*.tfrecord', 'a-{shard:05}-of-{shards:05}.tfrecord'],
])('%s, a pattern of reading, is refused, and the template named', async (pattern, template) => {
  const before = readdirSync(folder.path);
  await expect(Dataset.from(records).writeTo(join(folder.path, pattern))).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_VALUE',
    message: expect.stringContaining(`${template}' with { shards: N }`) as string,
  });
  expect(readdirSync(folder.path)).toEqual(before);
});

test('another number of shards than name@N says is refused', async () => {
  const target = join(folder.path, 'never.tfrecord@3');
  const writing = Dataset.from(records).writeTo(target, { shards: 4 });
  await expect(writing).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
  await expect(Dataset.from(records).writeTo(`${target.slice(0, -1)}0`)).rejects.toMatchObject({
    code: 'ERR_OUT_OF_RANGE',
  });
  await Dataset.from(records).writeTo(join(folder.path, 'same@3'), { shards: 3 });
});

test('rows, encoded, come back by a spec', async () => {
  const file = join(folder.path, 'rows.tfrecord');
  await Dataset.range(5)
    .map((id) => encodeExample({ id: int64(id) }))
    .writeTo(file);
  const rows = await Dataset.tfrecord(file)
    .parse({ id: fixedLen([], 'int64') })
    .toArray();
  expect(rows.map(({ id }) => id)).toEqual([0n, 1n, 2n, 3n, 4n]);
});

const source = folder.write('source.gz', numberedRecords(9_000, 150));
const raw = (): Dataset<Bytes, RecordBatch> => Dataset.tfrecord(source);
type Records = Dataset<Uint8Array | RecordBatch, unknown>;

/** All records, the first ten by themselves. */
function mixed(): Records {
  const batches = raw().skip(10).batch(99) as Dataset<Bytes | RecordBatch>;
  return (raw().take(10) as Dataset<Bytes | RecordBatch, unknown> as typeof batches).concatenate(batches);
}

test.each<[string, () => Records, () => Dataset<Bytes, RecordBatch>]>([
  ['neighbours', raw, raw],
  ['a part of them', () => raw().skip(5).take(4_321), () => raw().skip(5).take(4_321)],
  ['gathered ones', () => raw().shuffle(3_000, { seed: 1 }), () => raw().shuffle(3_000, { seed: 1 })],
  ['batches', () => raw().batch(1_000), raw],
  ['batches of gathered ones', () => raw().shuffle(50, { seed: 1 }).batch(7), () => raw().shuffle(50, { seed: 1 })],
  ['batches beside records', mixed, raw],
])('%s: the files that write makes of the records one by one', async (_, elements, records) => {
  // A map hands over arrays of values.
  const oneByOne = (): Dataset<Uint8Array> => records().map((record) => Buffer.from(record));
  for (const shards of [1, 3, 64]) {
    const [fast, slow] = [folder.fresh(), folder.fresh()];
    const options = { shards, compression: 'gzip', level: 2 } as const;
    const [report, expected] = [await elements().writeTo(fast, options), await oneByOne().writeTo(slow, options)];
    expect({ ...report, files: [] }).toEqual({ ...expected, files: [] });
    report.files.forEach((file, i) => expect(readFileSync(file).equals(readFileSync(expected.files[i]!))).toBe(true));
  }
});

test('batches that encodeExamples makes of parsed ones', async () => {
  const spec = { id: fixedLen([], 'int64') };
  const file = folder.fresh();
  const rows = Dataset.range(5_000).map((id) => encodeExample({ id: int64(id) }));
  const encoded = rows
    .parse(spec)
    .batch(512)
    .map((batch) => encodeExamples(batch, spec));
  const { records: written, files } = await encoded.writeTo(file, { shards: 4 });
  expect(written).toBe(5_000);
  const found = await Dataset.tfrecord(files[3]!).parse(spec).toArray();
  expect(found.map(({ id }) => Number(id))).toEqual(Array.from({ length: 1_250 }, (_, i) => 4 * i + 3));
});

test('memory of records that was transferred away meanwhile is named', async () => {
  const lost = raw().filter((record) => {
    structuredClone(record.buffer, { transfer: [record.buffer] });
    return true;
  });
  await expect(lost.writeTo(folder.fresh())).rejects.toMatchObject({ code: 'TFR_CLOSED' });
  expect(folder.temporary()).toEqual([]);
});

test('a failure in mid-way leaves no file', async () => {
  const before = readdirSync(folder.path);
  const failing = Dataset.range(1000).map((i) => {
    if (i === 777) throw new Error('no more');
    return Buffer.from(`${i}`);
  });
  await expect(failing.writeTo(join(folder.path, 'broken'), { shards: 4 })).rejects.toMatchObject({ code: 'TFR_USER' });
  expect(readdirSync(folder.path)).toEqual(before);
});

test('elements that are no records, and wrong options, are refused', async () => {
  const target = join(folder.path, 'never');
  await expect((Dataset.range(3) as unknown as Dataset<Uint8Array>).writeTo(target)).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_TYPE',
  });
  await expect(Dataset.from(records).writeTo(target, { shards: 0 })).rejects.toMatchObject({
    code: 'ERR_OUT_OF_RANGE',
  });
  await expect(Dataset.from(records).writeTo(target, { shard: 2 } as never)).rejects.toThrow('Unknown option "shard"');
});
