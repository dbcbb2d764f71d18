/** Shuffles of records by their numbers: in full, and in blocks. */
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';

import { Dataset } from '../../../../lib/dataset';
import { inBlocks } from '../../../../lib/dataset/numbered/blocks';
import { inOrder } from '../../../../lib/dataset/numbered/sequences';
import { permutation, seedWords } from '../../../../lib/dataset/random';
import { stageKey } from '../../../../lib/dataset/random/seed';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { drain, sorted, upTo } from '../../../support/datasets/elements';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { flipBit, frame, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const records = numberedRecords(60, 8);
const files = [
  folder.write('a.tfrecord', records.slice(0, 17)),
  folder.write('b.tfrecord', []),
  folder.write('c.tfrecord.gz', records.slice(17, 40)),
  folder.write('d.tfrecord.zlib', records.slice(40)),
];
const number = (record: Uint8Array): number => Buffer.from(record).readUInt32LE(0);
const order = async (dataset: Dataset<Uint8Array, unknown>, epoch = 0): Promise<number[]> =>
  (await drain(dataset, epoch)).map(number);

test('in full, records of all files come in the order of the permutation, another one each epoch', async () => {
  const dataset = Dataset.tfrecord(files).shuffle('full', { seed: 42 });
  for (const epoch of [0, 1]) {
    const { at } = permutation(60, stageKey(seedWords('seed', 42), 0, epoch));
    expect(await order(dataset, epoch)).toEqual(upTo(60).map((position) => at(position)));
  }
  expect(await order(Dataset.tfrecord(files).shuffle('full', { seed: 42, reshuffle: false }), 3)).toEqual(
    await order(dataset),
  );
  expect(sorted(await order(dataset.repeat(3)))).toEqual(upTo(180).map((i) => Math.floor(i / 3)));
  expect(dataset.explain()).toContain('shuffle(full, seed 42)');
});

test('every source of ranges is shuffled; one that comes in order is refused', async () => {
  const bytes = tfrecord(records);
  const expected = await order(Dataset.tfrecord(folder.put('all.tfrecord', bytes)).shuffle('full', { seed: 1 }));
  for (const source of [new Uint8Array(bytes), new Blob([new Uint8Array(bytes)])]) {
    expect(await order(Dataset.tfrecord(source).shuffle('full', { seed: 1 }))).toEqual(expected);
  }
  const refusal = { code: 'ERR_INVALID_ARG_VALUE' };
  expect(() => Dataset.tfrecord([bytes]).shuffle('full')).toThrow(expect.objectContaining(refusal));
  expect(() => Dataset.tfrecord(files).map(number).shuffle('full')).toThrow(expect.objectContaining(refusal));
  expect(() => Dataset.text(files).shuffle({ blockSize: 2, blocks: 2 })).toThrow(expect.objectContaining(refusal));
  expect(await order(Dataset.tfrecord([]).shuffle('full'))).toEqual([]);
});

test('standard input is refused, because it has no index', async () => {
  await expect(drain(Dataset.tfrecord([files[0]!, '-']).shuffle('full'))).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_VALUE',
    message: expect.stringContaining('standard input cannot be read again, so it has no index'),
  });
});

test('elements have the origins of their records', async () => {
  const iterator = Dataset.tfrecord(files).shuffle('full', { seed: 3 }).iterate();
  const lengths = [17, 0, 23, 20];
  for await (const record of iterator) {
    const { file, record: own, offset, bytes } = iterator.origin!;
    const first = lengths.slice(0, files.indexOf(file)).reduce((sum, length) => sum + length, 0);
    expect({ number: first + own, offset, bytes }).toEqual({ number: number(record), offset: own * 24, bytes: 8 });
  }
});

