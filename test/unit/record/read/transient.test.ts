/** Records and batches that are valid until the next step only: readers with `transient`. */
import fc from 'fast-check';
import { Readable } from 'node:stream';

import {
  countRecords,
  readRecords,
  readRecordsSync,
  RecordReader,
  writeRecords,
  type Bytes,
  type RecordBatch,
  type RecordReadOptions,
  type RecordSource,
} from '../../../../lib';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { compress, flipBit, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Ways to read records, each copied when its step resolves. They stop after `most` records. */
const WAYS = {
  async records(source: RecordSource, options: RecordReadOptions, most: number): Promise<string[]> {
    const found: string[] = [];
    if (most > 0) {
      for await (const record of readRecords(source, options)) {
        if (found.push(hex(record)) >= most) break;
      }
    }
    return found;
  },
  async batches(source: RecordSource, options: RecordReadOptions, most: number): Promise<string[]> {
    const found: string[] = [];
    const reader = await RecordReader.open(source, options);
    for await (const batch of reader.batches()) {
      for (const record of batch) if (found.length < most) found.push(hex(record));
      if (found.length >= most) break;
    }
    return found;
  },
  async 'concurrent steps'(source: RecordSource, options: RecordReadOptions, most: number): Promise<string[]> {
    const records = readRecords(source, options);
    const found: string[] = [];
    const steps = Array.from({ length: most }, () =>
      records.next().then(({ value, done }: IteratorResult<Bytes>) => {
        if (done !== true) found.push(hex(value));
      }),
    );
    await Promise.all(steps);
    await records.return?.();
    return found;
  },
  async synchronous(source: RecordSource, options: RecordReadOptions, most: number): Promise<string[]> {
    await Promise.resolve();
    const found: string[] = [];
    if (most > 0) {
      for (const record of readRecordsSync(source as string, options)) {
        if (found.push(hex(record)) >= most) break;
      }
    }
    return found;
  },
};

const codec = fc.constantFrom('none', 'gzip', 'zlib');
const lengths = fc.array(fc.oneof(fc.nat(300), fc.constantFrom(0, 4096, 5000, 70_000)), { maxLength: 120 });
const files = fc.array(fc.record({ codec, lengths, damaged: fc.boolean() }), { minLength: 1, maxLength: 3 });

test.each(Object.entries(WAYS))('%s are those of a reader without it', async (name, read) => {
  await fc.assert(
    fc.asyncProperty(
      files,
      fc.nat(250),
      fc.constantFrom(undefined, 4096, 10_000, 65_536),
      fc.nat(4),
      async (given, most, batchBytes, readAhead) => {
        const paths = given.map(({ codec, lengths, damaged }, number) => {
          const payloads = lengths.map((length, i) => Buffer.alloc(length, 1 + ((number * 131 + i * 7) % 250)));
          const plain = tfrecord(payloads);
          // The last byte of the data of the first record.
          const content = damaged && (lengths[0] ?? 0) > 0 ? flipBit(plain, 12 + lengths[0]! - 1) : plain;
          return folder.put(`${name}-${number}`, compress(content, codec));
        });
        const options = { onError: 'skip', readAhead, ...(batchBytes && { batchBytes }) } as const;
        const expected = await WAYS.records(paths as [string], options, most);
        expect(await read(paths as [string], { ...options, transient: true }, most)).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

const PAYLOADS = numberedRecords(400, 1000);
const file = folder.write('numbered.tfrecord', PAYLOADS);
const REUSING = { transient: true, batchBytes: 16_384 } as const;
const numberOf = (record: Uint8Array): number => Buffer.from(record).readUInt32LE(0);

const SOURCES: Record<string, () => RecordSource> = {
  'a file': () => file,
  'a GZIP file': () => folder.write('numbered.tfrecord.gz', PAYLOADS),
  bytes: () => tfrecord(PAYLOADS),
  'a stream': () => Readable.from([tfrecord(PAYLOADS).subarray(0, 5000), tfrecord(PAYLOADS).subarray(5000)]),
  'a Blob': () => new Blob([Uint8Array.from(tfrecord(PAYLOADS))]),
};

describe.each(Object.entries(SOURCES))('%s', (_, source) => {
  test('one slab shows all records, and the last ones stay', async () => {
    const buffers = new Set<ArrayBuffer>();
    const seen: number[] = [];
    let last: Bytes | undefined;
    for await (const record of readRecords(source(), REUSING)) {
      buffers.add(record.buffer);
      seen.push(numberOf(record));
      last = record;
    }
    expect(seen).toEqual(PAYLOADS.map((_, i) => i));
    expect(buffers.size).toBe(1);
    expect(hex(last!)).toBe(hex(PAYLOADS.at(-1)!));
  });
});

test('a batch is overwritten by the next step, and not before', async () => {
  const reader = await RecordReader.open(file, REUSING);
  const batches = reader.batches();
  const first = (await batches.next()).value as RecordBatch;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(Array.from(first, numberOf)).toEqual(Array.from({ length: first.length }, (_, i) => i));
  const second = (await batches.next()).value as RecordBatch;
  expect(numberOf(first.at(0)!)).toBe(numberOf(second.at(0)!));
  expect(second.origin(0)!.record).toBe(first.length);
  await reader.close();
  expect(numberOf(second.at(0)!)).toBe(first.length);
});

test.each([
  ['small', numberedRecords(30_000, 100), 2 ** 20],
  ['long', numberedRecords(60, 100_000), 2 ** 21],
  ['longer than a slab', numberedRecords(3, 3_000_000), 3_000_016],
])('slabs fit records that are %s', async (name, records, expected) => {
  const path = folder.write(`${name}.tfrecord`, records);
  const sizes: number[] = [];
  for await (const { buffer } of readRecords(path, { transient: true })) sizes.push(buffer.byteLength);
  expect(sizes.length).toBe(records.length);
  // Memory is leased in a few sizes, at most a quarter larger.
  expect(sizes.at(-1)).toBeGreaterThanOrEqual(expected);
  expect(sizes.at(-1)).toBeLessThanOrEqual(1.25 * expected);
});

test('synchronous steps use two slabs', () => {
  const buffers = new Set<ArrayBuffer>();
  const seen: number[] = [];
  for (const record of readRecordsSync([file, file], REUSING)) {
    buffers.add(record.buffer);
    seen.push(numberOf(record));
  }
  expect(seen).toEqual([...PAYLOADS, ...PAYLOADS].map((_, i) => i % PAYLOADS.length));
  expect(buffers.size).toBe(2);
});

test.each(['records', 'synchronous'] as const)('%s: each reading has memory of its own', async (way) => {
  const kept: Bytes[] = [];
  const reading = way === 'records' ? readRecords(file, REUSING) : readRecordsSync(file, REUSING);
  for (let pass = 0; pass < 2; pass++) {
    for await (const record of reading) {
      kept.push(record);
      break;
    }
  }
  expect(kept.map(numberOf)).toEqual([0, 0]);
  expect(kept[0]!.buffer).not.toBe(kept[1]!.buffer);
});

describe('memory that the user transfers', () => {
  const give = (record: Bytes): void => void structuredClone(record.buffer, { transfer: [record.buffer] });

  test('is replaced at the next slab', async () => {
    const reader = await RecordReader.open(file, REUSING);
    const seen: number[] = [];
    for await (const batch of reader.batches()) {
      seen.push(...Array.from(batch, numberOf));
      give(batch.at(0)!);
      expect(() => batch.at(0)).toThrow(expect.objectContaining({ code: 'TFR_CLOSED' }));
    }
    expect(seen).toEqual(PAYLOADS.map((_, i) => i));
  });

  test.each(['records', 'synchronous'] as const)('%s: is an error before that', async (way) => {
    const reading = way === 'records' ? readRecords(file, REUSING) : readRecordsSync(file, REUSING);
    const seen: number[] = [];
    const all = (async () => {
      for await (const record of reading) if (seen.push(numberOf(record)) === 3) give(record);
    })();
    await expect(all).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    expect(seen).toEqual([0, 1, 2]);
  });

  test('of the slab before last is no loss to synchronous steps', () => {
    const seen: number[] = [];
    let before: Bytes | undefined;
    for (const record of readRecordsSync(file, REUSING)) {
      if (before !== undefined && before.buffer !== record.buffer && before.length > 0) give(before);
      before = record;
      seen.push(numberOf(record));
    }
    expect(seen).toEqual(PAYLOADS.map((_, i) => i));
  });
});

test('a writer copies at once', async () => {
  const target = folder.fresh();
  await writeRecords(target, readRecords(file, REUSING));
  expect((await WAYS.records(target, {}, Infinity)).length).toBe(PAYLOADS.length);
  expect(await WAYS.records(target, {}, Infinity)).toEqual(PAYLOADS.map(hex));
});

test('is an option of readers of records, a boolean', async () => {
  const wrong = { transient: 1 } as never;
  expect(() => readRecords(file, wrong)).toThrow(/options\.transient.*boolean/);
  expect(() => readRecordsSync(file, wrong)).toThrow(/options\.transient.*boolean/);
  await expect(RecordReader.open(file, wrong)).rejects.toThrow(/options\.transient.*boolean/);
  await expect(countRecords(file, REUSING as never)).rejects.toThrow(/transient/);
});
