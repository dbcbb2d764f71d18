/** Parity with TensorFlow: threads, starting, stopping. */
import { fixedLen } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { drain, folder, pattern, shards, upTo } from './fixture';

test('S1, S2 the first step starts all; nothing to start, nothing to forget', async () => {
  let opened = 0;
  const dataset = Dataset.from(() => {
    opened++;
    return [1, 2];
  }).prefetch(4);
  const iterator = dataset.iterate();
  await new Promise(setImmediate);
  expect(opened).toBe(0);
  expect((await iterator.next()).value).toBe(1);
  expect(opened).toBe(1);
  await iterator.return();
});

test('S3, S7 an error of one reader stops all', async () => {
  let closed = 0;
  const part = (i: number): Dataset<number> =>
    Dataset.from(async function* () {
      try {
        for (let step = 0; ; step++) {
          if (i === 2 && step === 5) throw new Error('broken');
          yield step;
        }
      } finally {
        closed++;
      }
    });
  const iterator = Dataset.range(4).interleave(part, { cycleLength: 4 }).iterate();
  await expect(
    (async () => {
      for await (const _ of iterator);
    })(),
  ).rejects.toMatchObject({ code: 'TFR_USER', cause: { message: 'broken' } });
  expect(closed).toBe(4);
  expect(await iterator.next()).toEqual({ value: undefined, done: true });
});

test('S4 anyone may stop it, by a signal or by return(); the waiting step hears', async () => {
  const silent = Dataset.from(() => ({
    [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
  }));
  const controller = new AbortController();
  const aborted = silent.iterate({ signal: controller.signal }).next();
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  const iterator = silent.iterate();
  const waiting = iterator.next();
  await iterator.return();
  expect(await waiting).toEqual({ value: undefined, done: true });
});

test('S5 at the end each stage gives all that it holds', async () => {
  const batches = await drain(Dataset.range(23).shuffle(10, { seed: 1 }).prefetch(3).batch(5));
  expect(batches.map(({ length }) => length)).toEqual([5, 5, 5, 5, 3]);
  expect(batches.flat().sort((a, b) => a - b)).toEqual(upTo(23));
});

test('S6 a reader at its end does not end its sisters', async () => {
  const parts = Dataset.range(4).interleave((i) => Dataset.range(i), { cycleLength: 4 });
  expect(await drain(parts)).toEqual([0, 0, 0, 1, 1, 2]);
});

test('S8 after a close every step ends at once', async () => {
  const iterator = Dataset.range(1e9).iterate();
  await iterator.next();
  await iterator.return();
  expect(await Promise.all([iterator.next(), iterator.next()])).toEqual(
    Array(2).fill({ value: undefined, done: true }),
  );
});

test('S9 for await does it all', async () => {
  let records = 0;
  for await (const _ of Dataset.tfrecord(pattern)) records++;
  expect(records).toBe(20);
});

test('S10 named failures, each with its file and record', async () => {
  const damaged = folder.write('damaged', [Buffer.from('a'), Buffer.from('b')]);
  const parse = (file: string) => Dataset.tfrecord(file).parse({ id: fixedLen([2], 'int64') });
  await expect(parse(damaged).toArray()).rejects.toMatchObject({ code: 'TFR_EXAMPLE', file: damaged, record: 0 });
  await expect(parse(shards[0]!).toArray()).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'id' });
  await expect(Dataset.csv(damaged, { columns: { a: 0, b: 0 } }).toArray()).rejects.toMatchObject({
    code: 'TFR_DECODE',
  });
});