test('take, skip, parse, batch and shuffles of a part go on from there', async () => {
  const dataset = Dataset.tfrecord(files).shuffle('full', { seed: 5 });
  const all = await order(dataset);
  expect(await order(dataset.skip(11).take(30))).toEqual(all.slice(11, 41));
  expect(await order(dataset.skip(70))).toEqual([]);
  expect(sorted(await order(dataset.take(10).shuffle('full', { seed: 6 })))).toEqual(sorted(all.slice(0, 10)));
  expect(sorted(await order(Dataset.tfrecord(files).take(25).shuffle('full', { seed: 6 })))).toEqual(upTo(25));
  expect(sorted(await order(Dataset.tfrecord(files).skip(25).shuffle('full', { seed: 6 })))).toEqual(
    upTo(60).slice(25),
  );
  const batches = await dataset.batch(7).toArray();
  expect(batches.flatMap((batch) => Array.from(batch, number))).toEqual(all);
});

test.each([
  ['in full', 'full'],
  ['in blocks', { blockSize: 4, blocks: 3 }],
] as const)('%s, every state resumes, and chunks change nothing', async (_name, how) => {
  const dataset = Dataset.tfrecord(files).shuffle(how, { seed: 7 });
  const states = await expectResumes(dataset, { positions: [0, 1, 2, 5, 16, 22, 23, 59, 60] });
  await expectChunkInvariant(dataset);
  await expectResumes(dataset.skip(5).take(40).repeat(2), { positions: [1, 39, 40, 41] });
  for (const state of states) expect(JSON.stringify(state).length).toBeLessThan(200);
});

test('shards of 1, 2, 3 and 6 workers read one global order, and any number of them goes on after any step', async () => {
  const dataset = Dataset.tfrecord(files).shuffle('full', { seed: 8 });
  const all = await order(dataset);
  for (const workers of [1, 2, 3, 6]) {
    for (const done of [0, 6, 24, 54, 60]) {
      const shards = await Promise.all(
        upTo(workers).map(async (worker) => order(dataset.skip(done).shard(workers, worker))),
      );
      expect(upTo(60 - done).map((i) => shards[i % workers]![Math.floor(i / workers)])).toEqual(all.slice(done));
    }
    for (const worker of upTo(workers)) {
      await expectResumes(dataset.shard(workers, worker), { positions: [1, 9] });
    }
  }
});

test.each(['record', 'range'] as const)('uneven shards by %s: kept, dropped, padded', async (by) => {
  const dataset = Dataset.tfrecord(files).take(10).shuffle('full', { seed: 9 });
  const all = await order(dataset);
  const shards = (uneven: 'keep' | 'drop' | 'pad'): Promise<(string | number)[][]> =>
    Promise.all(
      upTo(3).map((index) =>
        dataset
          .shard(3, index, { by, uneven })
          .map((record, { valid }) => (valid ? number(record) : `${number(record)}*`))
          .toArray(),
      ),
    );
  const like = async (uneven: 'keep' | 'drop' | 'pad'): Promise<(string | number)[][]> =>
    Promise.all(
      upTo(3).map((index) =>
        Dataset.range(10)
          .shard(3, index, { by, uneven })
          .map((i, { valid }) => (valid ? all[i]! : `${all[i]}*`))
          .toArray(),
      ),
    );
  for (const uneven of ['keep', 'drop', 'pad'] as const) expect(await shards(uneven)).toEqual(await like(uneven));
});

test('blocks: the golden order, and each record once whatever the numbers are', async () => {
  const key = (group: number | undefined) =>
    stageKey(seedWords('seed', 42), group === undefined ? 0 : 65_536 + group, 0);
  const golden = inBlocks(inOrder(12), { blockSize: 2, blocks: 3 }, key);
  expect(upTo(12).map((position) => golden.at(position))).toEqual([5, 4, 6, 7, 2, 3, 9, 8, 1, 0, 11, 10]);
  for (let count = 0; count <= 30; count++) {
    for (const [blockSize, blocks] of [
      [1, 1],
      [1, 7],
      [4, 2],
      [7, 3],
      [5, 100],
      [40, 1],
    ] as const) {
      const sequence = inBlocks(inOrder(count), { blockSize, blocks }, key);
      const found = upTo(sequence.length).map((position) => sequence.at(position));
      expect(sorted(found)).toEqual(upTo(count));
      const groups = new Set(upTo(count).map((position) => sequence.groupEnd!(position)));
      for (const [i, end] of [...groups].entries()) {
        const begin = [...groups][i - 1] ?? 0;
        const cut = new Set(found.slice(begin, end).map((one) => Math.floor(one / blockSize)));
        expect(cut.size).toBeLessThanOrEqual(blocks);
      }
    }
  }
  const dataset = Dataset.tfrecord(files).shuffle({ blockSize: 8, blocks: 2 }, { seed: 1 });
  expect(sorted(await order(dataset))).toEqual(upTo(60));
  expect(dataset.explain()).toContain('shuffle(blockSize 8, blocks 2, seed 1)');
  expect(() => Dataset.tfrecord(files).shuffle({ blockSize: 0, blocks: 1 })).toThrow(RangeError);
  expect(() => Dataset.tfrecord(files).shuffle({ blockSize: 1 } as never)).toThrow(TypeError);
});

