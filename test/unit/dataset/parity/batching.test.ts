/** Parity with TensorFlow: batches, and the queue of examples. */
import { fixedLen, varLen } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { settles } from '../../../support/settles';
import { drain, pattern, sorted, upTo } from './fixture';

const SPEC = { id: fixedLen([], 'int64') };

test('B1 batches in order', async () => {
  expect(await drain(Dataset.range(7).batch(3))).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
});

test('B2 batches of shuffled elements', async () => {
  const batches = await drain(Dataset.range(100).shuffle(50, { seed: 1 }).batch(10));
  expect(batches.flat()).not.toEqual(upTo(100));
  expect(sorted(batches.flat())).toEqual(upTo(100));
});

test('B3 several files in one queue', async () => {
  const joined = Dataset.files(pattern)
    .interleave((file) => Dataset.tfrecord(file), { cycleLength: 4 })
    .shuffle(4, { seed: 1 })
    .parse(SPEC)
    .batch(8);
  const [first] = await drain(joined);
  const shards = new Set(Array.from(first?.id ?? [], (id) => Math.floor(Number(id) / 5)));
  expect(shards.size).toBe(4);
});

test('B4 the size of the buffer is how good the shuffle is', async () => {
  const moved = async (size: number): Promise<number> => {
    const order = await drain(Dataset.range(2000).shuffle(size, { seed: 1 }));
    return order.reduce((sum, value, at) => sum + Math.abs(value - at), 0) / order.length;
  };
  const [few, some, all] = await Promise.all([moved(2), moved(200), moved(2000)]);
  expect(few).toBeLessThan(some / 10);
  expect(some).toBeLessThan(all / 2);
  expect(() => Dataset.range(3).shuffle(0)).toThrow(RangeError);
});

test('B5 what is made ready is bounded, in elements', async () => {
  let pulled = 0;
  const source = Dataset.from(function* () {
    for (;;) yield pulled++;
  });
  const iterator = source.prefetch(10).chunks({ size: 1 });
  await iterator.next();
  expect(await settles(() => pulled >= 11)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pulled).toBeLessThanOrEqual(11 + 10);
  await iterator.return();
});

test('B6 in order for prediction, at random for training', async () => {
  expect(
    await drain(
      Dataset.tfrecord(pattern)
        .parse(SPEC)
        .map(({ id }) => Number(id)),
    ),
  ).toEqual(upTo(20));
});

test('B7 sequences of different lengths are padded', async () => {
  const rows = Dataset.from([[1], [1, 2, 3], [1, 2]].map((ids) => ({ ids })));
  const [batch] = await drain(rows.paddedBatch(3));
  expect(batch?.lengths).toEqual({ ids: Int32Array.of(1, 3, 2) });
  expect(batch?.values).toEqual({
    ids: [
      [1, 0, 0],
      [1, 2, 3],
      [1, 2, 0],
    ],
  });
});

test('B8 what is left of a batch is kept, or dropped', async () => {
  expect(await drain(Dataset.range(7).batch(3, { dropRemainder: true }))).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  expect(() => Dataset.range(7).batch(3, true as never)).toThrow(TypeError);
});

test('B9 what each stage did, and waited for, can be read at any time', async () => {
  const iterator = Dataset.tfrecord(pattern).parse(SPEC).batch(4).iterate();
  await iterator.next();
  const stats = iterator.stats().find(({ stage }) => stage === 'batch');
  expect(stats?.elements).toBeGreaterThanOrEqual(1);
  expect(stats?.busyMs).toBeGreaterThanOrEqual(0);
  expect(stats?.waitedMs).toBeGreaterThanOrEqual(0);
  await iterator.return();
});

test('B10 the first dimension of what is parsed is the batch', async () => {
  const [batch] = await drain(
    Dataset.tfrecord(pattern)
      .parse({ id: fixedLen([1], 'int64'), share: varLen('float32') })
      .batch(6),
  );
  expect([batch?.id.shape, batch?.share.denseShape]).toEqual([
    [6, 1],
    [6, 1],
  ]);
});
