import { writeFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';

import { readRecords, RecordReader, type Bytes } from '../../../../lib';
import { isOpen } from '../../../support/running/descriptors';
import { onLinux } from '../../../support/on-linux';
import { Folder } from '../../../support/records/record-files';
import { collect, text } from '../../../support/records/texts';
import { flipBit, frame, offsets, tfrecord } from '../../../support/records/tfrecord';

const PAYLOADS = Array.from({ length: 500 }, (_, index) => `record ${index} ${'.'.repeat(index % 90)}`);
const FILE = tfrecord(PAYLOADS);
const AT = offsets(PAYLOADS);

const folder = new Folder();
const path = folder.at('a.tfrecord');
beforeAll(() => writeFileSync(path, FILE));
afterAll(() => folder.remove());

describe('one shared position', () => {
  test('records, batches and several iterators go on where the other stopped', async () => {
    const reader = await RecordReader.open(path, { batchBytes: 4096 });
    const records = reader[Symbol.asyncIterator]();
    const seen: string[] = [];
    for (let i = 0; i < 3; i++) seen.push(text((await records.next()).value as Bytes));
    const batch = (await reader.batches().next()).value as Iterable<Bytes>;
    for (const record of batch) seen.push(text(record));
    const other = reader[Symbol.asyncIterator]();
    seen.push(text((await other.next()).value as Bytes));
    for await (const record of reader) seen.push(text(record));
    expect(seen).toEqual(PAYLOADS);
    expect(await other.next()).toEqual({ value: undefined, done: true });
  });

  test('concurrent steps are answered in the order of their calls', async () => {
    const reader = await RecordReader.open(path, { batchBytes: 4096 });
    const records = reader[Symbol.asyncIterator]();
    const steps = await Promise.all(Array.from({ length: PAYLOADS.length + 5 }, () => records.next()));
    expect(steps.slice(0, PAYLOADS.length).map(({ value }) => text(value as Bytes))).toEqual(PAYLOADS);
    expect(steps.slice(PAYLOADS.length).every(({ done }) => done === true)).toBe(true);
  });

  test('records are views that are never overwritten, plain Uint8Arrays', async () => {
    const kept: Bytes[] = [];
    for await (const record of readRecords(path, { batchBytes: 4096 })) kept.push(record);
    expect(kept.map(text)).toEqual(PAYLOADS);
    expect(kept.some((record) => Buffer.isBuffer(record))).toBe(false);
  });
});

describe('origin and stats', () => {
  test('of the record handed out last', async () => {
    const reader = await RecordReader.open(path, { batchBytes: 4096 });
    expect(reader.origin).toBeUndefined();
    let index = 0;
    for await (const record of reader) {
      expect(reader.origin).toEqual({ file: path, record: index, offset: AT[index], bytes: record.length });
      expect(reader.stats.records).toBe(++index);
    }
    expect(reader.origin?.record).toBe(PAYLOADS.length - 1);
    expect(reader.stats).toEqual({
      records: PAYLOADS.length,
      bytes: PAYLOADS.join('').length,
      compressedBytes: FILE.length,
      totalBytes: FILE.length,
      compression: 'none',
      skipped: 0,
      lostBytes: 0,
    });
  });

  test('a batch handed out counts whole; its origins are those of its records', async () => {
    const reader = await RecordReader.open(path);
    let index = 0;
    for await (const batch of reader.batches()) {
      for (let i = 0; i < batch.length; i++)
        expect(batch.origin(i)).toMatchObject({ record: index, offset: AT[index++] });
      expect(reader.stats.records).toBe(index);
      expect(reader.origin?.record).toBe(index - 1);
    }
    expect(index).toBe(PAYLOADS.length);
  });

  test.each([
    ['plain', FILE, 'none'],
    ['gzip', gzipSync(FILE), 'gzip'],
    ['zlib', deflateSync(FILE), 'zlib'],
    ['zlib with a small window', deflateSync(FILE, { windowBits: 9 }), 'zlib'],
    ['nothing', Buffer.alloc(0), 'none'],
    ['plain, its length the magic of zlib', tfrecord([Buffer.alloc(0x9c78)]), 'none'],
    ['plain, its length the magic of gzip', tfrecord([Buffer.alloc(0x088b1f)]), 'none'],
  ])('the compression that was found: %s', async (_name, bytes, compression) => {
    const reader = await RecordReader.open(bytes);
    expect(reader.stats.compression).toBeUndefined();
    await collect(reader);
    expect(reader.stats).toMatchObject({ compression, compressedBytes: bytes.length });
  });

  test('skips are counted, compressed bytes are those of the file', async () => {
    const damaged = gzipSync(flipBit(flipBit(FILE, 12), AT[7]! + 12));
    const reader = await RecordReader.open(damaged, { onError: 'skip' });
    expect(await collect(reader)).toEqual(PAYLOADS.filter((_, index) => index !== 0 && index !== 7));
    expect(reader.stats).toMatchObject({
      records: 498,
      skipped: 2,
      lostBytes: 0,
      compressedBytes: damaged.length,
      totalBytes: damaged.length,
    });
  });
});

describe('closing', () => {
  onLinux('break, return, throw, the end, an error and close leave no file open', async () => {
    const damaged = folder.at('damaged.tfrecord');
    writeFileSync(damaged, flipBit(FILE, AT[400]! + 12));
    const ways: Record<string, (reader: RecordReader) => Promise<unknown>> = {
      break: async (reader) => {
        for await (const record of reader) if (record.length > 0) break;
      },
      return: (reader) => reader[Symbol.asyncIterator]().return?.() as Promise<unknown>,
      throw: (reader) =>
        (reader.batches().throw?.(new Error('mine')) as Promise<unknown>).catch((error: unknown) => {
          expect(error).toEqual(new Error('mine'));
        }),
      end: collect,
      close: (reader) => reader.close(),
      dispose: (reader) => reader[Symbol.asyncDispose](),
    };
    for (const way of Object.values(ways)) {
      const reader = await RecordReader.open(path, { batchBytes: 4096 });
      const steps = reader[Symbol.asyncIterator]();
      await steps.next();
      await way(reader);
      expect(isOpen(path)).toBe(false);
      expect(await steps.next()).toEqual({ value: undefined, done: true });
    }
    const reader = await RecordReader.open(damaged, { batchBytes: 4096 });
    const steps = reader[Symbol.asyncIterator]();
    await steps.next();
    expect(isOpen(damaged)).toBe(true);
    await expect(collect(reader)).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 400 });
    expect(isOpen(damaged)).toBe(false);
    expect(await steps.next()).toEqual({ value: undefined, done: true });
  });

  test('close is idempotent, and steps that wait end', async () => {
    const { readable } = new TransformStream<Uint8Array, Uint8Array>();
    const reader = await RecordReader.open(readable);
    const waiting = reader[Symbol.asyncIterator]().next();
    await Promise.all([reader.close(), reader.close()]);
    expect(await waiting).toEqual({ value: undefined, done: true });
    await reader.close();
  });

  test('what was handed out outlives the reader', async () => {
    const reader = await RecordReader.open(path);
    const { value } = await reader.batches().next();
    await reader.close();
    expect(text((value as { at(index: number): Bytes }).at(0))).toBe(PAYLOADS[0]);
  });
});

