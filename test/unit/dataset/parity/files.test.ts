/** Parity with TensorFlow: lists of files, epochs, the queue of file names. */
import { writeFileSync } from 'node:fs';

import { fixedLen } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { drain, folder, pattern, shards, sorted, upTo } from './fixture';

const SPEC = { id: fixedLen([], 'int64') };
const idsOf = (dataset: Dataset<Uint8Array, unknown>): Dataset<number> =>
  (dataset as Dataset<Uint8Array>).parse(SPEC).map(({ id }) => Number(id));
const name = (path: string): string => path.slice(-1);

test('F1 lists of files: literal, computed, by pattern, what another tool printed; sorted on every machine', async () => {
  const printed = folder.at('list.txt');
  writeFileSync(printed, shards.join('\n'));
  const lists = [
    Dataset.tfrecord(shards),
    Dataset.tfrecord(upTo(4).map((i) => folder.at(`set-${i}`))),
    Dataset.tfrecord(pattern),
    Dataset.files(pattern).flatMap((file) => Dataset.tfrecord(file)),
    Dataset.text(printed).flatMap((file) => Dataset.tfrecord(file)),
  ];
  for (const list of lists) expect(await drain(idsOf(list))).toEqual(upTo(20));
});

test('F2 no file is ENOENT with the pattern, before the first record', async () => {
  for (const dataset of [Dataset.tfrecord(folder.at('none-*')), Dataset.files(folder.at('none-*'))]) {
    await expect(dataset.iterate().next()).rejects.toMatchObject({ code: 'ENOENT', file: folder.at('none-*') });
  }
});

test('F3 files in another order each epoch, or in theirs', async () => {
  const shuffled = Dataset.files(pattern).shuffle('full', { seed: 3 });
  const epochs = await Promise.all(upTo(6).map(async (epoch) => (await drain(shuffled, epoch)).map(name).join('')));
  expect(new Set(epochs).size).toBeGreaterThan(2);
  expect(epochs.map((order) => [...order].sort().join(''))).toEqual(Array(6).fill('0123'));
  expect((await drain(Dataset.files(pattern))).map(name)).toEqual(['0', '1', '2', '3']);
});

test('F4 a number of epochs, or no end', async () => {
  expect(await Dataset.range(3).repeat(2).toArray()).toEqual([0, 1, 2, 0, 1, 2]);
  expect(await Dataset.range(3).repeat().take(7).toArray()).toEqual([0, 1, 2, 0, 1, 2, 0]);
});

test('F5 the end of the data is no error', async () => {
  const iterator = Dataset.tfrecord(shards[0]!).iterate();
  for (let i = 0; i < 5; i++) expect((await iterator.next()).done).toBe(false);
  expect(await iterator.next()).toEqual({ value: undefined, done: true });
  expect(await iterator.next()).toEqual({ value: undefined, done: true });
});

test('F6 nothing has to be initialised: each loop has its own count of epochs', async () => {
  const twice = Dataset.tfrecord(pattern).repeat(2);
  expect([(await drain(twice)).length, (await drain(twice)).length]).toEqual([40, 40]);
});

test('F7 each file once an epoch', async () => {
  const files = Dataset.files(pattern).shuffle('full', { seed: 1 }).repeat(3);
  const drawn = (await drain(files)).map(name);
  for (const at of [0, 4, 8]) expect(drawn.slice(at, at + 4).sort()).toEqual(['0', '1', '2', '3']);
});

test('F8, F9 files are opened ahead, as many as asked for', async () => {
  for (const prefetch of [0, 1, 3]) {
    const opened: number[] = [];
    const dataset = Dataset.range(8).interleave(
      (file) =>
        Dataset.from(() => {
          opened.push(file);
          return [file];
        }),
      { cycleLength: 1, prefetch },
    );
    const iterator = dataset.iterate();
    await iterator.next();
    const ahead = opened.length;
    await iterator.return();
    // The first, those behind it, and what the chunk that is made ahead needs.
    expect(ahead).toBeGreaterThanOrEqual(1 + prefetch);
    expect(await drain(dataset)).toEqual(upTo(8));
  }
});

test('F10 readers hold different files of one epoch until all were begun', async () => {
  const order: number[] = await drain(
    idsOf(Dataset.files(pattern).interleave((file) => Dataset.tfrecord(file), { cycleLength: 2 })),
  );
  const begun = upTo(4).map((shard) => order.indexOf(5 * shard));
  expect(begun).toEqual([0, 1, 10, 11]);
});

test('F11 several files at once', async () => {
  const four = Dataset.files(pattern).interleave((file) => Dataset.tfrecord(file), { cycleLength: 4 });
  expect((await drain(idsOf(four))).slice(0, 4)).toEqual([0, 5, 10, 15]);
});

test('F12 one file, read ahead as far as asked for, in its order', async () => {
  for (const readAhead of [1, 2, 16])
    expect(await drain(idsOf(Dataset.tfrecord(pattern, { readAhead })))).toEqual(upTo(20));
});

test('F13 where the time goes is told, stage by stage', async () => {
  const iterator = idsOf(Dataset.tfrecord(pattern)).batch(4).iterate();
  for await (const _ of iterator);
  expect(iterator.stats().map(({ stage, elements }) => [stage, elements])).toEqual([
    ['tfrecord', 20],
    ['parse', 20],
    ['map', 20],
    ['batch', 5],
  ]);
});

test('F14 shards are written in turn; a share of no file is told', async () => {
  const { files } = await Dataset.tfrecord(pattern).writeTo(folder.at('again'), { shards: 3 });
  expect(await Promise.all(files.map((file) => Dataset.tfrecord(file).count()))).toEqual([7, 7, 6]);
  const all = await Promise.all(upTo(3).map((i) => drain(idsOf(Dataset.tfrecord(files).shard(3, i, { by: 'file' })))));
  expect(sorted(all.flat())).toEqual(upTo(20));
  await expect(Dataset.files(pattern).shard(9, 8).toArray()).resolves.toEqual([]);
});

test('F15 a shuffle holds what it says, whatever the number of examples a shard', async () => {
  let pulled = 0;
  const source = Dataset.from(function* () {
    for (let i = 0; i < 1000; i++, pulled++) yield i;
  });
  const iterator = source.shuffle(100, { seed: 1 }).chunks({ size: 1 });
  await iterator.next();
  expect(pulled).toBeGreaterThanOrEqual(100);
  expect(pulled).toBeLessThan(120);
  await iterator.return();
});
