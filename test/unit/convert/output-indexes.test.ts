/** Indexes that a conversion saves beside its outputs. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { PassThrough } from 'node:stream';

import { encodeExample, int64, openIndexed } from '../../../lib';
import { convert, mergeParts, type ConvertOptions } from '../../../lib/convert';
import { Folder } from '../../support/records/record-files';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());

const records = Array.from({ length: 90 }, (_, i) => encodeExample({ id: int64(i), label: int64(i % 3) }));
const input = folder.write('in.tfrecord', records);

/** Expects that all `files` have an index that is used, and that they have `count` records. */
async function expectIndexed(files: readonly string[], count = records.length): Promise<void> {
  let sum = 0;
  for (const file of files) {
    expect(existsSync(`${file}.tfindex`)).toBe(true);
    await using index = await openIndexed(file, { onStale: 'throw' });
    sum += index.records;
    expect((await index.at(-1))!.length).toBeGreaterThan(0);
  }
  expect(sum).toBe(count);
}

test.each<[string, ConvertOptions]>([
  ['out.tfrecord', {}],
  ['out.tfrecord.gz', {}],
  ['out.tfrecord.zz', {}],
  ['out.tfrecord', { shards: 4 }],
  ['out.tfrecord.gz', { maxBytes: 1000 }],
  ['out.tfrecord', { split: { a: 0.5, b: 0.5 }, shuffle: true }],
  ['out.tfrecord', { partitionBy: 'label' }],
])('%s has an index beside each output: %j', async (name, options) => {
  const { at } = folder.place();
  const { files } = await convert(input, at(name), { ...options, index: true });
  await expectIndexed(files);
});

test('a resumed job makes the indexes that are missing, and replaces no others', async () => {
  const { at } = folder.place();
  const { files } = await convert(input, at('out.tfrecord'), { shards: 4, index: true });
  const before = readFileSync(`${files[0]!}.tfindex`);
  rmSync(files[3]!);
  rmSync(`${files[1]!}.tfindex`);
  await convert(input, at('out.tfrecord'), { shards: 4, index: true, resume: true });
  await expectIndexed(files);
  expect(readFileSync(`${files[0]!}.tfindex`)).toEqual(before);
  rmSync(`${files[2]!}.tfindex`);
  const { upToDate } = await convert(input, at('out.tfrecord'), { shards: 4, index: true, resume: true });
  expect(upToDate).toBe(true);
  await expectIndexed(files);
});

test('a new set leaves no index of the one that it replaces', async () => {
  const { at, names } = folder.place();
  await convert(input, at('out.tfrecord'), { shards: 4, index: true });
  await convert(input, at('out.tfrecord'), { shards: 2, force: true });
  expect(names().filter((name) => name.endsWith('.tfindex'))).toEqual([]);
});

test('merged parts keep their indexes', async () => {
  const { at, names } = folder.place();
  const list = [input, folder.write('more.tfrecord', records)];
  for (const index of [0, 1]) await convert(list, at('out.gz'), { shard: { index, count: 2 }, index: true });
  const { files } = await mergeParts(at('out.gz'));
  await expectIndexed(files, 180);
  expect(names()).toHaveLength(5);
});

test('only files of TFRecords have an index', async () => {
  const { at } = folder.place();
  const refused = (output: string | PassThrough): Promise<unknown> => convert(input, output, { index: true });
  await expect(refused(at('out.jsonl'))).rejects.toThrow(/only TFRecord files have an index/);
  await expect(refused(new PassThrough())).rejects.toThrow(/options.index.*not a file/);
});

test('the command saves it, too', async () => {
  const { at } = folder.place();
  const { code } = await runHere(['convert', '--index', input, at('out.tfrecord')]);
  expect(code).toBe(0);
  await expectIndexed([at('out.tfrecord')]);
});