test('files that changed between stop and resume are refused; between epochs they are read anew', async () => {
  const file = folder.write('changes.tfrecord', records.slice(0, 20));
  const dataset = Dataset.tfrecord(file).shuffle('full', { seed: 1 });
  const stopped = dataset.iterate({ epoch: 0 });
  await stopped.next();
  const state = stopped.state();
  await stopped.return();
  appendFileSync(file, frame(records[20]!));
  const refusal = { code: 'TFR_STATE_MISMATCH' };
  await expect(dataset.iterate({ state }).next()).rejects.toMatchObject(refusal);
  expect(sorted(await order(dataset))).toEqual(upTo(21));
  // As many bytes, but other records.
  writeFileSync(file, tfrecord([...records.slice(0, 18), Buffer.alloc(8 + 24)]));
  await expect(dataset.iterate({ state }).next()).rejects.toMatchObject(refusal);
  await expect(Dataset.tfrecord(files).shuffle('full', { seed: 1 }).iterate({ state }).next()).rejects.toMatchObject(
    refusal,
  );
});

test('a damaged record is an error in its place, or left out', async () => {
  const bytes = tfrecord(records.slice(0, 30));
  const file = folder.put('damaged.tfrecord', flipBit(flipBit(bytes, 24 * 11 + 14), 24 * 12 + 14));
  const whole = await order(Dataset.tfrecord(folder.put('right.tfrecord', bytes)).shuffle('full', { seed: 4 }));
  const dataset = Dataset.tfrecord(file).shuffle('full', { seed: 4 });
  const given: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const record of dataset.iterate({ epoch: 0 })) given.push(number(record));
  };
  const first = whole.findIndex((one) => one === 11 || one === 12);
  await expect(reading()).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA', file, record: whole[first] });
  expect(given).toEqual(whole.slice(0, first));
  const errors: (number | undefined)[] = [];
  const skipping = dataset.onError({ action: 'skip', maxRate: 1, report: ({ record }) => void errors.push(record) });
  expect(await order(skipping)).toEqual(whole.filter((one) => one !== 11 && one !== 12));
  expect(errors).toEqual(whole.filter((one) => one === 11 || one === 12));
  expect(await order(dataset.onError('stop'))).toEqual(whole.slice(0, first));
  await expectResumes(skipping, { positions: [1, first - 1, first, first + 1, 20] });
});

test('damage that hides the rest of a file is an error before the first record', async () => {
  const file = folder.put('cut.tfrecord', tfrecord(records.slice(0, 30)));
  truncateSync(file, 24 * 20 + 5);
  const dataset = Dataset.tfrecord([file, files[0]!]).shuffle('full', { seed: 4 });
  await expect(dataset.toArray()).rejects.toMatchObject({ code: 'TFR_TRUNCATED', file });
  expect(sorted(await order(dataset.onError({ action: 'skip', maxRate: 1 })))).toEqual(
    sorted([...upTo(20), ...upTo(17)]),
  );
  expect(sorted(await order(dataset.onError('stop')))).toEqual(upTo(20));
  const missing = Dataset.tfrecord([files[0]!, folder.at('missing.tfrecord')]).shuffle('full');
  await expect(missing.toArray()).rejects.toMatchObject({ code: 'ENOENT' });
});
