/** Odd arguments of reads by an index. */
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';

import { RecordBatch, RecordIndex } from '../../../../lib';
import { letters } from '../../../support/records/letters';
import { Folder } from '../../../support/records/record-files';
import { offsets, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const RECORDS = letters(1000, 100);
const CONTENT = tfrecord(RECORDS);
const AT = offsets(RECORDS);
const SOURCES = {
  'a file': folder.put('records.tfrecord', CONTENT),
  'a GZIP file': folder.put('records.tfrecord.gz', gzipSync(CONTENT)),
  bytes: Uint8Array.from(CONTENT),
  'GZIP bytes': Uint8Array.from(gzipSync(CONTENT)),
  'a Blob': new Blob([Uint8Array.from(CONTENT)]),
};

describe.each(Object.entries(SOURCES))('%s', (_, source) => {
  const index = RecordIndex.scan(source);
  afterAll(() => index.close());

  const numbersOf = async (records: Iterable<number>): Promise<number[]> => {
    const batch = await index.readBatch(records);
    return Array.from(batch, (record) => RECORDS.findIndex((wanted) => Buffer.compare(record, wanted) === 0));
  };

  test('duplicates, -0, and none', async () => {
    expect(await numbersOf([7, 7, 3, 7, 999, 0, -0])).toEqual([7, 7, 3, 7, 999, 0, 0]);
    expect(await numbersOf(new Array<number>(300).fill(42))).toEqual(new Array(300).fill(42));
    expect(await numbersOf([])).toEqual([]);
    expect(await numbersOf(new Float64Array(0))).toEqual([]);
    expect(await index.at(-0)).toEqual(new Uint8Array(RECORDS[0]!));
  });

  test.each([
    [[-1]],
    [[NaN]],
    [[2 ** 53]],
    [[-(2 ** 53)]],
    [[Infinity]],
    [[1000]],
    [[0, 0.5]],
    [[undefined]],
    [[null]],
    [[5n]],
  ])('%p are refused', async (records) => {
    await expect(index.readBatch(records as never)).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
  });

  test('sparse arrays, bigint arrays, Proxies and throwing iterators', async () => {
    const sparse: number[] = [];
    sparse[3] = 1;
    await expect(index.readBatch(sparse)).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
    await expect(index.readBatch(BigInt64Array.of(1n) as never)).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
    const { proxy, revoke } = Proxy.revocable([1, 2], {});
    expect(await numbersOf(proxy)).toEqual([1, 2]);
    revoke();
    await expect(index.readBatch(proxy)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    const failure = new Error('of the caller');
    const failing = {
      *[Symbol.iterator](): Generator<number> {
        yield 1;
        throw failure;
      },
    };
    await expect(index.readBatch(failing)).rejects.toBe(failure);
  });

  test('memory that others change or take away', async () => {
    const shared = new Float64Array(new SharedArrayBuffer(8 * 4));
    shared.set([4, 3, 2, 1]);
    const read = numbersOf(shared);
    await index.done;
    await Promise.resolve();
    shared.fill(1e9);
    expect(await read).toEqual([4, 3, 2, 1]);

    for (const waits of [true, false]) {
      const given = Float64Array.of(9, 8);
      const reading = numbersOf(given);
      if (waits) await index.done;
      structuredClone(given, { transfer: [given.buffer] });
      expect(await reading).toEqual([9, 8]);
      await expect(index.readBatch(given)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    }
  });

  test('numbers are those of the call, also during the scan', async () => {
    const scan = RecordIndex.scan(source);
    for (const given of [[1, 2], Int32Array.of(1, 2)]) {
      const reading = scan.readBatch(given);
      given.fill(5);
      expect(Array.from(await reading, (record) => Buffer.from(record))).toEqual([RECORDS[1], RECORDS[2]]);
    }
    await scan.close();
  });

  test('a record has its number and its place in the file as its origin, also once the index is closed', async () => {
    const own = RecordIndex.scan(source);
    const batch = await own.readBatch([7, 999, 7, 0]);
    const empty = await own.readBatch([]);
    await own.close();
    const origin = (record: number): object => {
      const offset = AT[record]!;
      return { file: own.file, record, offset, bytes: RECORDS[record]!.length };
    };
    expect(Array.from(batch, (_, i) => batch.origin(i))).toEqual([7, 999, 7, 0].map(origin));
    expect(RecordBatch.from(batch.share()).origin(1)).toEqual(origin(999));
    expect(inspect(batch)).toContain(own.file);
    expect(empty.origin(0)).toBeUndefined();
  });

  test('bounds of slices', async () => {
    for (const [begin, end] of [
      [-0, 3],
      [-3, undefined],
      [998, 2 ** 53 - 1],
      [-(2 ** 53 - 1), 2],
      [5, 5],
      [7, 3],
    ] as const) {
      const found: Buffer[] = [];
      for await (const batch of index.slice(begin, end)) for (const record of batch) found.push(Buffer.from(record));
      expect(found).toEqual(RECORDS.slice(begin, end));
    }
    for (const bound of [NaN, 0.5, Infinity, 2 ** 53]) {
      await expect(index.slice(bound).next()).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
      await expect(index.slice(0, bound).next()).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
      await expect(index.at(bound)).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
    }
    await expect(index.slice(1n as never).next()).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    await expect(index.at('1' as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  });

  test('100 callers at once', async () => {
    const found = await Promise.all(Array.from({ length: 100 }, (_each, i) => index.at(i - 50)));
    const wrong = found.findIndex((record, i) => Buffer.compare(record!, RECORDS.at(i - 50)!) !== 0);
    expect(wrong).toBe(-1);
  });
});
