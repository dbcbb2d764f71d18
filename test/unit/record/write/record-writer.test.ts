import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { gunzipSync, inflateSync } from 'node:zlib';

import { readRecords, RecordWriter, writeRecords, type WriteOptions } from '../../../../lib';
import { encodedBatch } from '../../../../lib/record';
import { FOO_BAR } from '../../../support/records/tfrecord';

const SLAB = 1024 * 1024;
const FRAME = 16;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-writer-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function path(name = 'a.tfrecord'): string {
  return join(folder, name);
}

async function written(name: string, records: Iterable<Uint8Array | string>, options?: WriteOptions) {
  const writer = await RecordWriter.open(path(name), options);
  for (const record of records) await writer.write(record);
  return writer.close();
}

async function read(name = 'a.tfrecord'): Promise<Buffer[]> {
  const records: Buffer[] = [];
  for await (const record of readRecords(path(name))) records.push(Buffer.from(record));
  return records;
}

function patterned(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + (i >> 8) * 7 + seed) & (i % 3 === 0 ? 15 : 255);
  return bytes;
}

/** Whether the file holds just these: Jest compares buffers byte by byte, which takes seconds for MiB. */
async function holds(records: readonly (Buffer | string)[], name = 'a.tfrecord'): Promise<boolean> {
  const found = await read(name);
  return (
    found.length === records.length && found.every((record, i) => record.equals(Buffer.from(records[i] as string)))
  );
}

/** Sizes of our gzip members, by the extra field of each header; throws where none starts. */
function memberSizes(file: Buffer): number[] {
  const sizes: number[] = [];
  for (let at = 0; at < file.length; at += sizes.at(-1)!) {
    expect(file.toString('latin1', at + 12, at + 14)).toBe('TR');
    sizes.push(Number(file.readBigUInt64LE(at + 16)));
  }
  return sizes;
}

