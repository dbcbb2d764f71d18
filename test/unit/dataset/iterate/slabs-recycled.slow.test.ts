/** The memory of copied records is used again, but never that of records which user code still holds. */
import { encodeExample, fixedLen, int64, readRecords } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { MemoryPool } from '../../../../lib/io';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const COUNT = 2000;
const records = numberedRecords(COUNT, 60);
const files = [0, 1, 2, 3].map((i) => folder.write(`part-${i}`, records.slice(i * 500, i * 500 + 500)));
// Slabs of some 50 records.
const source = Dataset.tfrecord(files, { batchBytes: 4096 });
const interleaved = Dataset.files(folder.at('part-*')).interleave(
  (file) => Dataset.tfrecord(file, { batchBytes: 4096 }),
  {
    cycleLength: 3,
  },
);

const lease = jest.spyOn(MemoryPool.prototype, 'lease');
const end = jest.spyOn(MemoryPool.prototype, 'end');
beforeEach(() => [lease, end].forEach((spy) => spy.mockClear()));

/** Slabs come back by a rule; how many of them meet a reader that asks for one is a matter of time. */
function expectRecycled(): void {
  expect(end.mock.calls.length).toBeGreaterThan(10);
  const leased = lease.mock.results.map(({ value }) => (value as Uint8Array).buffer);
  expect(new Set(leased).size).toBeLessThan(leased.length);
}

type Records = Dataset<Uint8Array, Iterable<Uint8Array>>;

/**
 * All records of all batches, looked at behind the end: each as often as it should be, and as it was written. Returns
 * the memory that they lie in.
 */
async function expectWhole(batches: Dataset<Iterable<Uint8Array>, unknown>, times = 1): Promise<Set<ArrayBufferLike>> {
  const memory = new Set<ArrayBufferLike>();
  const seen = new Map<number, number>();
  for (const batch of await batches.toArray()) {
    for (const record of batch) {
      const number = Buffer.from(record).readUInt32LE(0);
      expect(Buffer.compare(record, records[number]!)).toBe(0);
      memory.add(record.buffer);
      seen.set(number, (seen.get(number) ?? 0) + 1);
    }
  }
  expect([seen.size, new Set(seen.values())]).toEqual([COUNT, new Set([times])]);
  return memory;
}

function expectAsWritten(seen: readonly Uint8Array[]): void {
  expect(new Set(seen.map((record) => Buffer.from(record).readUInt32LE(0))).size).toBe(COUNT);
  for (const record of seen) {
    expect(Buffer.compare(record, records[Buffer.from(record).readUInt32LE(0)]!)).toBe(0);
  }
}

test.each<[string, Records, number]>([
  ['shuffled', source.shuffle(300, { seed: 1 }), 1],
  ['interleaved', interleaved.shuffle(100, { seed: 1 }), 1],
  ['in several epochs', source.shuffle(300, { seed: 1 }).repeat(3), 3],
  ['of epochs that are mixed', source.repeat(2).prefetch(90).shuffle(700, { seed: 1 }).shuffle(9), 2],
  ['one behind the other', source.take(1000).concatenate(source.skip(1000)).shuffle(50, { seed: 1 }), 1],
])('records %s: slabs serve again', async (_, dataset, times) => {
  await expectWhole(dataset.batch(7) as Dataset<Iterable<Uint8Array>, unknown>, times);
  expectRecycled();
});

test('batches that are views of slabs keep them', async () => {
  const memory = await expectWhole(source.batch(7));
  expect(memory.size).toBeGreaterThan(4 * 9);
  // But for those that were read ahead behind the end of each file, and of which nothing was used: three at most.
  expect(end.mock.calls.length).toBeLessThanOrEqual(4 * 3);
});

test.each<[string, (see: (record: Uint8Array) => true) => Records]>([
  ['a filter', (see) => source.filter(see).shuffle(300, { seed: 1 })],
  [
    'a filter inside of an interleave',
    (see) =>
      Dataset.from(files)
        .interleave((file) => Dataset.tfrecord(file, { batchBytes: 4096 }).filter(see), { cycleLength: 2 })
        .shuffle(20, { seed: 1 }),
  ],
  ['takeWhile', (see) => source.takeWhile(see).shuffle(300, { seed: 1 })],
])('records that %s has seen stay as they are', async (_, make) => {
  const seen: Uint8Array[] = [];
  await expectWhole(make((record) => (seen.push(record), true)).batch(7) as Dataset<Iterable<Uint8Array>, unknown>);
  expectAsWritten(seen);
});

test('what an interleave reads its inputs from is not what it passes on', async () => {
  const seen: Uint8Array[] = [];
  const dataset = source
    .filter((record) => (seen.push(record), true))
    .shuffle(200, { seed: 1 })
    .interleave((record) => Dataset.from([Buffer.from(record).readUInt32LE(0)]), { cycleLength: 2 })
    .batch(7);
  expect(new Set((await dataset.toArray()).flat()).size).toBe(COUNT);
  expectAsWritten(seen);
});

test('what is kept, or handed on twice, stays', async () => {
  const cached = source.cache().repeat(2).shuffle(300, { seed: 1 });
  await expectWhole(cached.batch(7) as Dataset<Iterable<Uint8Array>, unknown>, 2);
  const twice = source.window(2, { shift: 2 }).flatMap((window) => [...window, ...window]);
  await expectWhole((twice as Records).shuffle(300, { seed: 1 }).batch(7) as Dataset<Iterable<Uint8Array>, unknown>, 2);
});

test('parsed batches are their own; a record at fault in the middle leaves those before it', async () => {
  const examples = Array.from({ length: 3000 }, (_, i) => encodeExample(i === 2500 ? {} : { id: int64(i) }));
  const file = folder.write('examples', examples);
  const batches = Dataset.tfrecord(file, { batchBytes: 4096 })
    .parse({ id: fixedLen([], 'int64') })
    .shuffle(100, { seed: 1 })
    .batch(11);
  const ids: number[] = [];
  const reading = (async () => {
    for await (const { id } of batches) ids.push(...Array.from(id, Number));
  })();
  await expect(reading).rejects.toMatchObject({ code: 'TFR_FEATURE', record: 2500 });
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(2400);
  expectRecycled();
});

test('slabs that were read ahead in vain are freed when their file is closed', async () => {
  for await (const _ of readRecords(files, { batchBytes: 4096, readAhead: 3 }));
  const ended = end.mock.calls.map(([slab]) => slab.length);
  expect(ended.length).toBeGreaterThan(0);
  expect(new Set(ended)).toEqual(new Set([0]));
});
