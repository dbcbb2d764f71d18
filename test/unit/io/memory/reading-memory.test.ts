import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { readRecords, readRecordsSync, RecordReader } from '../../../../lib';
import { append, frame, header, tfrecord } from '../../../support/records/tfrecord';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-memory-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a length that lies allocates nothing for it', () => {
  const claims = [2 ** 31 - 1, 2 ** 40].map((length) =>
    append(frame('whole'), append(header(length), Buffer.alloc(100))),
  );
  test.each(claims)('%#', async (bytes) => {
    const path = join(folder, 'claim');
    writeFileSync(path, bytes);
    const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow');
    for (const source of [path, bytes, gzipSync(bytes), new Blob([new Uint8Array(bytes)])]) {
      const records = readRecords(source);
      expect((await records.next()).value).toHaveLength(5);
      await expect(records.next()).rejects.toMatchObject({ record: 1, offset: 21 });
    }
    expect(() => [...readRecordsSync(path)]).toThrow(expect.objectContaining({ record: 1 }));
    expect(allocate).toHaveBeenCalled();
    expect(Math.max(...allocate.mock.calls.map(([size]) => size))).toBeLessThanOrEqual(1024 * 1024);
  });
});

test('small inputs get small slabs', async () => {
  const path = join(folder, 'small');
  writeFileSync(path, tfrecord(['small']));
  const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow');
  for await (const record of readRecords(path)) expect(record).toHaveLength(5);
  expect(allocate.mock.calls).toEqual([[16 * 1024]]);
});

test('long records get slabs of their size, once', async () => {
  const path = join(folder, 'long');
  const long = 'l'.repeat(3_000_000);
  writeFileSync(path, tfrecord([long, 'short', long, long]));
  const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow');
  const lengths: number[] = [];
  for await (const record of readRecords(path)) lengths.push(record.length);
  expect(lengths).toEqual([3_000_000, 5, 3_000_000, 3_000_000]);
  expect(Math.max(...allocate.mock.calls.map(([size]) => size))).toBeLessThan(3_100_000);
});

describe('batchBytes holds again behind a long record', () => {
  const BATCH_BYTES = 4096;
  const short = Array.from({ length: 2000 }, (_, index) => `${index}`.padEnd(100, '.'));
  // More than the large slabs hold that were already on their way.
  const after = Array.from({ length: 20 }, () => short).flat();
  const bytes = tfrecord([...short, 'l'.repeat(1_000_000), ...after]);
  /** With slabs that nobody uses again, unlike those of countRecords. */
  const count = async (source: string | Uint8Array): Promise<number> => {
    let records = 0;
    const reader = await RecordReader.open(source, { batchBytes: BATCH_BYTES });
    for await (const batch of reader.batches()) records += batch.length;
    return records;
  };
  const lanes: Record<string, (path: string) => Promise<number> | number> = {
    file: (path) => count(path),
    'gzip in memory': () => count(gzipSync(bytes)),
    sync: (path) => [...readRecordsSync(path, { batchBytes: BATCH_BYTES })].length,
  };
  test.each(Object.keys(lanes))('%s', async (name) => {
    const path = join(folder, 'one-long');
    writeFileSync(path, bytes);
    const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow');
    expect(await lanes[name]?.(path)).toBe(42_001);
    const sizes = allocate.mock.calls.map(([size]) => size);
    expect(Math.max(...sizes)).toBeGreaterThan(1_000_000);
    expect(sizes.at(-1)).toBe(BATCH_BYTES);
  });
});
