/** Conversions to folders of partitions. */
import { readFileSync } from 'node:fs';

import { bytes, encodeExample, exampleToObject, int64, readRecords } from '../../../lib';
import { convert } from '../../../lib/convert';
import { Folder } from '../../support/records/record-files';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const records = Array.from({ length: 30 }, (_, i) =>
  encodeExample({ id: int64(i), label: int64(i % 3), kind: bytes(i % 2 === 0 ? 'a/b' : '') }),
);
const input = folder.write('in.tfrecord', records);

async function ids(source: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const record of readRecords(source)) found.push(exampleToObject(record)['id']);
  return found.flat();
}

test('each value has a folder with its records, in order, unchanged; a pattern reads all', async () => {
  const { path, at, names } = folder.place();
  const report = await convert(input, `${path}/x.tfrecord.gz`, { partitionBy: 'label' });
  expect(names()).toEqual(['label=0', 'label=1', 'label=2', 'x.tfrecord.gz.manifest.json']);
  expect(report).toMatchObject({
    records: 30,
    files: [0, 1, 2].map((label) => at(`label=${label}/x.tfrecord.gz`)),
    skipped: 0,
  });
  expect(await ids(at('label=1/x.tfrecord.gz'))).toEqual([1, 4, 7, 10, 13, 16, 19, 22, 25, 28]);
  expect(await ids(`${path}/label=*/x.tfrecord.gz`)).toHaveLength(30);
  expect(await ids(`${path}/**/*.gz`)).toHaveLength(30);
});

test('several features are nested, and the records may be read back into one file', async () => {
  const { path, at } = folder.place();
  await convert(input, `${path}/x.tfrecord`, { partitionBy: ['kind', 'label'] });
  expect(await ids(at('kind=a%2Fb/label=2/x.tfrecord'))).toEqual([2, 8, 14, 20, 26]);
  expect(await ids(at('kind=__HIVE_DEFAULT_PARTITION__/label=2/x.tfrecord'))).toEqual([5, 11, 17, 23, 29]);
  const { records: joined } = await convert(`${path}/kind=*/label=*/x.tfrecord`, at('joined.tfrecord'));
  expect(joined).toBe(30);
});

test('a feature of which no record has a value is noted: its name may be misspelt', async () => {
  const { path } = folder.place();
  const { notes } = await convert(input, `${path}/x.tfrecord`, { partitionBy: ['label', 'labels'] });
  const where = 'labels=__HIVE_DEFAULT_PARTITION__';
  expect(notes).toEqual([`No record has a value of the feature "labels": all are in folders ${where}.`]);
  expect((await convert(input, `${path}/y.tfrecord`, { partitionBy: 'kind' })).notes).toEqual([]);
});

test('other inputs are converted first, and shares of the job apply', async () => {
  const { path, at } = folder.place();
  const lines = folder.put('in.jsonl', records.map((_, i) => `{"id":${i},"label":"l${i % 2}"}\n`).join(''));
  await convert(lines, `${path}/x.tfrecord`, { partitionBy: 'label', features: ['id', 'label'] });
  expect(await ids(at('label=l1/x.tfrecord'))).toHaveLength(15);
});

test('a record without a folder is an error, or is left out', async () => {
  const { path, names, at } = folder.place();
  const odd = folder.write('odd.tfrecord', [records[0]!, encodeExample({ label: int64([1, 2]) }), records[1]!]);
  const options = { partitionBy: 'label' };
  await expect(convert(odd, `${path}/x.tfrecord`, options)).rejects.toMatchObject({
    code: 'TFR_FEATURE',
    file: odd,
    record: 1,
  });
  expect(names()).toEqual([]);
  const report = await convert(odd, `${path}/x.tfrecord`, { ...options, onError: 'skip' });
  expect(report).toMatchObject({ records: 2, skipped: 1 });
  const stopped = await convert(odd, `${path}/y.tfrecord`, { ...options, onError: 'stop' });
  expect(stopped.files).toEqual([at('label=0/y.tfrecord')]);
});

test('files that exist are refused without force', async () => {
  const { path, at } = folder.place();
  await convert(input, `${path}/x.tfrecord`, { partitionBy: 'label' });
  const before = readFileSync(at('label=1/x.tfrecord'));
  await expect(convert(input, `${path}/x.tfrecord`, { partitionBy: 'label' })).rejects.toMatchObject({
    code: 'EEXIST',
  });
  await convert(`${path}/label=*/x.tfrecord`, `${path}/x.tfrecord`, { partitionBy: 'label', force: true });
  expect(readFileSync(at('label=1/x.tfrecord'))).toEqual(before);
});

test('no records give no folders', async () => {
  const { path, names } = folder.place();
  const { files } = await convert(folder.write('none.tfrecord', []), `${path}/x.tfrecord`, { partitionBy: 'label' });
  expect([files, names()]).toEqual([[], ['x.tfrecord.manifest.json']]);
});

test.each([
  ['shards', { shards: 2 }, 'x.tfrecord'],
  ['maxBytes', { maxBytes: 2 }, 'x.tfrecord'],
  ['split', { split: { a: 1 } }, 'x.tfrecord'],
  ['seed', { seed: 2 }, 'x.tfrecord'],
  ['shard', { shard: '0/2' }, 'x.tfrecord'],
  ['resume', { resume: true }, 'x.tfrecord'],
  ['features', { features: ['id'] }, 'x.tfrecord'],
  ['exclude', { exclude: ['label'] }, 'x.tfrecord'],
  ['partitionBy', {}, 'x.jsonl'],
  ['partitionBy', {}, 'x.parquet'],
  ['compression', {}, 'x.tfrecord.zz'],
])('refuses %s: %j %s', async (option, options, name) => {
  const { path, names } = folder.place();
  const refused = expect(convert(input, `${path}/${name}`, { partitionBy: 'label', ...options }));
  await refused.rejects.toMatchObject({
    message: expect.stringMatching(new RegExp(`options\\.${option}\\b`)) as string,
  });
  expect(names()).toEqual([]);
});

test('the command', async () => {
  const { path, names } = folder.place();
  const done = await runHere(['convert', input, `${path}/x.tfrecord`, '--partition-by', 'kind,label', '--json']);
  expect(done.code).toBe(0);
  expect((JSON.parse(done.stdout) as { files: string[] }).files).toHaveLength(6);
  const again = await runHere(['convert', input, `${path}/x.tfrecord`, '--partition-by', 'label']);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('--force')]);
  const other = await runHere(['convert', input, `${path}/y.parquet`, '--partition-by', 'label']);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--partition-by')]);
  const both = await runHere(['convert', input, `${path}/y.tfrecord`, '--partition-by', 'label', '--shards', '3']);
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--shards')]);
  expect(names()).toHaveLength(3);
});
