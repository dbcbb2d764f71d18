import {
  encodeExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  bytes,
  ragged,
  sparse,
  varLen,
  type Spec,
} from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { comparable } from '../../../support/comparable';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const SPEC = {
  label: fixedLen([], 'int64'),
  weight: fixedLen([], 'float32'),
  name: fixedLen([], 'bytes'),
  image: fixedLen([2, 2], 'float32'),
  tags: varLen('bytes'),
  ids: varLen('int64'),
  cells: sparse({ indexKey: 'at', valueKey: 'cell', dtype: 'int64', size: 100 }),
  flat: ragged({ dtype: 'int64', valueKey: 'flat' }),
  deep: ragged({ dtype: 'int64', valueKey: 'deep', partitions: [{ by: 'rowLengths', key: 'lengths' }] }),
} satisfies Spec;

const records = Array.from({ length: 10 }, (_, i) =>
  encodeExample({
    label: int64(i),
    weight: float(i / 4),
    name: bytes(`n${i}`),
    image: float([i, i + 1, i + 2, i + 3]),
    tags: bytes(Array.from({ length: i % 4 }, (_, k) => `t${k}`)),
    ids: int64(Array.from({ length: i % 3 }, (_, k) => 10 * i + k)),
    ...Object.fromEntries(
      ['cell', 'flat', 'deep'].map((name) => [name, int64(Array.from({ length: i % 3 }, (_, k) => 10 * i + k))]),
    ),
    at: int64(Array.from({ length: i % 3 }, (_, k) => 5 * k)),
    lengths: int64(i % 3 === 0 ? [0] : [1, (i % 3) - 1]),
  }),
);
const file = folder.write('unbatch.tfrecord', records);
const parsed = Dataset.tfrecord(file).parse(SPEC);

async function plain(dataset: Dataset<unknown, unknown>): Promise<unknown> {
  return (await dataset.toArray()).map(comparable);
}

describe('unbatch', () => {
  test('of arrays, of records and of columns gives what they were made of', async () => {
    await expect(Dataset.range(7).batch(3).unbatch().toArray()).resolves.toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await plain(Dataset.tfrecord(file).batch(4).unbatch())).toEqual(await plain(Dataset.tfrecord(file)));
    expect(await plain(parsed.batch(4).unbatch())).toEqual(await plain(parsed));
    expect(await plain(Dataset.tfrecord(file).batch(3).parse(SPEC).unbatch())).toEqual(await plain(parsed));
  });

  test('leaves out the padding that parsing put in', async () => {
    const sequences = Dataset.tfrecord(file).parse({
      ids: fixedLenSequence([], 'int64', { allowMissing: true }),
      deep: fixedLenSequence([1], 'int64', { allowMissing: true }),
    });
    expect(await plain(sequences.batch(5).unbatch())).toEqual(await plain(sequences));
  });

  test('records have their own places again', async () => {
    const places = (dataset: Dataset<unknown, unknown>): Promise<unknown> =>
      dataset.map((_, { origins }) => origins.map(({ record }) => record)).toArray();
    expect(await places(parsed.batch(4).unbatch())).toEqual(records.map((_, i) => [i]));
    expect(await places(Dataset.tfrecord(file).batch(4).unbatch())).toEqual(records.map((_, i) => [i]));
  });

  test('resumes anywhere, whatever the chunks', async () => {
    for (const dataset of [
      Dataset.range(23).batch(5).unbatch(),
      Dataset.from([[], [1], [], [2, 3], []]).unbatch(),
      Dataset.tfrecord(file).batch(4).unbatch(),
      parsed.batch(4).unbatch(),
    ]) {
      await expectResumes(dataset);
      await expectChunkInvariant(dataset);
    }
  });

  test('what is no batch, and columns that differ, are refused', async () => {
    await expect(Dataset.range(3).unbatch().toArray()).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    await expect(
      Dataset.from([{ a: [1, 2], b: [1] }])
        .unbatch()
        .toArray(),
    ).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'b' });
  });
});

describe('rebatch', () => {
  test.each([1, 3, 4, 7, 20])('to %i is what batch gives', async (size) => {
    await expect(Dataset.range(10).batch(4).rebatch(size).toArray()).resolves.toEqual(
      await Dataset.range(10).batch(size).toArray(),
    );
    expect(await plain(Dataset.tfrecord(file).batch(4).rebatch(size))).toEqual(
      await plain(Dataset.tfrecord(file).batch(size)),
    );
    const drop = { dropRemainder: true };
    await expect(Dataset.range(10).batch(4).rebatch(size, drop).toArray()).resolves.toEqual(
      await Dataset.range(10).batch(size, drop).toArray(),
    );
  });

  test('columns stay columns', async () => {
    const rows = async (dataset: Dataset<unknown, unknown>): Promise<unknown> => plain(dataset.unbatch());
    for (const size of [1, 3, 7, 20]) {
      const batches = parsed.batch(4).rebatch(size);
      const [first] = await batches.toArray();
      expect(first?.label).toBeInstanceOf(BigInt64Array);
      expect(first?.image.shape).toEqual([Math.min(size, 10), 2, 2]);
      expect(await rows(batches)).toEqual(await plain(parsed));
      expect(await plain(batches)).toEqual(await plain(parsed.batch(size)));
    }
  });

  test('records know where they were read', async () => {
    const origins = Dataset.tfrecord(file)
      .batch(3)
      .rebatch(4)
      .map((batch, context) => [context.origins.map(({ record }) => record), batch.origin(0)?.record]);
    await expect(origins.toArray()).resolves.toEqual([
      [[0, 1, 2, 3], 0],
      [[4, 5, 6, 7], 4],
      [[8, 9], 8],
    ]);
  });

  test('resumes anywhere, whatever the chunks', async () => {
    for (const dataset of [
      Dataset.range(23).batch(5).rebatch(4),
      Dataset.range(23).batch(3).rebatch(7, { dropRemainder: true }),
      Dataset.tfrecord(file).batch(4).rebatch(3),
      parsed.batch(4).rebatch(3),
    ]) {
      await expectResumes(dataset);
      await expectChunkInvariant(dataset);
    }
  });

  test('kinds that do not fit are refused, behind what did', async () => {
    const dataset = Dataset.from<unknown>([[1, 2], [3], Float32Array.of(1)]).rebatch(2);
    const elements = dataset.iterate();
    await expect(elements.next()).resolves.toEqual({ value: [1, 2], done: false });
    await expect(elements.next()).rejects.toMatchObject({ code: 'TFR_FEATURE' });
  });

  test('a bare boolean is refused', () => {
    expect(() =>
      Dataset.range(3)
        .batch(2)
        .rebatch(2, true as never),
    ).toThrow(/dropRemainder/);
  });
});
