import { appendFileSync, mkdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';

import { writeRecords, type TFRecordError } from '../../../../lib';
import { RecordIndex, type PlacedRecord } from '../../../../lib/record';
import type { IndexOptions } from '../../../../lib/record/index/index-options';
import { randoms } from '../../../support/randoms';
import { onLinux } from '../../../support/on-linux';
import { isOpen } from '../../../support/running/descriptors';
import { Folder } from '../../../support/records/record-files';
import { letters } from '../../../support/records/letters';
import { claimLength, cut, flipBit, offsets, ownMember, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const RECORDS = letters(8000, 1200);
const CONTENT = tfrecord(RECORDS);
const AT = offsets(RECORDS);

/** `content` in members of `size` bytes, which end within records. */
function members(content: Buffer, size: number, codec: (bytes: Uint8Array) => Buffer): Buffer {
  const all: Buffer[] = [];
  for (let at = 0; at < content.length; at += size) all.push(codec(content.subarray(at, at + size)));
  return Buffer.concat(all);
}

const fast = (bytes: Uint8Array): Buffer => gzipSync(bytes, { level: 1 });
const GZIP = fast(CONTENT);
const empties = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => gzipSync('')));

async function scanned(path: string, options?: IndexOptions): Promise<RecordIndex> {
  const places = RecordIndex.scan(path, options);
  await places.done;
  return places;
}

function check(found: readonly PlacedRecord[], first: number, count: number): void {
  expect(found).toHaveLength(count);
  // One comparison for each record would take longer than reading.
  const wrong = found.findIndex(({ record, offset, data, error }, i) => {
    const right = record === first + i && offset === AT[record] && error === undefined;
    return !right || Buffer.compare(data, RECORDS[record]!) !== 0;
  });
  expect(found[wrong]).toBeUndefined();
}

const FILES: Readonly<Record<string, () => Buffer>> = {
  plain: () => CONTENT,
  'gzip, one member': () => GZIP,
  'gzip of stored blocks': () => gzipSync(CONTENT, { level: 0 }),
  'gzip, members of 100,000 bytes': () => members(CONTENT, 100_000, fast),
  'gzip, members of 3,000,000 bytes': () => members(CONTENT, 3_000_000, fast),
  'gzip, our members': () => members(CONTENT, 1 << 20, (bytes) => ownMember(bytes, 1)),
  'gzip, with thousands of empty members': () => Buffer.concat([empties(3000), GZIP, empties(3000)]),
  zlib: () => deflateSync(CONTENT, { level: 1 }),
  'zlib, two streams': () => members(CONTENT, 2_500_000, (bytes) => deflateSync(bytes, { level: 1 })),
};

describe('jumps to any record', () => {
  test.each(Object.keys(FILES))('of a file that is %s', async (name) => {
    const path = folder.fresh();
    writeFileSync(path, FILES[name]!());
    const places = await scanned(path);
    expect(places.faults).toEqual([]);
    expect(places.progress).toEqual({
      records: RECORDS.length,
      compressedBytes: statSync(path).size,
      totalBytes: statSync(path).size,
      complete: true,
    });
    const random = randoms(7);
    for (let i = 0; i < 40; i++) {
      const first = Math.floor(random() * RECORDS.length);
      const count = Math.min(1 + Math.floor(random() * (i % 8 === 0 ? 2000 : 5)), RECORDS.length - first);
      check(await places.read(first, count), first, count);
    }
    check(await places.read(0, 1), 0, 1);
    check(await places.read(RECORDS.length - 1, 100), RECORDS.length - 1, 1);
    expect(await places.read(RECORDS.length, 1)).toEqual([]);
    expect(await places.read(3, 0)).toEqual([]);
    await places.close();
  });

  test('also many at a time', async () => {
    const path = folder.fresh();
    writeFileSync(path, FILES['gzip, one member']!());
    const places = await scanned(path);
    const firsts = Array.from({ length: 30 }, (_, i) => i * 260);
    const found = await Promise.all(firsts.map((first) => places.read(first, 3)));
    found.forEach((records, i) => check(records, firsts[i]!, 3));
    await places.close();
  });

  test('while the scan goes on', async () => {
    const path = folder.fresh();
    writeFileSync(path, FILES['zlib, two streams']!());
    const seen: number[] = [];
    const places = RecordIndex.scan(path, { onProgress: ({ records }) => seen.push(records) });
    while (!places.progress.complete) {
      const { records } = places.progress;
      if (records > 0) check(await places.read(records - 1, 1), records - 1, 1);
      else await new Promise((resolve) => setImmediate(resolve));
    }
    await places.done;
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(RECORDS.length);
    await places.close();
  });

  test('and gives no more than maxBytes, but one record at least', async () => {
    const path = folder.fresh();
    writeFileSync(path, CONTENT);
    const places = await scanned(path);
    const found = await places.read(50, 1000, { maxBytes: 5000 });
    check(found, 50, found.length);
    const bytes = found.reduce((sum, { data }) => sum + data.length, 0);
    expect(bytes).toBeLessThanOrEqual(5000);
    expect(bytes + RECORDS[50 + found.length]!.length).toBeGreaterThan(5000);
    check(await places.read(50, 1000, { maxBytes: 0 }), 50, 1);
    for (const maxBytes of [NaN, -1]) await expect(places.read(0, 1, { maxBytes })).rejects.toThrow(RangeError);
    await places.close();
  });

  test('of records larger than slabs', async () => {
    const path = folder.fresh();
    const large = [Buffer.alloc(10, 'a'), Buffer.alloc(5 << 20, 'b'), Buffer.alloc(0), Buffer.alloc(2 << 20, 'c')];
    for (const bytes of [tfrecord(large), gzipSync(tfrecord(large))]) {
      writeFileSync(path, bytes);
      const places = await scanned(path);
      for (let i = 0; i < large.length; i++) {
        const [found] = await places.read(i, 1);
        expect(Buffer.compare(found!.data, large[i]!)).toBe(0);
      }
      expect((await places.read(0, 9)).map(({ data }) => data.length)).toEqual(large.map(({ length }) => length));
      await places.close();
    }
  });

  test('of a file without records', async () => {
    for (const bytes of ['', gzipSync(''), empties(2000), deflateSync('')]) {
      const places = await scanned(folder.put('empty', bytes));
      expect(places.progress).toMatchObject({ records: 0, complete: true });
      expect(places.faults).toEqual([]);
      expect(await places.read(0, 10)).toEqual([]);
      await places.close();
    }
  });

  test('as our writer writes them', async () => {
    const path = folder.at('own.tfrecord.gz');
    await writeRecords(path, RECORDS, { compression: 'gzip' });
    const places = await scanned(path, { compression: 'gzip' });
    check(await places.read(7777, 3), 7777, 3);
    await places.close();
  });
});

