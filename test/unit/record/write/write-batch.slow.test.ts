/** `writeBatch` against its model: `write` for each record of the batch. */
import { execFileSync } from 'node:child_process';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import {
  Dataset,
  encodeExamples,
  fixedLen,
  parseExample,
  readRecords,
  RecordBatch,
  RecordReader,
  RecordWriter,
  writeRecords,
  type WriteOptions,
} from '../../../../lib';
import { newSlab } from '../../../../lib/io';
import { encodedBatch, newBatch, partsOf } from '../../../../lib/record';
import { randoms } from '../../../support/randoms';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const SLAB = 1024 * 1024;
const FRAME = 16;
const folder = new Folder();
afterAll(() => folder.remove());

const spec = { id: fixedLen([], 'int64') };

function encoded(count: number, first = 0): RecordBatch {
  return encodeExamples({ id: BigInt64Array.from({ length: count }, (_, i) => BigInt(first + i)) }, spec);
}

/** Bytes that compress to some extent, made once, because megabytes take long. */
let content = new Uint8Array(0);
function contentOf(length: number): Uint8Array {
  if (content.length < length) {
    content = new Uint8Array(length);
    for (let i = 0; i < length; i++) content[i] = ((i * 31) ^ (i >> 8)) & (i % 3 === 0 ? 15 : 255);
  }
  return content;
}

/** A batch of records of these lengths, a gap between any two. */
function batchOf(lengths: readonly number[], seed: number): RecordBatch {
  const frames = new Uint32Array(2 * lengths.length);
  let end = 0;
  lengths.forEach((length, i) => {
    frames.set([end, length], 2 * i);
    end += length + (i % 3);
  });
  const slab = newSlab(end, '<test>');
  // Other seeds, other bytes at the same place.
  slab.set(contentOf(end + seed).subarray(seed, end + seed));
  return encodedBatch(slab, frames);
}

type Write = (writer: RecordWriter, batch: RecordBatch) => Promise<void> | undefined;

const byBatch: Write = (writer, batch) => writer.writeBatch(batch);
const byRecord: Write = (writer, batch) => {
  let full: Promise<void> | undefined;
  for (const record of batch) full = writer.write(record) ?? full;
  return full;
};

/** Numbers in place of batches are single records, as text. */
async function written(parts: readonly (RecordBatch | number)[], write: Write, options: WriteOptions) {
  const path = folder.fresh();
  const writer = await RecordWriter.open(path, options);
  for (const part of parts) await (typeof part === 'number' ? writer.write(`${part}`) : write(writer, part));
  const report = await writer.close();
  return { report, bytes: readFileSync(path) };
}

async function expectSame(parts: readonly (RecordBatch | number)[], options: WriteOptions = {}): Promise<void> {
  const [batches, records] = [await written(parts, byBatch, options), await written(parts, byRecord, options)];
  // ISA-L may deflate the same bytes differently from run to run, so its members are compared by their content.
  if (options.compression === 'gzip' && options.level === 1) {
    const { fileBytes: _, ...report } = records.report;
    expect(batches.report).toMatchObject(report);
    expect(members(batches.bytes).map(({ records: count }) => count)).toEqual(
      members(records.bytes).map(({ records: count }) => count),
    );
    expect(gunzipSync(batches.bytes).equals(gunzipSync(records.bytes))).toBe(true);
    return;
  }
  expect(batches.report).toEqual(records.report);
  // Jest compares buffers byte by byte, which takes seconds for MiB.
  expect(batches.bytes.equals(records.bytes)).toBe(true);
}

/** The gzip members of a file, by the extra field of each header. */
function members(file: Buffer): { records: number; bytes: number }[] {
  const found = [];
  for (let at = 0; at < file.length; at += found.at(-1)!.bytes) {
    found.push({ records: file.readUInt32LE(at + 24), bytes: Number(file.readBigUInt64LE(at + 16)) });
  }
  return found;
}

