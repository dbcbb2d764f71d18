/**
 * A shuffle buffer copies the remaining records of slabs whose other records have left. Copying must not change the
 * results.
 */
import { Dataset } from '../../../../lib/dataset';
import { expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const COUNT = 3001;
const file = folder.write('numbered.tfrecord', numberedRecords(COUNT, 40));
// Slabs of some 70 records.
const records = Dataset.tfrecord(file, { batchBytes: 4096 });
const numberOf = (record: Uint8Array): number => Buffer.from(record).readUInt32LE(0);

test('records and their origins', async () => {
  const expected = await Dataset.range(COUNT).shuffle(300, { seed: 5 }).toArray();
  const iterator = records.shuffle(300, { seed: 5 }).iterate();
  const found: unknown[] = [];
  for await (const record of iterator) {
    expect(iterator.origin).toEqual({ file, record: numberOf(record), offset: numberOf(record) * 56, bytes: 40 });
    found.push(numberOf(record));
  }
  expect(found).toEqual(expected);
});

test('which of them fill a shard', async () => {
  const shard = records.shard(2, 1, { by: 'record', uneven: 'pad' }).repeat(3);
  // What fills a shard is a chunk of its own, unless it is interleaved with others.
  const together = Dataset.range(4).interleave(() => shard, { cycleLength: 4 });
  const valid = together.shuffle(300, { seed: 5 }).map((record, context) => [numberOf(record), context.valid]);
  const invalid: unknown[] = [];
  // Of small chunks many are compacted.
  for await (const chunk of valid.chunks({ size: 8 })) invalid.push(...chunk.filter(([, isValid]) => !isValid));
  expect(invalid).toEqual(Array(12).fill([1, false]));
});

test('states', async () => {
  const positions = [650, 1400, 2666, 3000];
  await expectResumes(records.shuffle(300, { seed: 5 }).map(numberOf), { most: COUNT, positions });
});

describe('records and other elements in one buffer', () => {
  const three = (of: Dataset<unknown>): Dataset<unknown> =>
    of.take(700).concatenate(Dataset.range(500)).concatenate(of.skip(2900)).shuffle(300, { seed: 5 });
  const mixed = three(records);
  const valueOf = (element: unknown): unknown => (element instanceof Uint8Array ? numberOf(element) : element);

  test('the order is that of numbers, and each record has its origin', async () => {
    const iterator = mixed.iterate();
    const found: unknown[] = [];
    let count = 0;
    for await (const element of iterator) {
      found.push(valueOf(element));
      if (element instanceof Uint8Array) count++;
      expect(iterator.origin?.record).toBe(element instanceof Uint8Array ? numberOf(element) : undefined);
    }
    expect(count).toBe(801);
    expect(found).toEqual(await three(Dataset.range(COUNT)).toArray());
  });

  test('states', async () => {
    const positions = [5, 300, 450, 520, 700, 1000, 1290];
    await expectResumes(mixed.map(valueOf), { most: 1301, positions });
  });
});

test('a buffer of shuffled records', async () => {
  const twice = <T>(dataset: Dataset<T>): Dataset<T> => dataset.shuffle(200, { seed: 3 }).shuffle(300, { seed: 5 });
  expect(await twice(records).map(numberOf).toArray()).toEqual(await twice(Dataset.range(COUNT)).toArray());
});