describe('what is written', () => {
  it('is byte for byte what TensorFlow writes', async () => {
    const report = await written('a.tfrecord', ['foo', Buffer.from('bar')]);
    expect(readFileSync(path()).toString('hex')).toBe(FOO_BAR);
    expect(report).toEqual({ records: 2, bytes: 6, fileBytes: 38 });
  });

  it.each([
    ['a.tfrecord.gz', gunzipSync],
    ['a.GZ', gunzipSync],
    ['a.zz', inflateSync],
    ['a.zlib', inflateSync],
  ])('is compressed by name: %s', async (name, inflate) => {
    const report = await written(name, ['foo', 'bar']);
    const file = readFileSync(path(name));
    expect(inflate(file).toString('hex')).toBe(FOO_BAR);
    expect(report).toEqual({ records: 2, bytes: 6, fileBytes: file.length });
  });

  it.each(['a.tfrecord', 'a.gz.tfrecord', 'gz', 'a.zip'])('is plain under other names: %s', async (name) => {
    await written(name, ['foo', 'bar']);
    expect(readFileSync(path(name)).toString('hex')).toBe(FOO_BAR);
  });

  it.each([
    ['none', (file: Buffer) => file, 0],
    ['gzip', gunzipSync, undefined],
    ['zlib', inflateSync, undefined],
  ] as const)('is a valid empty file without records: %s', async (compression, inflate, size) => {
    const writer = await RecordWriter.open(path(), { compression });
    await writer.flush();
    const report = await writer.close();
    const file = readFileSync(path());
    expect(inflate(file)).toHaveLength(0);
    expect(report).toEqual({ records: 0, bytes: 0, fileBytes: size ?? file.length });
    expect(report.fileBytes === 0).toBe(compression === 'none');
  });

  it('comes back when long records share memory with longer ones before them', async () => {
    const lengths = [3, 2.5, 2, 1.5, 4, 2.1, 30, 16, 0.5, 3, 2].map((size) => Math.round(size * SLAB));
    const writer = await RecordWriter.open(path());
    for (const [i, length] of lengths.entries()) {
      await writer.write(Buffer.alloc(length, i + 1));
      // Its memory is spare when the next one is written.
      await writer.flush();
    }
    await writer.close();
    let i = 0;
    for await (const record of readRecords(path())) {
      expect(record).toHaveLength(lengths[i]!);
      expect(Buffer.alloc(lengths[i]!, ++i).equals(record)).toBe(true);
    }
    expect(i).toBe(lengths.length);
  });

  it.each(['none', 'gzip', 'zlib'] as const)('comes back at every size around the slab: %s', async (compression) => {
    const lengths = [
      0,
      1,
      11,
      12,
      13,
      65_536,
      SLAB - FRAME - 1,
      0,
      SLAB - FRAME,
      1,
      SLAB - FRAME + 1,
      SLAB,
      5 * SLAB,
      7,
    ];
    const records = lengths.map(patterned);
    const level = compression === 'none' ? undefined : 1;
    const report = await written('a.tfrecord', records, { compression, level });
    expect(report.bytes).toBe(lengths.reduce((a, b) => a + b));
    expect(await holds(records)).toBe(true);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('comes back at level %i', async (level) => {
    const records = Array.from({ length: 500 }, (_, i) => patterned((i * 37) % 5000, i));
    for (const compression of ['gzip', 'zlib'] as const) {
      const { fileBytes, bytes } = await written('a.tfrecord', records, { compression, level });
      expect(await holds(records)).toBe(true);
      expect(fileBytes > bytes).toBe(level === 0);
    }
  });

  it('comes in order from many threads, whether the caller waits or not', async () => {
    for (const waits of [true, false]) {
      const writer = await RecordWriter.open(path(), { compression: 'gzip', level: 1, threads: 8 });
      for (let i = 0; i < 30_000; i++) {
        const full = writer.write(`${i} `.padEnd(600, '.'));
        if (waits) await full;
      }
      expect((await writer.close()).records).toBe(30_000);
      const found = await read();
      expect(found.findIndex((record, i) => parseInt(record.toString(), 10) !== i)).toBe(-1);
      expect(found).toHaveLength(30_000);
    }
  });
});

describe('write', () => {
  it('copies the bytes at the call', async () => {
    const writer = await RecordWriter.open(path());
    const record = Buffer.from('first');
    await writer.write(record);
    record.write('XXXXX');
    await writer.write(record);
    await writer.close();
    expect((await read()).map(String)).toEqual(['first', 'XXXXX']);
  });

  it('returns a promise only when slabs wait, or the event loop does', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const writer = await RecordWriter.open(path(), { threads: 1 });
    const half = Buffer.alloc(SLAB / 2);
    expect(writer.write('small')).toBeUndefined();
    let full: Promise<void> | undefined;
    // No native result arrives while this loop runs.
    let count = 0;
    while ((full = writer.write(half)) === undefined) count++;
    expect(count).toBeLessThanOrEqual(2 * 5);
    expect(count).toBeGreaterThanOrEqual(3);
    await full;
    expect(writer.write('small')).toBeUndefined();
    await writer.close();
    clock.mockRestore();
  });

  it('returns a promise that the next turn settles when the event loop has not turned for 10 ms', async () => {
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const writer = await RecordWriter.open(path());
    await turn();
    let turns = 0;
    const counting = setImmediate(() => turns++);
    for (let i = 0; i < 1_000; i++) expect(writer.write('small')).toBeUndefined();
    now += 11;
    let waiting: Promise<void> | undefined;
    let count = 0;
    for (; waiting === undefined && count < 1_000; count++) waiting = writer.write('small');
    // From now on every write returns a promise.
    expect(writer.write('small')).toBeInstanceOf(Promise);
    expect(turns).toBe(0);
    await waiting;
    expect(turns).toBe(1);
    clearImmediate(counting);
    for (let i = 0; i < 10; i++) expect(writer.write('small')).toBeUndefined();
    expect((await writer.close()).records).toBe(1_000 + count + 11);
    clock.mockRestore();
  });

  it('encodes text as UTF-8', async () => {
    const texts = ['', 'a', 'grüße', '€ 😀', 'x'.repeat(2 * SLAB), 'ü'.repeat(SLAB / 2), 'é'.repeat(700_000)];
    await written('a.tfrecord', texts);
    expect(await holds(texts)).toBe(true);
  });

  it('fills slabs to the last byte with text', async () => {
    const texts = [
      'x'.repeat(SLAB - FRAME),
      'y'.repeat(SLAB - 2 * FRAME - 4),
      'zzzz',
      'ü'.repeat((SLAB - FRAME) / 2),
      'end',
    ];
    await written('a.tfrecord', texts);
    expect(await holds(texts)).toBe(true);
  });

  it('takes views, subclasses and arrays of other realms', async () => {
    const foreign = runInContext('new Uint8Array([102, 111, 111])', createContext()) as Uint8Array;
    const shared = new Uint8Array(new SharedArrayBuffer(8), 2, 3);
    shared.set([98, 97, 114]);
    await written('a.tfrecord', [foreign, shared]);
    expect(readFileSync(path()).toString('hex')).toBe(FOO_BAR);
  });

  it.each([
    ['a number', 1],
    ['undefined', undefined],
    ['null', null],
    ['an array', [1, 2]],
    ['an ArrayBuffer', new ArrayBuffer(3)],
    ['a DataView', new DataView(new ArrayBuffer(3))],
    ['a Uint16Array', new Uint16Array(3)],
    ['a Uint8ClampedArray', new Uint8ClampedArray(3)],
  ])('refuses %s, and nothing is written of it', async (_, record) => {
    const writer = await RecordWriter.open(path());
    expect(() => writer.write(record as never)).toThrow(
      expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }) as Error,
    );
    await writer.write('foo');
    await writer.write('bar');
    await writer.close();
    expect(readFileSync(path()).toString('hex')).toBe(FOO_BAR);
  });

  it.each([
    ['text', 'a'.repeat(11)],
    ['text of two bytes a character', 'é'.repeat(6)],
    ['bytes', Buffer.alloc(11)],
    ['bytes over a slab', Buffer.alloc(2 * SLAB)],
  ])('refuses %s over maxRecordBytes, and nothing is written of it', async (_, record) => {
    const writer = await RecordWriter.open(path(), { maxRecordBytes: 10 });
    for (const fits of ['a'.repeat(10), 'é'.repeat(5), Buffer.alloc(10)]) await writer.write(fits);
    expect(() => writer.write(record)).toThrow(
      expect.objectContaining({
        name: 'TFRecordError',
        code: 'TFR_RECORD_TOO_LARGE',
        file: path(),
        record: 3,
        expected: 'at most 10 bytes',
      }) as Error,
    );
    expect(await writer.close()).toMatchObject({ records: 3, bytes: 30 });
  });

  it('refuses what readers refuse by default, unless it is asked', async () => {
    // Its pages are never touched, so it takes no memory.
    const huge = new Uint8Array(2 ** 31);
    const writer = await RecordWriter.open(path());
    expect(() => writer.write(huge)).toThrow(expect.objectContaining({ code: 'TFR_RECORD_TOO_LARGE' }) as Error);
    await writer.abort();
    await expect(writeRecords(path(), ['fits', 'does not'], { maxRecordBytes: 5 })).rejects.toMatchObject({
      code: 'TFR_RECORD_TOO_LARGE',
      record: 1,
    });
    expect(readdirSync(folder)).toEqual([]);
    await written('a.tfrecord', ['x'.repeat(100)], { maxRecordBytes: 100 });
  });

  it('holds the caller back by bytes, too, where records are long', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const writer = await RecordWriter.open('/dev/null', { threads: 32, compression: 'gzip', level: 9 });
    const long = Buffer.alloc(20 * SLAB, 'long');
    const waits: boolean[] = [];
    // No native result arrives while this loop runs.
    for (let i = 0; i < 5; i++) waits.push(writer.write(long) !== undefined);
    expect(waits).toEqual([false, false, false, true, true]);
    await writer.abort();
    clock.mockRestore();
  });

  it('refuses records that no frame can hold', async () => {
    // Its pages are never touched, so it takes no memory.
    const huge = new Uint8Array(2 ** 32 - 16);
    const writer = await RecordWriter.open(path());
    expect(() => writer.write(huge)).toThrow(
      expect.objectContaining({ name: 'RangeError', code: 'ERR_OUT_OF_RANGE' }) as Error,
    );
    expect(await writer.close()).toMatchObject({ records: 0 });
  });
});

