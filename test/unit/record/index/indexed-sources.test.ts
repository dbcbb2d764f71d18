/** The index of a source that is not a path: its random places equal the sequential read. */
import { openAsBlob, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { deflateSync, gzipSync } from 'node:zlib';

import type { TFRecordError } from '../../../../lib';
import { RecordIndex, type PlacedRecord } from '../../../../lib/record';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';
import { letters } from '../../../support/records/letters';
import { cut, flipBit, offsets, ownMember, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
const handles: FileHandle[] = [];
afterAll(async () => {
  for (const handle of handles) await handle.close();
  folder.remove();
});

const RECORDS = letters(3000, 1200);
const CONTENT = tfrecord(RECORDS);
const AT = offsets(RECORDS);

function members(size: number, codec: (bytes: Uint8Array) => Buffer): Buffer {
  const all: Buffer[] = [];
  for (let at = 0; at < CONTENT.length; at += size) all.push(codec(CONTENT.subarray(at, at + size)));
  return Buffer.concat(all);
}

const fast = (bytes: Uint8Array): Buffer => gzipSync(bytes, { level: 1 });

const LAYOUTS: Readonly<Record<string, Buffer>> = {
  plain: CONTENT,
  'gzip, one member': fast(CONTENT),
  'gzip, many members': members(100_000, fast),
  'gzip, our members': members(1 << 18, (bytes) => ownMember(bytes, 1)),
  zlib: deflateSync(CONTENT, { level: 1 }),
};

type Source = Parameters<typeof RecordIndex.scan>[0];

async function handleOf(bytes: Uint8Array): Promise<FileHandle> {
  const path = folder.fresh();
  writeFileSync(path, bytes);
  const handle = await open(path);
  handles.push(handle);
  return handle;
}

/** Answers late, and out of order. */
function sliceable(bytes: Uint8Array): Source {
  let calls = 0;
  return {
    byteLength: bytes.length,
    slice: (start: number, end: number) =>
      new Promise<Uint8Array>((resolve) => {
        const give = (): void => resolve(bytes.slice(start, end));
        if (calls++ % 3 === 0) setImmediate(() => setImmediate(give));
        else setImmediate(give);
      }),
  };
}

const SOURCES: Readonly<Record<string, (bytes: Buffer) => Promise<Source> | Source>> = {
  'a file URL': (bytes) => {
    const path = folder.fresh();
    writeFileSync(path, bytes);
    return new URL(`file://${path}`);
  },
  bytes: (bytes) => bytes,
  'a Blob': (bytes) => new Blob([Uint8Array.from(bytes)]),
  'a Blob of a file': async (bytes) => {
    const path = folder.fresh();
    writeFileSync(path, bytes);
    return openAsBlob(path);
  },
  'a FileHandle': handleOf,
  'an object with slice': sliceable,
};

function check(found: readonly PlacedRecord[], first: number, count: number): void {
  expect(found).toHaveLength(count);
  const wrong = found.find(({ record, offset, data, error }, i) => {
    const right = record === first + i && offset === AT[record] && error === undefined;
    return !right || Buffer.compare(data, RECORDS[record]!) !== 0;
  });
  expect(wrong).toBeUndefined();
}

async function scanned(
  source: Source,
  ...options: [] | [Parameters<typeof RecordIndex.scan>[1]]
): Promise<RecordIndex> {
  const index = RecordIndex.scan(source, ...options);
  await index.done;
  return index;
}

const shown = ({ code, record, offset, lostBytes }: TFRecordError) => ({ code, record, offset, lostBytes });

describe.each(Object.keys(SOURCES))('the index of %s', (kind) => {
  test.each(Object.keys(LAYOUTS))('jumps to any record: %s', async (layout) => {
    const bytes = LAYOUTS[layout]!;
    const index = await scanned(await SOURCES[kind]!(bytes));
    expect(index.faults).toEqual([]);
    expect(index.progress).toEqual({
      records: RECORDS.length,
      compressedBytes: bytes.length,
      totalBytes: bytes.length,
      complete: true,
    });
    const random = randoms(5);
    for (let i = 0; i < 12; i++) {
      const first = Math.floor(random() * RECORDS.length);
      const count = Math.min(1 + Math.floor(random() * (i % 6 === 0 ? 800 : 4)), RECORDS.length - first);
      check(await index.read(first, count), first, count);
    }
    check(await index.read(RECORDS.length - 1, 9), RECORDS.length - 1, 1);
    await index.close();
  });

  test.each(Object.keys(LAYOUTS))('reads records in any order: %s', async (layout) => {
    const index = RecordIndex.scan(await SOURCES[kind]!(LAYOUTS[layout]!));
    const random = randoms(6);
    for (const count of [0, 1, 60]) {
      const numbers = Array.from({ length: count }, () => Math.floor(random() * RECORDS.length));
      if (count > 1) numbers.push(numbers[0]!, numbers[0]! + 1);
      const batch = await index.readBatch(numbers);
      expect(batch).toHaveLength(numbers.length);
      expect(numbers.find((number, i) => Buffer.compare(batch.at(i)!, RECORDS[number]!) !== 0)).toBeUndefined();
    }
    expect(Buffer.from((await index.at(1234))!)).toEqual(RECORDS[1234]);
    expect(Buffer.from((await index.at(-1))!)).toEqual(RECORDS.at(-1));
    expect([await index.at(RECORDS.length), await index.at(-RECORDS.length - 1)]).toEqual([undefined, undefined]);
    await index.close();
  });

  test('refuses to read damaged records, and reads those around them', async () => {
    const flipped = flipBit(CONTENT, AT[700]! + 20);
    for (const bytes of [flipped, fast(flipped)]) {
      const index = await scanned(await SOURCES[kind]!(bytes));
      await expect(index.readBatch([2, 700, 1])).rejects.toMatchObject({
        code: 'TFR_CORRUPT_DATA',
        record: 700,
        offset: AT[700],
      });
      expect(await index.readBatch([701, 699])).toHaveLength(2);
      await index.close();
      await expect(index.readBatch([1])).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    }
  });

  test('has no data of records that are too long', async () => {
    const longest = RECORDS.findIndex(({ length }) => length > 1000);
    const index = await scanned(await SOURCES[kind]!(CONTENT), { maxRecordBytes: 1000 });
    const error = { code: 'TFR_RECORD_TOO_LARGE', record: longest };
    await expect(index.readBatch([longest, 0])).rejects.toMatchObject(error);
    await expect(index.at(longest)).rejects.toMatchObject(error);
    expect(await index.at(longest + 1)).toHaveLength(RECORDS[longest + 1]!.length);
    await index.close();
  });

  test('finds the damage that it finds in the file', async () => {
    const flipped = flipBit(flipBit(CONTENT, AT[700]! + 20), AT[2000]! + 3);
    const own = LAYOUTS['gzip, our members']!;
    const damaged = [
      flipped,
      fast(flipped),
      cut(CONTENT, AT[900]! + 5),
      cut(fast(CONTENT), 300_000),
      flipBit(own, own.length / 2),
    ];
    for (const bytes of damaged) {
      const path = folder.fresh();
      writeFileSync(path, bytes);
      const [file, other] = [await scanned(path), await scanned(await SOURCES[kind]!(bytes))];
      expect(file.faults).not.toHaveLength(0);
      expect(other.faults.map(shown)).toEqual(file.faults.map(shown));
      expect(other.progress).toEqual(file.progress);
      const last = file.records - 3;
      const errors = async (index: RecordIndex) =>
        (await index.read(last, 9)).map(({ record, error }) => [record, error?.code]);
      expect(await errors(other)).toEqual(await errors(file));
      await file.close();
      await other.close();
    }
  });
});

describe('saving', () => {
  test('an index by a FileHandle is that of the file, in both directions', async () => {
    const bytes = LAYOUTS['gzip, one member']!;
    const path = folder.fresh();
    writeFileSync(path, bytes);
    const handle = await open(path);
    handles.push(handle);
    const [byPath, byHandle] = [await scanned(path), await scanned(handle)];
    const [first, second] = [folder.fresh(), folder.fresh()];
    await byPath.save(first);
    await byHandle.save(second);
    const loaded = [await RecordIndex.load(first, handle), await RecordIndex.load(second, path)];
    for (const index of loaded) check(await index.read(2500, 3), 2500, 3);
    writeFileSync(path, Buffer.concat([bytes, Buffer.from('x')]));
    await expect(RecordIndex.load(first, handle)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file: first });
    for (const index of [byHandle, ...loaded]) {
      await expect(index.read(5, 1)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
      await index.close();
    }
    await byPath.close();
  });

  test('needs a file, whose identity the index names', async () => {
    const index = await scanned(new Blob([Uint8Array.from(CONTENT)]));
    const expected = {
      code: 'TFR_STATE_MISMATCH',
      file: '<stream>',
      expected: 'a file or an object',
      found: 'a source that cannot be recognised later',
    };
    const path = folder.fresh();
    await expect(index.save(path)).rejects.toMatchObject(expected);
    await expect(RecordIndex.load(path, new Blob([Uint8Array.from(CONTENT)]))).rejects.toMatchObject(expected);
    await expect(index.save(path)).rejects.toThrow(/index a file by its path or its FileHandle/);
    await index.close();
  });
});

describe('numbers of records', () => {
  const REFUSED: [unknown, string, string][] = [
    [[0.5], 'ERR_OUT_OF_RANGE', 'records[0]'],
    [[1, -1], 'ERR_OUT_OF_RANGE', 'records[1]'],
    [[1, 2, 3000], 'ERR_OUT_OF_RANGE', 'an integer from 0 to 2999'],
    [['x'], 'ERR_OUT_OF_RANGE', 'records[0]'],
    [[1n], 'ERR_OUT_OF_RANGE', 'records[0]'],
    [7, 'ERR_INVALID_ARG_TYPE', 'an iterable of numbers'],
    [undefined, 'ERR_INVALID_ARG_TYPE', 'an iterable of numbers'],
  ];
  test.each(REFUSED)('%p are refused', async (records, code, message) => {
    const index = await scanned(CONTENT);
    await expect(index.readBatch(records as never)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
    await index.close();
  });

  test('come from any iterable', async () => {
    const index = await scanned(CONTENT);
    for (const records of [new Set([5, 3]), Uint8Array.of(5, 3), new Float64Array([5, 3]), [5, 3].values()]) {
      const lengths = [...(await index.readBatch(records))].map(({ length }) => length);
      expect(lengths).toEqual([RECORDS[5]!.length, RECORDS[3]!.length]);
    }
    await index.close();
  });

  test('are those of an index that was saved and loaded, and of no file that changed', async () => {
    for (const bytes of [LAYOUTS['plain']!, LAYOUTS['gzip, one member']!]) {
      const [path, saved] = [folder.fresh(), folder.fresh()];
      writeFileSync(path, bytes);
      const first = await scanned(path);
      await first.save(saved);
      const index = await RecordIndex.load(saved, path);
      expect(Buffer.from((await index.at(-1))!)).toEqual(RECORDS.at(-1));
      writeFileSync(path, Buffer.concat([bytes.subarray(1), Buffer.from('x')]));
      await expect(index.at(2500)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
      await Promise.all([first.close(), index.close()]);
    }
  });
});

describe('sources that have no places', () => {
  const refusal = { code: 'ERR_INVALID_ARG_VALUE', message: expect.stringMatching(/can be read by ranges/) as string };

  test('streams, and lists of files', async () => {
    expect(() => RecordIndex.scan(['a', 'b'] as never)).toThrow(expect.objectContaining(refusal) as Error);
    expect(() => RecordIndex.scan(['a', 'b'] as never)).toThrow(/shards and lists\. Received/);
    expect(() => RecordIndex.scan(7 as never)).toThrow(TypeError);
    for (const source of [new Blob([Uint8Array.from(CONTENT)]).stream(), [CONTENT]] as Source[]) {
      const index = RecordIndex.scan(source);
      await expect(index.done).rejects.toMatchObject(refusal);
      await expect(index.read(0, 1)).rejects.toMatchObject(refusal);
      await index.close();
    }
  });

  test('a FileHandle of a folder or a device, and a closed one', async () => {
    const place = await open(folder.at('.'));
    const device = await open('/dev/null');
    handles.push(place, device);
    for (const source of [place, device]) await expect(RecordIndex.scan(source).done).rejects.toMatchObject(refusal);
    const closed = await open('/dev/null');
    await closed.close();
    await expect(RecordIndex.scan(closed).done).rejects.toMatchObject({ code: 'EBADF' });
  });
});

test('the error of a source is that of the scan, and of a read', async () => {
  const failure = new Error('far away');
  let fails = true;
  const source = {
    byteLength: CONTENT.length,
    slice: (start: number, end: number) => (fails ? Promise.reject(failure) : CONTENT.subarray(start, end)),
  };
  await expect(RecordIndex.scan(source).done).rejects.toBe(failure);
  fails = false;
  const index = await scanned(source);
  fails = true;
  await expect(index.read(9, 1)).rejects.toBe(failure);
  fails = false;
  check(await index.read(9, 1), 9, 1);
  await index.close();
});

test('a read of a source by ranges reads little more than its records', async () => {
  for (const bytes of [CONTENT, LAYOUTS['gzip, one member']!]) {
    let read = 0;
    const source = {
      byteLength: bytes.length,
      slice: (start: number, end: number) => {
        read += end - start;
        return bytes.subarray(start, end);
      },
    };
    const index = RecordIndex.scan(source, { checkpointBytes: 2 ** 20 });
    await index.done;
    expect(read).toBe(bytes.length);
    read = 0;
    check(await index.read(2900, 1), 2900, 1);
    expect(read).toBeLessThan(bytes.length / 2);
    await index.close();
  }
});
