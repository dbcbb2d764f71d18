import { Dataset, type FlatMapResult } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

/** `n` copies of n, from an iterable of another kind each. */
function copies(n: number): FlatMapResult<number> {
  const values = Array.from({ length: n }, () => n);
  if (n % 4 === 0) return values;
  if (n % 4 === 1) return new Set(values.slice(0, 1));
  if (n % 4 === 2) {
    return (async function* () {
      yield* values;
    })();
  }
  return Dataset.from(values);
}

test('gives none, one or many for each, of every kind of iterable, in order', async () => {
  const dataset = Dataset.range(6).flatMap(copies);
  await expect(dataset.toArray()).resolves.toEqual([1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5]);
  expect(dataset.size).toBeUndefined();
});

test('a function may be asynchronous', async () => {
  const dataset = Dataset.range(3).flatMap(async (n) => Promise.resolve([n, -n]));
  await expect(dataset.toArray()).resolves.toEqual([0, -0, 1, -1, 2, -2]);
});

test('datasets inside draw with seeds of their own, which follow from the seed', async () => {
  const orders = Dataset.range(3)
    .flatMap(() => Dataset.range(8).shuffle('full'))
    .seed(42);
  const values = await orders.toArray();
  const [first, second] = [values.slice(0, 8), values.slice(8, 16)];
  expect(first).not.toEqual(second);
  expect([...first].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await expect(
    Dataset.range(3)
      .flatMap(() => Dataset.range(8).shuffle('full'))
      .seed(42)
      .toArray(),
  ).resolves.toEqual(values);
});

test('resumes anywhere, whatever the chunks', async () => {
  const dataset = Dataset.range(9).flatMap(copies);
  await expectResumes(dataset);
  await expectChunkInvariant(dataset);
  await expectResumes(Dataset.range(4).flatMap((n) => Dataset.range(n).flatMap(copies)));
  await expectResumes(
    Dataset.range(5)
      .flatMap((n) =>
        Dataset.range(7)
          .shuffle(3)
          .map((x) => x + 10 * n),
      )
      .seed(1),
  );
});

test('a state of thousands of elements is as small as one of few', async () => {
  const elements = Dataset.range(1)
    .flatMap(() => Array.from({ length: 5000 }, (_, i) => 'x'.repeat(i % 100)))
    .iterate();
  for (let i = 0; i < 4000; i++) await elements.next();
  expect(JSON.stringify(elements.state()).length).toBeLessThan(300);
  await elements.return();
});

test('elements keep the place of their record; those of a dataset have their own', async () => {
  const file = folder.write('flat.tfrecord', numberedRecords(3, 8));
  const places = Dataset.tfrecord(file)
    .flatMap((record) => [record[0], record[0]])
    .map((value, { origin }) => [value, origin?.record]);
  await expect(places.toArray()).resolves.toEqual([0, 0, 1, 1, 2, 2].map((n) => [n, n]));
  const nested = Dataset.range(2)
    .flatMap(() => Dataset.tfrecord(file))
    .map((_, { origin }) => origin?.record);
  await expect(nested.toArray()).resolves.toEqual([0, 1, 2, 0, 1, 2]);
  await expectResumes(Dataset.range(2).flatMap(() => Dataset.tfrecord(file)));
});

describe('errors', () => {
  const broken = (n: number): Iterable<number> =>
    (function* () {
      yield n;
      if (n === 2) throw new Error('two is too much');
      yield -n;
    })();

  test('of an iterable come behind what it gave, with the record', async () => {
    const file = folder.write('broken.tfrecord', numberedRecords(4, 8));
    const elements = Dataset.tfrecord(file)
      .flatMap((record) => broken(record[0]!))
      .iterate();
    const values: unknown[] = [];
    const reading = (async () => {
      for await (const value of elements) values.push(value);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'TFR_USER', stage: 'flatMap', record: 2, file });
    expect(values).toEqual([0, -0, 1, -1, 2]);
  });

  test('skipped, they lose the rest of that iterable', async () => {
    const dataset = Dataset.range(4).flatMap(broken).onError({ action: 'skip', maxRate: 1 });
    await expect(dataset.toArray()).resolves.toEqual([0, -0, 1, -1, 2, 3, -3]);
    await expectResumes(dataset);
    await expect(Dataset.range(4).flatMap(broken).onError('stop').toArray()).resolves.toEqual([0, -0, 1, -1, 2]);
  });

  test('of the function, and of what has no elements', async () => {
    const thrown = Dataset.range(3).flatMap((n) => {
      if (n === 1) throw new Error('no one');
      return [n];
    });
    await expect(thrown.toArray()).rejects.toMatchObject({
      code: 'TFR_USER',
      message: expect.stringMatching('no one'),
    });
    await expect(thrown.onError('skip').toArray()).resolves.toEqual([0, 2]);
    const text = Dataset.range(1).flatMap(() => 'text');
    await expect(text.toArray()).rejects.toMatchObject({
      code: 'TFR_USER',
      cause: { code: 'ERR_INVALID_ARG_TYPE' },
      message: expect.stringMatching('an iterable or a Dataset'),
    });
    expect(() => Dataset.range(1).flatMap(3 as never)).toThrow(TypeError);
  });
});

test('what is made of an element is closed when the iteration is, without waiting for it', async () => {
  let ended = 0;
  const endless = Dataset.range(3).flatMap(function* () {
    try {
      for (;;) yield 1;
    } finally {
      ended++;
    }
  });
  for await (const _ of endless) break;
  expect(ended).toBe(1);
  const waits = Dataset.range(1).flatMap(async function* () {
    yield 1;
    await new Promise(() => undefined);
  });
  await expect(waits.take(1).toArray()).resolves.toEqual([1]);
});

test('is asked for no more than is wanted', async () => {
  let calls = 0;
  const dataset = Dataset.range(1000).flatMap((n) => {
    calls++;
    return [n, n];
  });
  await dataset.take(6).toArray();
  expect(calls).toBe(3);
});