describe('flush and sync', () => {
  it.each(['none', 'gzip', 'zlib'] as const)('let a reader see what was written: %s', async (compression) => {
    const writer = await RecordWriter.open(path(), { compression, atomic: false });
    const seen: string[][] = [];
    for (const step of ['flush', 'sync'] as const) {
      await writer.write(step);
      await writer[step]();
      const records: string[] = [];
      for await (const record of readRecords(path(), { onError: 'stop' })) records.push(Buffer.from(record).toString());
      seen.push(records);
    }
    expect(seen).toEqual([['flush'], ['flush', 'sync']]);
    await writer.close();
    expect((await read()).map(String)).toEqual(['flush', 'sync']);
  });

  it('end a gzip member, and never make an empty one', async () => {
    const writer = await RecordWriter.open(path(), { compression: 'gzip' });
    await writer.flush();
    await writer.write('foo');
    await writer.flush();
    await writer.flush();
    await writer.sync();
    await writer.write('bar');
    const { fileBytes } = await writer.close();
    const file = readFileSync(path());
    const sizes = memberSizes(file);
    expect(sizes).toHaveLength(2);
    expect(sizes.reduce((a, b) => a + b)).toBe(fileBytes);
    expect(gunzipSync(file).toString('hex')).toBe(FOO_BAR);
  });

  it('end at the same records, whatever memory is free', async () => {
    const writer = await RecordWriter.open(path(), { compression: 'gzip', level: 1 });
    await writer.write(Buffer.alloc(1_900_000));
    // From here on, the memory of the first slab is free.
    await writer.flush();
    const small = Array.from({ length: 10 }, () => [0, 30_000]).flat();
    await writer.writeBatch(encodedBatch(new Uint8Array(1_100_000), Uint32Array.of(0, 1_100_000, ...small)));
    await writer.close();
    const file = readFileSync(path());
    let at = 0;
    const plain = memberSizes(file).map((size) => gunzipSync(file.subarray(at, (at += size))).length);
    expect(plain).toEqual([1_900_016, 1_100_016, 300_160]);
  });

  it('make members of about 1 MiB of whole records', async () => {
    await written('a.gz', Array<Buffer>(50).fill(patterned(100_000, 1)), { level: 1 });
    const file = readFileSync(path('a.gz'));
    let at = 0;
    const plain = memberSizes(file).map((size) => gunzipSync(file.subarray(at, (at += size))).length);
    // Ten records of 100,016 bytes fit into a slab.
    expect(plain).toEqual(Array(5).fill(1_000_160));
  });
});

