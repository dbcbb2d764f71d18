/** `shuffle(n, { bytes })`: a buffer that is full by count or by bytes. */
import { Dataset } from '../../../../lib';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
const records = Array.from({ length: 60 }, (_, i) => Buffer.alloc(1 + ((i * 37) % 50), i));
const file = folder.write('sizes.tfrecord', records);
afterAll(() => folder.remove());

test('where there is room for all, it is a shuffle by count', async () => {
  const order = (options: object): Promise<number[]> =>
    Dataset.tfrecord(file)
      .shuffle(7, { seed: 3, ...options })
      .map((record) => record[0]!)
      .toArray();
  await expect(order({ bytes: 1e6 })).resolves.toEqual(await order({}));
  await expect(order({ bytes: 100 })).resolves.not.toEqual(await order({}));
});

test('each element once, none farther ahead than its bytes allow', async () => {
  for (const bytes of [1, 60, 200, 500]) {
    const all = await Dataset.tfrecord(file)
      .shuffle(20, { bytes, seed: 9 })
      .map((record) => record[0]!)
      .toArray();
    expect([...all].sort((a, b) => a - b)).toEqual(records.map((_, i) => i));
    const given = new Set<number>();
    for (const [place, number] of all.entries()) {
      // What was not given of those before it was in the buffer with it.
      const waiting = records.slice(0, number).filter((_, i) => !given.has(i));
      const sum = waiting.reduce((total, { length }) => total + length, records[number]!.length);
      expect({ place, fits: waiting.length === 0 || (sum <= bytes && waiting.length < 20) }).toEqual({
        place,
        fits: true,
      });
      given.add(number);
    }
  }
  const alone = Dataset.tfrecord(file).shuffle(20, { bytes: 1 });
  await expect(alone.map((record) => record[0]!).toArray()).resolves.toEqual(records.map((_, i) => i));
});

test('resumes anywhere', async () => {
  const make = (): Dataset<unknown, unknown> => Dataset.tfrecord(file).shuffle(9, { bytes: 150 }).repeat(2).seed(5);
  const states = await expectResumes(make());
  for (const state of states) expect(JSON.stringify(state).length).toBeLessThan(800);
  await expectChunkInvariant(make());
  await expectResumes(
    Dataset.tfrecord(file)
      .filter((record) => record.length % 3 > 0)
      .shuffle(9, { bytes: 90 })
      .batch(4),
  );
});

test('an error comes behind what is in the buffer', async () => {
  const given: number[] = [];
  const failing = Dataset.range(20).map((n) => {
    if (n === 10) throw new Error('ten');
    return n;
  });
  await expect(failing.shuffle(6, { bytes: 40 }).forEachAsync((n) => given.push(n))).rejects.toThrow('ten');
  expect(given.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a number of bytes, for a buffer', () => {
  const make = (buffer: number | 'full', bytes: unknown) => () =>
    Dataset.range(3).shuffle(buffer, { bytes: bytes as number });
  expect(make(3, 0)).toThrow(RangeError);
  expect(make(3, '1')).toThrow(TypeError);
  expect(make('full', 5)).toThrow(TypeError);
});
