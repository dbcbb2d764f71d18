/** Shards of the bytes of plain files, without an index. */
import { truncateSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { Dataset } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { upTo } from '../../../support/datasets/elements';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { frame, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const records = numberedRecords(200, 50);
const one = folder.write('one.tfrecord', records);
const three = [
  folder.write('three-0', records.slice(0, 20)),
  folder.write('three-1', records.slice(20, 150)),
  folder.write('three-2', records.slice(150)),
];
const number = (record: Uint8Array): number => Buffer.from(record).readUInt32LE(0);
const numbers = async (dataset: Dataset<Uint8Array, unknown>): Promise<number[]> =>
  (await dataset.toArray()).map(number);
const shard = (source: string | string[], count: number, index: number): Dataset<Uint8Array> =>
  Dataset.tfrecord(source).shard(count, index, { by: 'bytes' });

async function exhausted(iterator: AsyncIterator<unknown>): Promise<void> {
  while ((await iterator.next()).done !== true);
}

test.each([1, 2, 3, 7, 200, 300])('%i shards have each record once, in order', async (count) => {
  for (const source of [one, three]) {
    const shards: number[][] = [];
    for (const index of upTo(count)) shards.push(await numbers(shard(source, count, index)));
    expect(shards.flat()).toEqual(upTo(200));
    expect(Math.max(...shards.map(({ length }) => length))).toBe(Math.ceil(200 / count));
  }
});

test('states resume, and do not depend on chunks', async () => {
  const dataset = shard(three, 3, 1);
  await expectResumes(dataset);
  await expectChunkInvariant(dataset);
});

test('a compressed file is in one shard', async () => {
  const files = [folder.put('a.gz', gzipSync(tfrecord(records.slice(0, 100)))), folder.write('b', records.slice(100))];
  const shards = await Promise.all(upTo(4).map((index) => numbers(shard(files, 4, index))));
  expect(shards.flat()).toEqual(upTo(200));
  expect(shards[0]!.slice(0, 100)).toEqual(upTo(100));
});

test('a boundary within records that a record holds is an error, not a record that comes twice', async () => {
  const inner = tfrecord(Array.from({ length: 3000 }, () => Buffer.alloc(3000)));
  const file = folder.put('deep', Buffer.concat([frame('first'), frame(inner), frame('last')]));
  await expect(shard(file, 3, 0).count()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file });
});

test.each([20, 0])('a file that shrinks to %i records before its turn is an error, not fewer records', async (left) => {
  const files = [folder.write('whole', records.slice(0, 50)), folder.write('shrinks', records.slice(50))];
  const iterator = Dataset.tfrecord(files, { readAhead: 0 }).shard(2, 0, { by: 'bytes' })[Symbol.asyncIterator]();
  await iterator.next();
  truncateSync(files[1]!, left * frame(records[0]!).length);
  await expect(exhausted(iterator)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file: files[1] });
});

test("reading that ends at damage, by onError 'stop', misses no records", async () => {
  const bytes = tfrecord(records);
  bytes.fill(1, frame(records[0]!).length * 5 + 20, frame(records[0]!).length * 5 + 24);
  const file = folder.put('damaged', bytes);
  const stopping = Dataset.tfrecord(file, { onError: 'stop' }).shard(2, 0, { by: 'bytes' });
  expect(await numbers(stopping)).toEqual(upTo(5));
});

test('only files of records right before have bytes, and shards are uneven', () => {
  const by = 'bytes';
  expect(() => Dataset.range(5).shard(2, 0, { by })).toThrow(/"record" here/);
  expect(() => Dataset.tfrecord(new Uint8Array(5)).shard(2, 0, { by })).toThrow(/"record" here/);
  expect(() => Dataset.tfrecord(one).shuffle(5, { seed: 1 }).shard(2, 0, { by })).toThrow(/"record" here/);
  expect(() => Dataset.tfrecord(one).shard(2, 0, { by, uneven: 'pad' })).toThrow(/"keep"/);
});