describe('the end', () => {
  it('closes once, and refuses what comes after', async () => {
    const writer = await RecordWriter.open(path());
    await writer.write('foo');
    await writer.write('bar');
    const closed = writer.close();
    expect(writer.close()).toBe(closed);
    const error = { name: 'TFRecordError', code: 'TFR_CLOSED', file: path() };
    await expect(writer.write('baz')).rejects.toMatchObject(error);
    await closed;
    await expect(writer.write('baz')).rejects.toMatchObject(error);
    await expect(writer.write(new Uint8Array(2 * SLAB))).rejects.toMatchObject(error);
    await expect(writer.flush()).rejects.toMatchObject(error);
    await expect(writer.sync()).rejects.toMatchObject(error);
    await writer.abort();
    expect(readFileSync(path()).toString('hex')).toBe(FOO_BAR);
  });

  it('leaves nothing when aborted, and rejects what was pending', async () => {
    const writer = await RecordWriter.open(path(), { compression: 'gzip', level: 9, threads: 1 });
    let full: Promise<void> | undefined;
    while (full === undefined) full = writer.write(patterned(SLAB / 2, 1));
    const flushed = writer.flush();
    await writer.abort();
    const error = { code: 'TFR_CLOSED' };
    await expect(full).rejects.toMatchObject(error);
    await expect(flushed).rejects.toMatchObject(error);
    await expect(writer.write('x')).rejects.toMatchObject(error);
    await expect(writer.close()).rejects.toMatchObject(error);
    await writer.abort();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('gives the file up at the end of `await using` without close', async () => {
    const writer = await RecordWriter.open(path());
    await writer.write('foo');
    await writer[Symbol.asyncDispose]();
    await writer[Symbol.asyncDispose]();
    await expect(writer.close()).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves the old file when the block of `await using` throws', async () => {
    await written('a.tfrecord', ['foo', 'bar']);
    const failing = async (): Promise<void> => {
      await using writer = await RecordWriter.open(path());
      await writer.write('half a file');
      await writer.flush();
      throw new Error('no more');
    };
    await expect(failing()).rejects.toThrow('no more');
    expect(readFileSync(path()).toString('hex')).toBe(FOO_BAR);
    expect(readdirSync(folder)).toEqual(['a.tfrecord']);
  });

  it('publishes in `await using` when it was closed, or is being closed', async () => {
    for (const waits of [true, false]) {
      rmSync(path(), { force: true });
      const writer = await RecordWriter.open(path());
      await writer.write('foo');
      await writer.write('bar');
      const closed = writer.close();
      if (waits) await closed;
      await writer[Symbol.asyncDispose]();
      expect(readFileSync(path()).toString('hex')).toBe(FOO_BAR);
    }
  });

  it('is quiet in `await using` behind abort', async () => {
    const writer = await RecordWriter.open(path());
    await writer.abort();
    await expect(writer[Symbol.asyncDispose]()).resolves.toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('new, which JavaScript does not forbid, says what to call', () => {
  expect(() => Reflect.construct(RecordWriter, ['a.tfrecord'])).toThrow(
    expect.objectContaining({
      code: 'ERR_ILLEGAL_CONSTRUCTOR',
      message: 'Illegal constructor: use RecordWriter.open()',
    }),
  );
});
