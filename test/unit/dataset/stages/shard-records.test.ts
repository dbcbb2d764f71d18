/** Shards of the records of files, by an index. */
import { appendFileSync } from 'node:fs';

import { openIndexed } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { sorted, upTo } from '../../../support/datasets/elements';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { frame } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const records = numberedRecords(50, 8);
const files = [
  folder.write('a.tfrecord', records.slice(0, 17)),
  folder.write('b.tfrecord.gz', records.slice(17, 40)),
  folder.write('c.tfrecord.zlib', records.slice(40)),
];
const number = (record: Uint8Array): number => Buffer.from(record).readUInt32LE(0);
const numbers = async (dataset: Dataset<Uint8Array, unknown>): Promise<number[]> =>
  (await dataset.toArray()).map(number);

test.each([1, 2, 3, 6, 49, 50, 60])('%i shards have each record once, in order', async (count) => {
  const dataset = Dataset.tfrecord(files);
  const shards: number[][] = [];
  for (const index of upTo(count)) shards.push(await numbers(dataset.shard(count, index, { by: 'range' })));
  expect(shards.flat()).toEqual(upTo(50));
  expect(Math.max(...shards.map(({ length }) => length))).toBe(Math.ceil(50 / count));
  expect(Math.min(...shards.map(({ length }) => length))).toBe(Math.floor(50 / count));
});

test('uneven shards are as those of a range', async () => {
  for (const uneven of ['drop', 'pad'] as const) {
    for (const index of upTo(4)) {
      const found = await Dataset.tfrecord(files)
        .shard(4, index, { by: 'range', uneven })
        .map((record, { valid }) => [number(record), valid])
        .toArray();
      const like = await Dataset.range(50)
        .shard(4, index, { by: 'range', uneven })
        .map((i, { valid }) => [i, valid])
        .toArray();
      expect(found).toEqual(like);
    }
  }
});

test('states resume; a file that changed is refused', async () => {
  const shard = Dataset.tfrecord(files).shard(3, 1, { by: 'range', uneven: 'pad' });
  await expectResumes(shard, { positions: [0, 1, 8, 16, 17] });
  await expectChunkInvariant(shard);
  const file = folder.write('d.tfrecord', records.slice(0, 20));
  const changed = Dataset.tfrecord(file).shard(2, 1, { by: 'range' });
  const iterator = changed.iterate({ epoch: 0 });
  await iterator.next();
  const before = iterator.state();
  await iterator.return();
  appendFileSync(file, frame(records[20]!));
  await expect(changed.iterate({ state: before }).next()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
});

test('a shard is shuffled exactly, and shards of shards are shards', async () => {
  const half = Dataset.tfrecord(files).shard(2, 1, { by: 'range' });
  expect(sorted(await numbers(half.shuffle('full', { seed: 1 })))).toEqual(upTo(50).slice(25));
  const quarters = await Promise.all([0, 1].map((index) => numbers(half.shard(2, index, { by: 'range' }))));
  expect(quarters.flat()).toEqual(upTo(50).slice(25));
});

test('the index beside a file is used, unless it is stale', async () => {
  const file = folder.write('indexed.tfrecord.gz', records);
  await using index = await openIndexed(file, { save: true });
  expect(index.records).toBe(50);
  const shard = Dataset.tfrecord(file).shard(5, 3, { by: 'range' });
  expect(await numbers(shard)).toEqual(upTo(50).slice(30, 40));
  folder.write('indexed.tfrecord.gz', records.slice(0, 10));
  expect(await numbers(shard)).toEqual([6, 7]);
});