onLinux('a scan that does not verify data steps over that of long records', async () => {
  const bytesRead = (): number => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'latin1'))![1]);
  const long = Array.from({ length: 60 }, (_, i) => Buffer.alloc(64 * 1024 + i, i));
  const content = tfrecord(long);
  const path = folder.put('long-records', content);
  for (const verify of ['all', 'length', 'none'] as const) {
    const before = bytesRead();
    const index = await scanned(path, { verify });
    const read = bytesRead() - before;
    if (verify === 'all') expect(read).toBeGreaterThan(content.length);
    else expect(read).toBeLessThan(content.length / 4);
    expect(index.records).toBe(long.length);
    for (const record of [0, 31, 59]) expect(Buffer.compare((await index.at(record))!, long[record]!)).toBe(0);
    await index.close();
  }
});

describe('damage', () => {
  const codes = (faults: readonly TFRecordError[]) => faults.map(({ code, record }) => `${code} ${record}`);

  test.each(['plain', 'gzip', 'zlib'])('damaged data is a fault, and the rest is read (%s)', async (codec) => {
    const damaged = flipBit(flipBit(CONTENT, AT[4000]! + 20), AT[6000]! + 14);
    const path = folder.fresh();
    writeFileSync(path, codec === 'plain' ? damaged : codec === 'gzip' ? fast(damaged) : deflateSync(damaged));
    const places = await scanned(path);
    expect(codes(places.faults)).toEqual(['TFR_CORRUPT_DATA 4000', 'TFR_CORRUPT_DATA 6000']);
    expect(places.faults[0]).toMatchObject({ file: path, offset: AT[4000] });
    expect(places.progress.records).toBe(RECORDS.length);
    const found = await places.read(3999, 3);
    expect(found.map(({ error }) => error?.code)).toEqual([undefined, 'TFR_CORRUPT_DATA', undefined]);
    expect(found[1]).toMatchObject({ record: 4000, offset: AT[4000] });
    expect(found[1]!.data).toHaveLength(RECORDS[4000]!.length);
    check(await places.read(7000, 10), 7000, 10);
    await places.close();
  });

  test('10,000 damaged records are reported, all are known, and the event loop turns meanwhile', async () => {
    const one = flipBit(tfrecord(['x']), 12);
    const path = folder.put('all-damaged', Buffer.concat(Array<Buffer>(12_000).fill(one)));
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const places = await scanned(path);
    clearInterval(timer);
    expect(places.faults).toHaveLength(10_000);
    expect(places.faults.at(-1)!.record).toBe(9999);
    expect(places.progress.records).toBe(12_000);
    expect((await places.read(11_999, 1))[0]!.error).toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 11_999 });
    expect(turns).toBeGreaterThan(1);
    await places.close();
  });

  test('a broken length ends the scan, and says what is lost', async () => {
    const damaged = flipBit(CONTENT, AT[5000]!);
    for (const bytes of [damaged, fast(damaged)]) {
      const places = await scanned(folder.put('length', bytes));
      expect(codes(places.faults)).toEqual(['TFR_CORRUPT_LENGTH 5000']);
      expect(places.faults[0]!.lostBytes).toBe(CONTENT.length - AT[5000]!);
      expect(places.progress).toMatchObject({ records: 5000, complete: true });
      check(await places.read(4990, 100), 4990, 10);
      await places.close();
    }
  });

  test('a truncated file gives the records that are whole', async () => {
    for (const bytes of [cut(CONTENT, AT[6000]! + 15), cut(GZIP, 2_000_000)]) {
      const places = await scanned(folder.put('truncated', bytes));
      expect(places.faults.map(({ code }) => code)).toEqual(['TFR_TRUNCATED']);
      const { records } = places.progress;
      expect(places.faults[0]!.record).toBe(records);
      check(await places.read(records - 5, 100), records - 5, 5);
      await places.close();
    }
  });

  test('a file of another kind is a fault without records', async () => {
    const places = await scanned(folder.put('zip', Buffer.from(`504b03041400${'00'.repeat(60)}`, 'hex')));
    expect(codes(places.faults)).toEqual(['TFR_NOT_TFRECORD 0']);
    await places.close();
    const gzip = await scanned(folder.put('gzip', GZIP), { compression: 'none' });
    expect(codes(gzip.faults)).toEqual(['TFR_COMPRESSION 0']);
    await gzip.close();
  });

  test.each([
    ['plain', (bytes: Buffer): Buffer => bytes],
    ['GZIP', (bytes: Buffer): Buffer => gzipSync(bytes)],
  ])('wrong checksums do not matter with verify: none: %s', async (_, stored) => {
    const wrong = tfrecord(['first', 'second']);
    wrong.fill(0, 8, 12);
    wrong.fill(0, wrong.length - 4);
    const path = folder.put('wrong', stored(wrong));
    const places = await scanned(path, { verify: 'none' });
    expect(codes(places.faults)).toEqual([]);
    expect((await places.read(0, 2)).map(({ data }) => Buffer.from(data).toString())).toEqual(['first', 'second']);
    await places.close();
    const checked = await scanned(path);
    expect(codes(checked.faults)).toEqual(['TFR_CORRUPT_LENGTH 0']);
    await checked.close();
  });

  test('records over maxRecordBytes have an error, and no data', async () => {
    const records = ['first', 'x'.repeat(5000), 'second', 'y'.repeat(100_000), 'z'.repeat(10)];
    const options = { maxRecordBytes: 1000 };
    for (const bytes of [tfrecord(records), gzipSync(tfrecord(records))]) {
      const places = await scanned(folder.put('long', bytes), options);
      expect(codes(places.faults)).toEqual(['TFR_RECORD_TOO_LARGE 1', 'TFR_RECORD_TOO_LARGE 3']);
      const found = await places.read(0, 10);
      expect(found.map(({ record, data, error }) => [record, data.length, error?.code])).toEqual([
        [0, 5, undefined],
        [1, 0, 'TFR_RECORD_TOO_LARGE'],
        [2, 6, undefined],
        [3, 0, 'TFR_RECORD_TOO_LARGE'],
        [4, 10, undefined],
      ]);
      expect((await places.read(3, 1)).map(({ record, offset }) => [record, offset])).toEqual([
        [3, offsets(records)[3]],
      ]);
      await places.close();
    }
  });

  test('a length that nothing has takes no memory', async () => {
    const claimed = claimLength(CONTENT, AT[100]!, 2 ** 31 - 1);
    for (const bytes of [claimed, fast(claimed)]) {
      const places = await scanned(folder.put('claimed', bytes));
      expect(codes(places.faults)).toEqual(['TFR_TRUNCATED 100']);
      expect(places.progress.records).toBe(100);
      await places.close();
    }
  });
});

