/** Raw records and batches that are valid until the next step: `iterate({ transient: true })`. */
import fc from 'fast-check';

import type { Bytes, RecordBatch } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { compress, flipBit, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const COUNT = 2000;
const PAYLOADS = numberedRecords(COUNT, 1000);
const file = folder.write('numbered.tfrecord', PAYLOADS);
const small = { batchBytes: 65_536 };
const raw = Dataset.tfrecord(file, small);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const numberOf = (record: Uint8Array): number => Buffer.from(record).readUInt32LE(0);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

type Raw = Dataset<Bytes, unknown>;
type Batches = Dataset<RecordBatch, unknown>;

/** Ways to iterate over records, each copied when its step resolves. They stop after `most` records. */
const WAYS = {
  async records(dataset: Raw, transient: boolean, most: number): Promise<string[]> {
    const found: string[] = [];
    if (most > 0) {
      for await (const record of dataset.iterate({ transient, epoch: 0 })) if (found.push(hex(record)) >= most) break;
    }
    return found;
  },
  async chunks(dataset: Raw, transient: boolean, most: number): Promise<string[]> {
    const found: string[] = [];
    for await (const chunk of dataset.chunks({ transient, epoch: 0 })) {
      for (const record of chunk) if (found.length < most) found.push(hex(record));
      if (found.length >= most) break;
    }
    return found;
  },
  async batches(dataset: Raw, transient: boolean, most: number): Promise<string[]> {
    const found: string[] = [];
    for await (const batch of (dataset.batch(7) as Batches).iterate({ transient, epoch: 0 })) {
      for (const record of batch) if (found.length < most) found.push(hex(record));
      if (found.length >= most) break;
    }
    return found;
  },
  async 'concurrent steps'(dataset: Raw, transient: boolean, most: number): Promise<string[]> {
    const iterator = dataset.iterate({ transient, epoch: 0 });
    const found: string[] = [];
    await Promise.all(
      Array.from({ length: most }, () =>
        iterator.next().then(({ value, done }) => {
          if (done !== true) found.push(hex(value));
        }),
      ),
    );
    await iterator.return();
    return found;
  },
};

const codec = fc.constantFrom('none', 'gzip', 'zlib');
const lengths = fc.array(fc.oneof(fc.nat(300), fc.constantFrom(0, 4096, 5000, 70_000)), { maxLength: 120 });
const files = fc.array(fc.record({ codec, lengths, damaged: fc.boolean() }), { minLength: 1, maxLength: 3 });
const stages: Record<string, (dataset: Raw) => Raw> = {
  none: (dataset) => dataset,
  'skip, take and repeat': (dataset) => dataset.skip(3).take(60).repeat(2),
  prefetch: (dataset) => dataset.prefetch(40),
  'a shuffle': (dataset) => dataset.shuffle(30, { seed: 1 }),
  'a map that returns the record': (dataset) => dataset.map((record) => record),
  'batches of batches': (dataset) => dataset.batch(4).unbatch(),
};

test.each(Object.entries(WAYS))('%s are those of an iterator without it', async (name, read) => {
  await fc.assert(
    fc.asyncProperty(
      files,
      fc.nat(250),
      fc.constantFrom(undefined, 4096, 10_000, 65_536),
      fc.constantFrom(...Object.keys(stages)),
      async (given, most, batchBytes, stage) => {
        const paths = given.map(({ codec, lengths, damaged }, number) => {
          const payloads = lengths.map((length, i) => Buffer.alloc(length, 1 + ((number * 131 + i * 7) % 250)));
          const plain = tfrecord(payloads);
          const content = damaged && (lengths[0] ?? 0) > 0 ? flipBit(plain, 12 + lengths[0]! - 1) : plain;
          return folder.put(`${name}-${number}`, compress(content, codec));
        });
        const options = { onError: 'skip', ...(batchBytes && { batchBytes }) } as const;
        const dataset = stages[stage]!(Dataset.tfrecord(paths, options));
        expect(await read(dataset, true, most)).toEqual(await WAYS.records(dataset, false, most));
      },
    ),
    { numRuns: 40 },
  );
});

test('one slab shows all records, and the last ones stay', async () => {
  const buffers = new Set<ArrayBufferLike>();
  const seen: number[] = [];
  let last: Bytes | undefined;
  for await (const record of raw.iterate({ transient: true })) {
    buffers.add(record.buffer);
    seen.push(numberOf(record));
    last = record;
  }
  expect(seen).toEqual(numbers(COUNT));
  expect(buffers.size).toBe(1);
  expect(hex(last!)).toBe(hex(PAYLOADS.at(-1)!));
});

test('a chunk is overwritten by a later step, and not before', async () => {
  const chunks = raw.chunks({ transient: true, size: 4096 });
  const steps = chunks[Symbol.asyncIterator]();
  let before: readonly Bytes[] = [];
  let first = 0;
  let overwritten = 0;
  for (let step = await steps.next(); step.done !== true; step = await steps.next()) {
    if (before.length > 0 && numberOf(before[0]!) !== first) overwritten++;
    first = numberOf(step.value[0]!);
    await new Promise((resolve) => setImmediate(resolve));
    expect(step.value.map(numberOf)).toEqual(numbers(step.value.length).map((i) => first + i));
    before = step.value;
  }
  expect(overwritten).toBeGreaterThan(COUNT / 200);
});

test('batches share little memory, and each stays until the next step', async () => {
  const buffers = new Set<ArrayBufferLike>();
  let at = 0;
  let last: RecordBatch | undefined;
  for await (const batch of (raw.batch(50) as Batches).iterate({ transient: true })) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(Array.from(batch, numberOf)).toEqual(numbers(batch.length).map((i) => at + i));
    expect(batch.origin(0)).toMatchObject({ file, record: at });
    buffers.add(batch.at(0)!.buffer);
    at += batch.length;
    last = batch;
  }
  expect(at).toBe(COUNT);
  expect(buffers.size).toBeLessThanOrEqual(4);
  expect(numberOf(last!.at(-1)!)).toBe(COUNT - 1);
});