describe('abort', () => {
  test('an aborted signal rejects at open and at the first step, with its reason', async () => {
    const signal = AbortSignal.abort('enough');
    await expect(RecordReader.open(path, { signal })).rejects.toBe('enough');
    const records = readRecords(path, { signal });
    await expect(records.next()).rejects.toBe('enough');
    expect(await records.next()).toEqual({ value: undefined, done: true });
  });

  test('with a batch in hand, the next step rejects', async () => {
    const controller = new AbortController();
    const reader = await RecordReader.open(path, { signal: controller.signal });
    const records = reader[Symbol.asyncIterator]();
    await records.next();
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(records.next()).rejects.toBe(reason);
    expect(await records.next()).toEqual({ value: undefined, done: true });
    expect(reader.stats.records).toBe(1);
  });

  test('a step that waits for its source rejects', async () => {
    const controller = new AbortController();
    const { readable } = new TransformStream<Uint8Array, Uint8Array>();
    const waiting = readRecords(readable, { signal: controller.signal }).next();
    setTimeout(() => controller.abort('late'), 5);
    await expect(waiting).rejects.toBe('late');
  });

  test('one listener for the whole reading, removed at the end', async () => {
    const { signal } = new AbortController();
    const add = jest.spyOn(signal, 'addEventListener');
    const remove = jest.spyOn(signal, 'removeEventListener');
    expect(await collect(readRecords(path, { signal, batchBytes: 4096 }))).toEqual(PAYLOADS);
    expect(add).toHaveBeenCalledTimes(1);
    expect(remove).toHaveBeenCalledTimes(1);
    expect(remove.mock.calls[0]?.[1]).toBe(add.mock.calls[0]?.[1]);
  });
});

test('the event loop turns while records are always ready', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  try {
    for await (const _ of readRecords(tfrecord(PAYLOADS.slice(0, 60)))) {
      const until = performance.now() + 2;
      while (performance.now() < until);
    }
  } finally {
    clearInterval(timer);
  }
  expect(turns).toBeGreaterThan(2);
});

test.each([4096, 65_536, 1 << 20])('slabs of %i bytes, read-ahead 0 to 64, the same records', async (batchBytes) => {
  const payloads = Array.from({ length: 300 }, (_, index) => 'r'.repeat((index * 977) % 9000));
  const bytes = Buffer.concat(payloads.map(frame));
  const file = folder.at('sizes.tfrecord');
  writeFileSync(file, bytes);
  for (const readAhead of [0, 1, 2, 64]) {
    for (const source of [file, bytes]) {
      expect(await collect(readRecords(source, { batchBytes, readAhead }))).toEqual(payloads);
    }
  }
});

test('new, which JavaScript does not forbid, says what to call', () => {
  expect(() => Reflect.construct(RecordReader, ['a.tfrecord'])).toThrow(
    expect.objectContaining({
      code: 'ERR_ILLEGAL_CONSTRUCTOR',
      message: 'Illegal constructor: use RecordReader.open()',
    }),
  );
});