const compressions: WriteOptions[] = [
  { compression: 'none' },
  { compression: 'none', atomic: false },
  ...(['gzip', 'zlib'] as const).flatMap((compression) =>
    [0, 1, 4, 9].map((level): WriteOptions => ({ compression, level, atomic: level !== 1 })),
  ),
];

describe('the same file as write for each record', () => {
  test.each(compressions.filter(({ level = 0 }) => level <= 1))(
    'at every size around the slab: %j',
    async (options) => {
      const around = [SLAB - FRAME - 1, SLAB - FRAME, SLAB - FRAME + 1, SLAB];
      await expectSame(
        [
          batchOf([], 0),
          batchOf([0], 0),
          batchOf([0, 1, 11, 12, 13, 65_536, ...around, 0, 0, 5], 1),
          batchOf(
            around.flatMap((length) => [7, length, 0]),
            2,
          ),
          batchOf([3 * SLAB], 3),
          batchOf([], 4),
          batchOf(Array<number>(40).fill(SLAB / 4 - FRAME), 5),
          1,
          batchOf([2 * SLAB, 2 * SLAB], 6),
        ],
        options,
      );
    },
  );

  test.each(Array.from({ length: 30 }, (_, seed) => [seed]))('of random batches: seed %i', async (seed) => {
    const random = randoms(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const limits = [1, 20, 300, 5_000, 400_000, 1_500_000];
    const parts = Array.from({ length: 1 + below(8) }, () => {
      if (below(5) === 0) return below(100);
      const limit = limits[below(limits.length)]!;
      const count = below(Math.min(3_000, Math.ceil(3_000_000 / limit)));
      const whole = batchOf(
        Array.from({ length: count }, () => below(limit)),
        seed,
      );
      const begin = below(count);
      return newBatch(partsOf(whole).source, begin, begin + below(count - begin + 1));
    });
    await expectSame(parts, compressions[seed % compressions.length]);
  });

  test('of batches from wherever they come', async () => {
    const file = folder.write('source.gz', numberedRecords(5_000, 300));
    const parts: RecordBatch[] = [encoded(1), encoded(3_000, 7)];
    for await (const batch of (await RecordReader.open(file)).batches()) parts.push(batch);
    for await (const batch of Dataset.tfrecord(file).shuffle(2_000, { seed: 1 }).batch(999)) parts.push(batch);
    parts.push(RecordBatch.from(parts.at(-1)!.share()));
    await expectSame(parts);
  });

  test.each([[true], [false]])('to a pipe and to a stream, waiting: %p', async (waits) => {
    const batches = Array.from({ length: 40 }, (_, i) => batchOf(Array<number>(300).fill(1_000 + i), i));
    const { bytes } = await written(batches, byRecord, { atomic: false });
    const pipe = folder.fresh();
    execFileSync('mkfifo', [pipe]);
    const through = new PassThrough();
    for (const [target, source] of [[pipe, createReadStream(pipe)] as const, [through, through] as const]) {
      const received = buffer(source);
      const writer = await RecordWriter.open(target, { threads: 1 });
      for (const batch of batches) {
        const full = writer.writeBatch(batch);
        if (waits) await full;
      }
      await writer.close();
      expect((await received).equals(bytes)).toBe(true);
    }
  });
});

describe('writeBatch', () => {
  test('keeps its order with write, flush and others when nobody waits', async () => {
    const path = folder.fresh();
    const writer = await RecordWriter.open(path, { compression: 'gzip', level: 1, threads: 4 });
    let next = 0;
    const number = (): string => `${next++} `.padEnd(2_000, '.');
    for (let i = 0; i < 300; i++) {
      void writer.write(number());
      const texts = Array.from({ length: i % 17 }, () => Buffer.from(number()));
      const slab = newSlab(texts.length * 2_000, '<test>');
      texts.forEach((text, at) => slab.set(text, at * 2_000));
      void writer.writeBatch(encodedBatch(slab, Uint32Array.from(texts.flatMap((_, at) => [at * 2_000, 2_000]))));
      if (i % 50 === 0) void writer.flush();
    }
    expect((await writer.close()).records).toBe(next);
    let found = 0;
    for await (const record of readRecords(path)) expect(parseInt(Buffer.from(record).toString(), 10)).toBe(found++);
    expect(found).toBe(next);
  });

  test('copies at the call: batches that are reused, changed, shared or transferred afterwards', async () => {
    const { bytes } = await written([encoded(3_000), encoded(3_000, 5), encoded(3_000, 5)], byRecord, {});
    const path = folder.fresh();
    const writer = await RecordWriter.open(path);
    const first = encoded(3_000);
    void writer.writeBatch(first);
    const second = encodeExamples({ id: BigInt64Array.from({ length: 3_000 }, (_, i) => BigInt(5 + i)) }, spec, {
      reuse: first,
    });
    void writer.writeBatch(second);
    const memory = second.share();
    void writer.writeBatch(RecordBatch.from(memory));
    new Uint8Array(memory.memory).fill(255);
    structuredClone(second.at(0)!.buffer, { transfer: [second.at(0)!.buffer] });
    await writer.close();
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('returns a promise only when slabs wait, or the event loop does', async () => {
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const writer = await RecordWriter.open(folder.fresh(), { threads: 1 });
    const small = encoded(1_000);
    expect(writer.writeBatch(small)).toBeUndefined();
    const half = batchOf([SLAB / 2], 0);
    let full: Promise<void> | undefined;
    // No native result arrives while this loop runs.
    let count = 0;
    while ((full = writer.writeBatch(half)) === undefined) count++;
    expect(count).toBeGreaterThanOrEqual(3);
    expect(count).toBeLessThanOrEqual(2 * 5);
    await full;
    await turn();
    let turns = 0;
    const counting = setImmediate(() => turns++);
    for (let i = 0; i < 3; i++) expect(writer.writeBatch(small)).toBeUndefined();
    now += 11;
    const waiting = writer.writeBatch(small);
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    expect(turns).toBe(1);
    clearImmediate(counting);
    await writer.close();
    clock.mockRestore();
  });

  test('one larger than all that may be under way', async () => {
    const path = folder.fresh();
    const writer = await RecordWriter.open(path, { threads: 1 });
    const full = writer.writeBatch(batchOf(Array<number>(200_000).fill(100), 1));
    expect(full).toBeInstanceOf(Promise);
    await full;
    expect(await writer.close()).toMatchObject({ records: 200_000, bytes: 20_000_000 });
  });

  test.each<[string, unknown]>([
    ['an array of records', [Buffer.from('foo')]],
    ['parsed columns', parseExample([...encoded(3)], spec)],
    ['bytes', Buffer.from('foo')],
    ['text', 'foo'],
    ['nothing', undefined],
    ['a reader of batches', readRecords(Buffer.alloc(0))],
  ])('refuses %s, naming what it takes', async (_, wrong) => {
    const path = folder.fresh();
    const writer = await RecordWriter.open(path);
    expect(() => writer.writeBatch(wrong as never)).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        code: 'ERR_INVALID_ARG_TYPE',
        message: expect.stringMatching(
          /^"batch" must be a RecordBatch.*encodeExamples\(.*batches\(\).*write\(\)/,
        ) as string,
      }) as Error,
    );
    expect(await writer.close()).toMatchObject({ records: 0 });
  });

  test('write names it for a batch', async () => {
    const writer = await RecordWriter.open(folder.fresh());
    expect(() => writer.write(encoded(2) as never)).toThrow(/writeBatch\(\).*Received an instance of RecordBatch/);
    await writer.abort();
  });

  test('refuses a batch whose memory is gone, and nothing of it is written', async () => {
    const writer = await RecordWriter.open(folder.fresh());
    const batch = encoded(100);
    const { buffer: memory } = batch.at(0)!;
    structuredClone(memory, { transfer: [memory] });
    expect(() => writer.writeBatch(batch)).toThrow(
      expect.objectContaining({ name: 'TFRecordError', code: 'TFR_CLOSED', record: 0 }) as Error,
    );
    expect(await writer.close()).toMatchObject({ records: 0 });
  });

  test('a batch whose memory goes between two of its parts: the error names the first record that is lost', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => String(i % 10).repeat(200_000));
    const texts = { x: fixedLen([], 'text') };
    for (const compression of ['none', 'gzip'] as const) {
      const batch = encodeExamples({ x: rows }, texts);
      const memory = batch.at(0)!.buffer;
      let chunks = 0;
      const target = new WritableStream({
        async write() {
          if (chunks++ === 0) structuredClone(memory, { transfer: [memory] });
          await turn();
        },
      });
      await expect(
        writeRecords(target, [batch], { compression, ...(compression === 'gzip' && { level: 1 }) }),
      ).rejects.toEqual(
        expect.objectContaining({
          name: 'TFRecordError',
          code: 'TFR_CLOSED',
          file: '<encoded>',
          record: expect.any(Number) as number,
        }) as Error,
      );
      // Writers after it are not concerned.
      const writer = await RecordWriter.open(folder.fresh());
      await writer.writeBatch(encodeExamples({ x: ['a', 'b'] }, texts));
      expect(await writer.close()).toMatchObject({ records: 2 });
    }
  });

  test('refuses a batch with a record over maxRecordBytes, and nothing of it is written', async () => {
    const path = folder.fresh();
    const writer = await RecordWriter.open(path, { maxRecordBytes: 10 });
    await writer.write('foo');
    await writer.writeBatch(batchOf([10, 0, 10], 0));
    expect(() => writer.writeBatch(batchOf([5, 10, 11, 12], 0))).toThrow(
      expect.objectContaining({
        name: 'TFRecordError',
        code: 'TFR_RECORD_TOO_LARGE',
        file: path,
        record: 6,
        expected: 'at most 10 bytes',
        found: '11 bytes',
        message: expect.stringContaining('record 6 (record 2 of the batch)') as string,
      }) as Error,
    );
    await writer.writeBatch(batchOf([1], 0));
    expect(await writer.close()).toMatchObject({ records: 5, bytes: 24 });
  });

  test('rejects after close, as write does', async () => {
    const path = folder.fresh();
    const writer = await RecordWriter.open(path);
    const closed = writer.close();
    for (const batch of [encoded(3), batchOf([], 0), batchOf([2 * SLAB], 0)]) {
      await expect(writer.writeBatch(batch)).rejects.toMatchObject({ code: 'TFR_CLOSED', file: path });
    }
    await closed;
    await expect(writer.writeBatch(encoded(3))).rejects.toMatchObject({ code: 'TFR_CLOSED' });
  });

  test('rejects after abort, what waits included, and leaves nothing', async () => {
    const before = readdirSync(folder.path);
    const writer = await RecordWriter.open(folder.fresh(), { compression: 'gzip', level: 9, threads: 1 });
    const full = writer.writeBatch(batchOf(Array<number>(9_000).fill(1_000), 1));
    await writer.abort();
    for (const late of [full, writer.writeBatch(encoded(3))]) {
      await expect(late).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    }
    expect(readdirSync(folder.path)).toEqual(before);
  });

  test('rejects with the first error of the file', async () => {
    const writer = await RecordWriter.open('/dev/full', { threads: 1 });
    const batch = batchOf(Array<number>(3_000).fill(1_000), 1);
    await expect(
      (async () => {
        for (;;) await writer.writeBatch(batch);
      })(),
    ).rejects.toMatchObject({ code: 'ENOSPC', file: '/dev/full' });
    await expect(writer.writeBatch(batch)).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(writer.close()).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  test('gives the file up where there is no memory for a slab', async () => {
    const path = folder.fresh();
    const writer = await RecordWriter.open(path);
    const batch = batchOf(Array<number>(3_000).fill(1_000), 1);
    const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    const refused = expect(writer.writeBatch(batch)).rejects.toMatchObject({ code: 'ENOMEM', file: path });
    allocate.mockRestore();
    await refused;
    await expect(writer.close()).rejects.toMatchObject({ code: 'ENOMEM' });
  });
});
