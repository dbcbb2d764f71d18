/**
 * Iterating again after the end or `break` starts from the first record if the source can be read again; otherwise it
 * throws TFR_CLOSED.
 */
import { createReadStream } from 'node:fs';

import {
  encodeExample,
  fixedLen,
  readExamples,
  readRecords,
  readRecordsSync,
  RecordReader,
  type Bytes,
  type RecordSource,
} from '../../../../lib';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const COUNT = 20;
const payloads = Array.from({ length: COUNT }, (_, id) => encodeExample({ id: BigInt(id) }));
const bytes = tfrecord(payloads);
const folder = new Folder();
const path = folder.write('file.tfrecord', payloads);
afterAll(() => folder.remove());

const SPEC = { id: fixedLen([], 'int64') };
const CLOSED = { code: 'TFR_CLOSED' };

const AGAIN: readonly [string, () => RecordSource][] = [
  ['a path', () => path],
  ['a list', () => [path]],
  ['bytes', () => bytes],
  ['a Blob', () => new Blob([new Uint8Array(bytes)])],
];
const ONCE: readonly [string, () => RecordSource][] = [
  ['a stream', () => createReadStream(path)],
  [
    'a generator',
    () =>
      (function* () {
        yield bytes;
      })(),
  ],
];

async function count(iterable: AsyncIterable<unknown>, most = Infinity): Promise<number> {
  let seen = 0;
  for await (const _ of iterable) if (++seen === most) break;
  return seen;
}

describe.each(AGAIN)('%s', (_, source) => {
  test('readRecords begins anew behind the end, and behind break', async () => {
    const records = readRecords(source());
    expect([await count(records), await count(records, 3), await count(records), await count(records)]).toEqual([
      COUNT,
      3,
      COUNT,
      COUNT,
    ]);
  });

  test('what is under way goes on', async () => {
    const records = readRecords(source());
    await records.next();
    expect(await count(records)).toBe(COUNT - 1);
    expect(await records.next()).toEqual({ value: undefined, done: true });
    expect(await count(records)).toBe(COUNT);
  });

  test('readExamples begins anew, rows and batches', async () => {
    const reader = readExamples(source(), SPEC);
    expect([await count(reader), await count(reader, 3), await count(reader.batches(6)), await count(reader)]).toEqual([
      COUNT,
      3,
      4,
      COUNT,
    ]);
    expect(reader.stats).toMatchObject({ records: COUNT });
    await reader.close();
    await expect(count(reader)).rejects.toMatchObject(CLOSED);
    expect(() => reader.batches(3)).toThrow(expect.objectContaining(CLOSED));
  });

  test('iterators that are kept begin anew, too', async () => {
    const reader = readExamples(source(), SPEC);
    const batches = reader.batches(6);
    expect([await count(batches), await count(batches, 1), await count(batches)]).toEqual([4, 1, 4]);
    const rows = reader[Symbol.asyncIterator]();
    await rows.next();
    expect([await count(rows), await count(rows)]).toEqual([COUNT - 1, COUNT]);
    await reader.close();
    await expect(count(batches)).rejects.toMatchObject(CLOSED);
  });

  test('iterators of a RecordReader are closed with it', async () => {
    for (const iterate of [
      (reader: RecordReader) => reader.batches(),
      (reader: RecordReader) => reader[Symbol.asyncIterator](),
    ]) {
      const iterator = iterate(await RecordReader.open(source()));
      expect(await count(iterator)).toBeGreaterThan(0);
      await expect(count(iterator)).rejects.toMatchObject(CLOSED);
    }
  });

  test('a RecordReader is closed', async () => {
    for (const most of [1, Infinity]) {
      const reader = await RecordReader.open(source());
      await count(reader, most);
      await expect(count(reader)).rejects.toMatchObject(CLOSED);
      expect(() => reader.batches()).toThrow(expect.objectContaining(CLOSED));
    }
  });
});

describe.each(ONCE)('%s', (_, source) => {
  test.each([1, Infinity])('is closed behind %d records', async (most) => {
    const records = readRecords(source());
    await count(records, most);
    await expect(count(records)).rejects.toMatchObject(CLOSED);
    const rows = readExamples(source(), SPEC);
    await count(rows, most);
    await expect(count(rows)).rejects.toMatchObject(CLOSED);
    expect(() => rows.batches(3)).toThrow(expect.objectContaining(CLOSED));
  });
});

test('policies count anew', async () => {
  const damaged = Buffer.from(bytes);
  damaged[15] = damaged[15]! ^ 1;
  const records = readRecords(damaged, { onError: { action: 'skip', max: 1 } });
  for (let round = 0; round < 3; round++) expect(await count(records)).toBe(COUNT - 1);
  const failing = readRecords(damaged);
  for (let round = 0; round < 3; round++) await expect(count(failing)).rejects.toMatchObject({ record: 0 });
});

test('an abort comes before anything else, and stays', async () => {
  const signal = AbortSignal.abort(new Error('mine'));
  for (const source of [path, createReadStream(path)]) {
    await expect(count(readRecords(source, { signal }))).rejects.toThrow('mine');
  }
  const rows = readExamples(path, SPEC, { signal });
  await expect(count(rows)).rejects.toThrow('mine');
  await expect(count(rows)).rejects.toThrow('mine');
});

test('readRecordsSync begins anew', () => {
  const drained = (records: Iterable<Bytes>, most = Infinity): number => {
    let seen = 0;
    for (const _ of records) if (++seen === most) break;
    return seen;
  };
  for (const source of [path, bytes]) {
    const records = readRecordsSync(source);
    expect([drained(records), drained(records, 2), drained(records), records.next().done]).toEqual([
      COUNT,
      2,
      COUNT,
      true,
    ]);
  }
});