const KEEPING: Record<string, (dataset: Raw) => Raw | Batches> = {
  'a shuffle of records': (dataset) => dataset.shuffle(300, { seed: 3 }),
  'a map that returns records': (dataset) => dataset.map((record) => record),
  'a map that returns batches': (dataset) => (dataset.batch(9) as Batches).map((batch) => batch),
  'records out of batches': (dataset) => dataset.batch(9).unbatch(),
  'an interleave': (dataset) => Dataset.range(3).interleave(() => dataset, { cycleLength: 2 }),
  'a zip': (dataset) => Dataset.zip([dataset, dataset]).map(([record]) => record),
};
test.each(Object.entries(KEEPING))('%s: all elements stay valid', async (_, made) => {
  const kept: { value: Bytes | RecordBatch; copy: string[] }[] = [];
  const copied = (value: Bytes | RecordBatch): string[] =>
    value instanceof Uint8Array ? [hex(value)] : Array.from(value, hex);
  for await (const value of made(raw).iterate({ transient: true }) as AsyncIterable<Bytes | RecordBatch>) {
    kept.push({ value, copy: copied(value) });
  }
  expect(kept.length).toBeGreaterThan(200);
  for (const { value, copy } of kept) expect(copied(value)).toEqual(copy);
});

test.each(['filter', 'takeWhile'] as const)('records that were passed to %s stay valid', async (stage) => {
  const kept: { record: Bytes; copy: string }[] = [];
  const chosen = raw[stage]((record) => kept.push({ record, copy: hex(record) }) > 0);
  const seen: number[] = [];
  for await (const record of chosen.iterate({ transient: true })) seen.push(numberOf(record));
  expect(seen).toEqual(numbers(COUNT));
  for (const { record, copy } of kept) expect(hex(record)).toBe(copy);
});

test('an iterator that is left keeps its last element, and another begins anew', async () => {
  for (let round = 0; round < 3; round++) {
    let last: Bytes | undefined;
    for await (const record of raw.iterate({ transient: true })) {
      last = record;
      if (numberOf(record) === 700) break;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(hex(last!)).toBe(hex(PAYLOADS[700]!));
  }
});

test('goes on from a state', async () => {
  const iterator = raw.iterate({ transient: true });
  for (let i = 0; i < 777; i++) await iterator.next();
  const state = iterator.state();
  await iterator.return();
  const seen: number[] = [];
  for await (const record of raw.iterate({ transient: true, state })) seen.push(numberOf(record));
  expect(seen).toEqual(numbers(COUNT).slice(777));
});
