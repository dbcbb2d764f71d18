/** Files whose checksums are wrong from the start on: the error names the option that reads them. */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { readExamples, readRecords, readRecordsSync, varLen, encodeExample } from '../../../../lib';
import { Folder } from '../../../support/records/record-files';
import { flipBit, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
const RECORDS = Array.from({ length: 30 }, (_, id) => encodeExample({ id: BigInt(id), text: 'x'.repeat(id * 20) }));

/** `RECORDS` in a file whose checksums are those that `change` returns. */
function resummed(change: (sum: number) => number, which: 'all' | 'data' = 'all', records = RECORDS): Buffer {
  const file = tfrecord(records);
  let at = 0;
  for (const { length } of records) {
    const places = which === 'all' ? [at + 8, at + 12 + length] : [at + 12 + length];
    for (const place of places) file.writeUInt32LE(change(file.readUInt32LE(place)) >>> 0, place);
    at += length + 16;
  }
  return file;
}

async function messageOf(read: () => AsyncIterable<unknown> | Iterable<unknown>): Promise<string> {
  try {
    for await (const record of read()) expect(record).toBeDefined();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

const HINT = /(The first (\d+) records fit|and the first (\d+) records fit).* verify: "none" reads them unchecked\.$/;

describe.each([
  ['all, wrong', resummed((sum) => sum ^ 1), 'TFR_CORRUPT_LENGTH'],
  ['all, 0', resummed(() => 0), 'TFR_CORRUPT_LENGTH'],
  ['those of data, wrong', resummed((sum) => ~sum, 'data'), 'TFR_CORRUPT_DATA'],
])('checksums: %s', (_, bytes, code) => {
  test('every lane has the hint, and what it says is so', async () => {
    const plain = folder.put('a.tfrecord', bytes);
    const zipped = folder.put('a.gz', gzipSync(bytes));
    for (const source of [plain, zipped, bytes]) {
      expect(await messageOf(() => readRecords(source))).toMatch(HINT);
      expect(await messageOf(() => readRecordsSync(source))).toMatch(HINT);
      expect(await messageOf(() => readExamples(source, { id: varLen('int64') }))).toMatch(HINT);
      expect(() => [...readRecordsSync(source)]).toThrow(expect.objectContaining({ code, record: 0, offset: 0 }));
      expect([...readRecordsSync(source, { verify: 'none' })].map((record) => Buffer.from(record))).toEqual(
        RECORDS.map((record) => Buffer.from(record)),
      );
    }
    expect(await messageOf(() => readRecords(Readable.from([bytes])))).toMatch(HINT);
  });
});

test('the number of records is that of the records that were followed', async () => {
  const two = resummed((sum) => sum + 1, 'all', RECORDS.slice(0, 2));
  expect(await messageOf(() => readRecordsSync(two))).toContain('The first 2 records fit by their lengths');
  expect(await messageOf(() => readRecordsSync(resummed((sum) => sum + 1)))).toContain('The first 20 records fit');
});

test('damage has no such hint', async () => {
  const good = tfrecord(RECORDS);
  const length = RECORDS[0]!.length;
  for (const damaged of [
    flipBit(good, 1),
    flipBit(good, 14),
    flipBit(good, 12 + length),
    flipBit(good, 16 + length + 9),
    Buffer.concat([resummed(() => 0).subarray(0, 16 + length), Buffer.alloc(40, 0x91)]),
    Buffer.from(Array.from({ length: 90 }, (_, i) => (i * 97 + 131) & 255)),
  ]) {
    const message = await messageOf(() => readRecordsSync(damaged));
    expect(message).toMatch(/mismatch/);
    expect(message).not.toContain('verify');
  }
});

test('large records are followed behind the slab, in files', async () => {
  const large = Array.from({ length: 3 }, () => Buffer.alloc(700_000, 'L'));
  const path = folder.put(
    'large.tfrecord',
    resummed((sum) => sum + 1, 'all', large),
  );
  expect(await messageOf(() => readRecords(path))).toContain('The first 3 records fit');
});

// 78 01, 78 5e, 78 9c and 78 da; the last has a third byte.
test.each([376, 24_184, 40_056, 55_928, 0x01_9c_78])(
  'a first record of %i bytes, a length that looks like a header of zlib',
  async (size) => {
    const records = [new Uint8Array(size).fill(7), RECORDS[0]!];
    const bytes = resummed((sum) => sum ^ 1, 'all', records);
    const sizes = (found: Iterable<Uint8Array>): number[] => [...found].map(({ length }) => length);
    for (const compression of ['auto', 'none'] as const) {
      expect(await messageOf(() => readRecordsSync(bytes, { compression }))).toMatch(HINT);
      const options = { verify: 'none', compression } as const;
      expect(sizes(readRecordsSync(bytes, options))).toEqual([size, RECORDS[0]!.length]);
    }
  },
);

describe('other content, read with verify: "none"', () => {
  const text = Buffer.from('a,b\n1,2\n'.repeat(20));
  const cases: readonly (readonly [string, Buffer, string, number])[] = [
    ['text', text, 'TFR_NOT_TFRECORD', 0],
    ['text in GZIP', gzipSync(text), 'TFR_NOT_TFRECORD', 0],
    ['an Example without framing', Buffer.from(RECORDS[5]!), 'TFR_NOT_TFRECORD', 0],
    ['text behind records', Buffer.concat([resummed(() => 7), text]), 'TFR_CORRUPT_LENGTH', RECORDS.length],
  ];

  test.each(cases)('%s is no long record', async (_, bytes, code, record) => {
    const file = folder.put('other', bytes);
    for (const source of [bytes, file]) {
      const fault = expect.objectContaining({ code, record }) as Error;
      expect(() => [...readRecordsSync(source, { verify: 'none' })]).toThrow(fault);
      const read = async (): Promise<void> => {
        for await (const found of readRecords(source, { verify: 'none' })) expect(found).toBeDefined();
      };
      await expect(read()).rejects.toEqual(fault);
    }
  });
});
