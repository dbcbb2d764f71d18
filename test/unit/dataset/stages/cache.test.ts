import { Dataset } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
  jest.spyOn(process, 'emitWarning').mockImplementation((warning) => void warnings.push(String(warning)));
});
afterEach(() => jest.restoreAllMocks());

/** 0 to `count - 1`, and how many were read. */
function counting(count: number): { dataset: Dataset<number>; read: () => number } {
  let read = 0;
  const dataset = Dataset.range(count).map((n) => {
    read++;
    return n;
  });
  return { dataset, read: () => read };
}

test('the second pass reads nothing, in the same iteration and in another', async () => {
  const { dataset, read } = counting(600);
  const cached = dataset.cache();
  const once = await cached.toArray();
  expect(once).toEqual(Array.from({ length: 600 }, (_, i) => i));
  await expect(cached.repeat(2).toArray()).resolves.toEqual([...once, ...once]);
  await expect(cached.skip(598).toArray()).resolves.toEqual([598, 599]);
  expect(read()).toBe(600);
});

test('inside of a repetition the first pass fills it', async () => {
  const { dataset, read } = counting(10);
  await expect(dataset.cache().repeat(3).toArray()).resolves.toHaveLength(30);
  expect(read()).toBe(10);
});

test('a pass that breaks off leaves nothing', async () => {
  const { dataset, read } = counting(1000);
  const cached = dataset.cache();
  for await (const value of cached) if (value === 500) break;
  await cached.take(3).toArray();
  const before = read();
  await expect(cached.toArray()).resolves.toHaveLength(1000);
  expect(read()).toBe(before + 1000);
  let fails = true;
  const broken = Dataset.range(5)
    .map((n) => {
      if (n === 3 && fails) throw new Error('three');
      return n;
    })
    .cache();
  await expect(broken.toArray()).rejects.toThrow('three');
  fails = false;
  await expect(broken.toArray()).resolves.toEqual([0, 1, 2, 3, 4]);
});

test('a pass that is closed while more is made leaves nothing', async () => {
  let open = (): void => undefined;
  let gate: Promise<void> | undefined = new Promise((resolve) => (open = resolve));
  const cached = Dataset.range(6)
    .filter(async (n) => {
      if (n > 0) await gate;
      return n % 5 === 0;
    })
    .cache();
  const elements = cached.iterate();
  await expect(elements.next()).resolves.toEqual({ value: 0, done: false });
  await elements.return();
  open();
  gate = undefined;
  await new Promise((resolve) => setTimeout(resolve, 20));
  await expect(cached.toArray()).resolves.toEqual([0, 5]);
});

test('what it gives is what came, with its places; records stay records', async () => {
  const file = folder.write('cache.tfrecord', numberedRecords(12, 8));
  const cached = Dataset.tfrecord(file).cache();
  const places = cached.batch(5).map((batch, { origins }) => [batch.length, origins.map(({ record }) => record)]);
  const first = await places.toArray();
  expect(first[1]).toEqual([5, [5, 6, 7, 8, 9]]);
  folder.write('cache.tfrecord', []);
  await expect(places.toArray()).resolves.toEqual(first);
});

test('resumes anywhere, with what is kept and without', async () => {
  const make = (): Dataset<number> =>
    Dataset.range(20)
      .map((n) => 2 * n)
      .cache();
  const cached = make();
  await expectResumes(cached);
  await expectResumes(make(), { others: [make(), cached] });
  await expectChunkInvariant(cached);
  const shuffled = (): Dataset<number> => Dataset.range(12).shuffle(5).cache().repeat(3).seed(4);
  await expectResumes(shuffled());
  for (let position = 0; position < 36; position += 5) {
    await expectResumes(shuffled(), { others: [shuffled()], positions: [position] });
  }
});

test('an order that nobody gave a seed for is resumed elsewhere too', async () => {
  const make = (): Dataset<number> => Dataset.range(30).shuffle(30).cache();
  const cached = make();
  const order = await cached.toArray();
  await expect(cached.toArray()).resolves.toEqual(order);
  const elements = cached.iterate();
  for (let i = 0; i < 7; i++) await elements.next();
  const state = elements.state();
  await elements.return();
  const rest: number[] = [];
  for await (const value of make().iterate({ state })) rest.push(value);
  expect(rest).toEqual(order.slice(7));
});

test('behind a shuffle it is worth a warning', () => {
  Dataset.range(3).cache().shuffle(2);
  expect(warnings).toEqual([]);
  Dataset.range(3)
    .shuffle(2)
    .map((n) => n)
    .cache();
  expect(warnings).toEqual([expect.stringContaining('one order')]);
});