describe('a file that changes', () => {
  const changes: Readonly<Record<string, (path: string) => void>> = {
    shrinks: (path) => truncateSync(path, 1_000_000),
    'loses all': (path) => truncateSync(path, 0),
    grows: (path) => appendFileSync(path, 'x'),
    'is written anew': (path) => {
      writeFileSync(path, CONTENT.subarray(AT[3]));
      utimesSync(path, 1, 1);
    },
  };
  test.each(Object.keys(changes))('gives an error that says so when it %s', async (name) => {
    for (const bytes of [CONTENT, GZIP]) {
      const path = folder.fresh();
      writeFileSync(path, bytes);
      const places = await scanned(path);
      changes[name]!(path);
      await expect(places.read(7000, 2)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file: path });
      await expect(places.read(0, 2)).rejects.toThrow(/has changed since its records were located: it was \d+ bytes/);
      await places.close();
    }
  });

  test('is an error when it changes during the scan', async () => {
    const path = folder.fresh();
    writeFileSync(path, GZIP);
    const places = RecordIndex.scan(path, { onProgress: () => appendFileSync(path, 'x') });
    await expect(places.done).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    await places.close();
  });
});

describe('ends', () => {
  onLinux('with the error of onProgress, and closes the file', async () => {
    const path = folder.fresh();
    writeFileSync(path, GZIP);
    const failure = new Error('of the caller');
    const places = RecordIndex.scan(path, {
      onProgress: () => {
        throw failure;
      },
    });
    await expect(places.done).rejects.toBe(failure);
    expect(isOpen(path)).toBe(false);
    await places.close();
  });

  test('close() while scanning and reading', async () => {
    const path = folder.fresh();
    writeFileSync(path, GZIP);
    const closing = RecordIndex.scan(path);
    await closing.close();
    await closing.done;
    await closing.close();
    await expect(closing.read(0, 1)).rejects.toMatchObject({ code: 'TFR_CLOSED', file: path });
    const places = await scanned(path);
    const outcomes = [0, 7000].map(async (first) => {
      const found = await places.read(first, 1000).catch((error: unknown) => error);
      if (Array.isArray(found)) check(found as PlacedRecord[], first, 1000);
      else expect(found).toMatchObject({ code: 'TFR_CLOSED' });
    });
    await places.close();
    await Promise.all(outcomes);
  });

  test('an aborted signal ends the scan, or one read', async () => {
    const path = folder.fresh();
    writeFileSync(path, GZIP);
    const reason = new Error('enough');
    const controller = new AbortController();
    const places = RecordIndex.scan(path, { signal: controller.signal });
    controller.abort(reason);
    await expect(places.done).rejects.toBe(reason);
    await expect(places.read(0, 1)).rejects.toBe(reason);
    await places.close();
    const aborted = RecordIndex.scan(path, { signal: AbortSignal.abort(reason) });
    await expect(aborted.done).rejects.toBe(reason);
    await aborted.close();
    // Nobody asks for the file, which is not there.
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const none = RecordIndex.scan(folder.at('none'), { signal: AbortSignal.abort(reason) });
    await expect(none.done).rejects.toBe(reason);
    await none.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    const open = await scanned(path);
    const one = new AbortController();
    const read = open.read(0, 8000, { signal: one.signal });
    one.abort(reason);
    await expect(read).rejects.toBe(reason);
    check(await open.read(5, 1), 5, 1);
    await open.close();
  });

  test('a file that cannot be read rejects', async () => {
    const none = RecordIndex.scan(folder.at('none'));
    await expect(none.done).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' });
    await expect(none.read(0, 1)).rejects.toMatchObject({ code: 'ENOENT' });
    await none.close();
    mkdirSync(folder.at('folder'));
    const place = RecordIndex.scan(folder.at('folder'));
    await expect(place.done).rejects.toMatchObject({ code: 'EISDIR' });
    await place.close();
  });

  test('wrong arguments throw', async () => {
    const path = folder.put('right', CONTENT);
    expect(() => RecordIndex.scan(path, { maxRecordBytes: -1 })).toThrow(RangeError);
    expect(() => RecordIndex.scan(path, { compression: 'lz4' as 'gzip' })).toThrow(TypeError);
    expect(() => RecordIndex.scan(path, { onprogress: 1 } as IndexOptions)).toThrow(TypeError);
    const places = await scanned(path);
    await expect(places.read(-1, 1)).rejects.toThrow(RangeError);
    await expect(places.read(0, 1.5)).rejects.toThrow(RangeError);
    const [missing, code] = [undefined as never, 'ERR_INVALID_ARG_TYPE'];
    await expect(places.read(0, missing)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^"count" must/),
    });
    await expect(places.read(missing, 1)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^"first" must/),
    });
    await expect(places.at(missing)).rejects.toMatchObject({ code, message: expect.stringMatching(/^"index" must/) });
    for (const odd of [undefined, null, '1', 1n, {}]) {
      expect(() => places.offsetOf(odd as never)).toThrow(expect.objectContaining({ code }));
    }
    expect([-1, 0.5, NaN, AT.length, 2 ** 53].map((record) => places.offsetOf(record))).toEqual(
      Array(5).fill(undefined),
    );
    await places.close();
  });
});

test('a scan leaves no memory of its slabs to the collector', async () => {
  const file = folder.at('short.tfrecord');
  // Two offsets of 4 bytes for each record.
  await writeRecords(file, Array<Buffer>(400_000).fill(Buffer.from('short')));
  const before = process.memoryUsage().arrayBuffers;
  const index = await scanned(file);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  expect(index.records).toBe(400_000);
  await index.close();
});
