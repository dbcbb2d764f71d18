/** `Dataset.zip`. */
import { Dataset, TFRecordError } from '../../../../lib';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { thrown } from '../../../support/thrown';

const folder = new Folder();
afterAll(() => folder.remove());

const letters = Dataset.from(['a', 'b', 'c']);

test('arrays and objects, as the parts are given', async () => {
  expect(await Dataset.zip([Dataset.range(3), letters]).toArray()).toEqual([
    [0, 'a'],
    [1, 'b'],
    [2, 'c'],
  ]);
  const named: Dataset<{ n: number; letter: string }> = Dataset.zip({ n: Dataset.range(2), letter: letters });
  expect(await named.toArray()).toEqual([
    { n: 0, letter: 'a' },
    { n: 1, letter: 'b' },
  ]);
});

test('the shortest ends it, and the others are closed', async () => {
  const closed: string[] = [];
  async function* endless(): AsyncGenerator<number> {
    try {
      for (let i = 0; ; i++) yield i;
    } finally {
      closed.push('endless');
    }
  }
  const zipped = Dataset.zip([Dataset.from(endless), letters, Dataset.range(100)]);
  expect((await zipped.toArray()).map(([, letter]) => letter)).toEqual(['a', 'b', 'c']);
  expect(closed).toEqual(['endless']);
});

test('size is that of the shortest, where all are known', () => {
  expect(Dataset.zip([Dataset.range(5), letters]).size).toBe(3);
  expect(Dataset.zip([Dataset.range(5).repeat(), letters]).size).toBe(3);
  expect(Dataset.zip([Dataset.range(5).filter(() => true), letters]).size).toBeUndefined();
});

test('lengths that have to be equal: an error behind what there is of all, which names the part that ended', async () => {
  const given: unknown[] = [];
  const unequal = Dataset.zip({ x: Dataset.range(5), label: letters }, { length: 'equal' });
  const reading = unequal.forEachAsync((value) => given.push(value));
  await expect(reading).rejects.toMatchObject({
    code: 'TFR_TRUNCATED',
    stage: 'zip',
    message: expect.stringMatching(/expected an element 3 of part "label", as of part "x"/),
  });
  await expect(reading).rejects.toBeInstanceOf(TFRecordError);
  expect(given).toHaveLength(3);
  const later = Dataset.zip([letters, Dataset.range(5)], { length: 'equal' });
  await expect(later.toArray()).rejects.toThrow(/part 0, as of part 1/);
  expect(await Dataset.zip([letters, Dataset.range(3)], { length: 'equal' }).count()).toBe(3);
});

test('the error of a part comes behind the elements before it; a part before it that ends comes first', async () => {
  const failing = Dataset.range(10).map((n) => {
    if (n === 3) throw new Error('no three');
    return n;
  });
  const given: unknown[] = [];
  await expect(
    Dataset.zip([failing, Dataset.range(9)]).forEachAsync((value) => given.push(value)),
  ).rejects.toMatchObject({ code: 'TFR_USER', stage: 'zip/map' });
  expect(given).toHaveLength(3);
  expect(await Dataset.zip([letters, failing]).count()).toBe(3);
});

test('origins: that of the first part that has one, and those of all', async () => {
  const first = folder.write('first.tfrecord', numberedRecords(2, 8));
  const second = folder.write('second.tfrecord', numberedRecords(2, 16));
  const zipped = Dataset.zip([Dataset.range(2), Dataset.tfrecord(first), Dataset.tfrecord(second)]);
  const seen: unknown[] = [];
  await zipped.map((_, { origin, origins }) => seen.push([origin?.file, origins.length])).toArray();
  expect(seen).toEqual([
    [first, 2],
    [first, 2],
  ]);
  const elements = zipped.iterate();
  await elements.next();
  expect(elements.origins).toEqual([
    { file: first, record: 0, offset: 0, bytes: 8 },
    { file: second, record: 0, offset: 0, bytes: 16 },
  ]);
  await elements.return();
});

test('parts have seeds of their own, which follow from that of the whole', async () => {
  const shuffled = Dataset.range(20).shuffle('full');
  const one = await Dataset.zip([shuffled, shuffled]).seed(5).toArray();
  expect(one).toEqual(await Dataset.zip([shuffled, shuffled]).seed(5).toArray());
  expect(one.some(([a, b]) => a !== b)).toBe(true);
  expect(new Set(one.map(([a]) => a)).size).toBe(20);
});

test('resumes anywhere, whatever the chunks', async () => {
  const file = folder.write('resume.tfrecord', numberedRecords(17, 20));
  const zipped = Dataset.zip([
    Dataset.range(40).filter((n) => n % 3 !== 0),
    Dataset.tfrecord(file).shuffle(4),
    Dataset.range(30).shuffle('full').batch(2),
  ]).seed(3);
  await expectResumes(zipped);
  await expectResumes(zipped.batch(4));
  await expectChunkInvariant(zipped.repeat(3));
  const unequal = Dataset.zip([Dataset.range(7), Dataset.range(9)], { length: 'equal' });
  await expectResumes(unequal);
  await expectChunkInvariant(unequal);
});

test('wrong arguments', () => {
  const zip = Dataset.zip as (...args: unknown[]) => unknown;
  for (const parts of [null, 3, [letters, 4], { a: 4 }]) {
    expect(thrown(() => zip(parts))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  }
  for (const parts of [[], {}]) expect(thrown(() => zip(parts))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  expect(thrown(() => zip([letters], { length: 'longest' }))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  expect(thrown(() => zip([letters], { size: 1 }))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
});
