import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readRecords, RecordReader, writeRecords, type RecordBatch } from '../../../../lib';
import { newSlab } from '../../../../lib/io';
import { encodedBatch } from '../../../../lib/record';
import { FOO_BAR } from '../../../support/records/tfrecord';

const RECORDS = [Buffer.from('foo'), Buffer.from('bar')];

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-records-'));
  path = join(folder, 'a.tfrecord');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function* slowly<T>(values: Iterable<T>): AsyncGenerator<T> {
  for (const value of values) yield await Promise.resolve(value);
}

it.each([
  ['an array', () => RECORDS],
  ['a generator', () => RECORDS.values()],
  ['an async generator', () => slowly(RECORDS)],
])('writes %s', async (_, records) => {
  expect(await writeRecords(path, records())).toEqual({ records: 2, bytes: 6, fileBytes: 38 });
  expect(readFileSync(path).toString('hex')).toBe(FOO_BAR);
});

it('copies a file through a reader, compressing it', async () => {
  await writeRecords(path, RECORDS);
  const copy = join(folder, 'a.gz');
  await writeRecords(copy, readRecords(path), { level: 9 });
  const reader = await RecordReader.open(copy);
  const batches = [];
  for await (const batch of reader.batches()) batches.push([...batch].map((record) => Buffer.from(record).toString()));
  expect(batches.flat()).toEqual(['foo', 'bar']);
});

describe('batches', () => {
  const batch = (...texts: string[]): RecordBatch => {
    const slab = newSlab(texts.join('').length, '<test>');
    slab.set(Buffer.from(texts.join('')));
    let at = 0;
    return encodedBatch(
      slab,
      Uint32Array.from(texts.flatMap((text) => [(at += text.length) - text.length, text.length])),
    );
  };

  it.each([
    ['one', () => batch('foo', 'bar')],
    ['a list, between records', () => [batch('foo'), 'bar', batch()]],
    ['an async generator', () => slowly([batch(), batch('foo'), batch('bar')])],
  ])('%s', async (_, records) => {
    expect(await writeRecords(path, records())).toEqual({ records: 2, bytes: 6, fileBytes: 38 });
    expect(readFileSync(path).toString('hex')).toBe(FOO_BAR);
  });

  it.each<[string, (source: string) => unknown]>([
    ['readRecords', (source) => readRecords(source)],
    ['a RecordReader', (source) => RecordReader.open(source)],
    ['its batches', async (source) => (await RecordReader.open(source)).batches()],
  ])('of %s that stands behind its first record: the rest, from there', async (_, open) => {
    const source = join(folder, 'source');
    await writeRecords(
      source,
      Array.from({ length: 5_000 }, (_record, i) => `${i} `.padEnd(200)),
    );
    const records = (await open(source)) as AsyncIterable<Uint8Array>;
    const one = records[Symbol.asyncIterator]();
    const { value } = (await one.next()) as { value: Uint8Array | RecordBatch };
    const first = value instanceof Uint8Array ? 1 : value.length;
    const { records: count } = await writeRecords(path, records);
    expect(count).toBe(5_000 - first);
    let next = first;
    for await (const record of readRecords(path)) expect(parseInt(Buffer.from(record).toString(), 10)).toBe(next++);
    // The reader was read to its end; readRecords begins anew.
    const again = writeRecords(path, records);
    if (_ === 'readRecords') expect(await again).toMatchObject({ records: 5_000 });
    else await expect(again).rejects.toMatchObject({ code: 'TFR_CLOSED' });
  });

  it('of a damaged file: the error of the reader, and no file', async () => {
    const source = join(folder, 'source');
    await writeRecords(source, RECORDS);
    writeFileSync(source, readFileSync(source).subarray(0, -1));
    await expect(writeRecords(path, readRecords(source))).rejects.toMatchObject({ code: 'TFR_TRUNCATED', record: 1 });
    expect(readdirSync(folder)).toEqual(['source']);
    expect(await writeRecords(path, readRecords(source, { onError: 'skip' }))).toMatchObject({ records: 1 });
  });

  it('a large one lets timers run, and names memory that goes away meanwhile', async () => {
    const large = batch(...Array<string>(100).fill('x'.repeat(1024 * 1024)));
    const { buffer } = large.at(0)!;
    setTimeout(() => structuredClone(buffer, { transfer: [buffer] }), 5);
    await expect(writeRecords(path, large)).rejects.toMatchObject({ code: 'TFR_CLOSED', file: '<encoded>' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('gives the file up when the records end with an error', async () => {
  const error = new Error('no more');
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield* RECORDS;
    throw error;
  }
  await expect(writeRecords(path, failing())).rejects.toBe(error);
  expect(readdirSync(folder)).toEqual([]);
});

it('gives the file up when a record is none, and ends the iteration', async () => {
  let ended = false;
  function* wrong(): Generator<Uint8Array> {
    try {
      yield 5 as never;
    } finally {
      ended = true;
    }
  }
  await expect(writeRecords(path, wrong())).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  expect(ended).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

it('ends when the signal aborts, though the next record never comes', async () => {
  async function* stuck(): AsyncGenerator<Uint8Array> {
    yield RECORDS[0]!;
    await new Promise(() => undefined);
  }
  const controller = new AbortController();
  const writing = writeRecords(path, stuck(), { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(writing).rejects.toThrow('enough');
  expect(readdirSync(folder)).toEqual([]);
});

it('ends between records when the signal aborts', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  let given = 0;
  function* endless(): Generator<Uint8Array> {
    for (;;) {
      if (++given === 50) controller.abort(reason);
      yield Buffer.alloc(200_000);
    }
  }
  await expect(writeRecords(path, endless(), { signal: controller.signal })).rejects.toBe(reason);
  expect(given).toBe(50);
  expect(readdirSync(folder)).toEqual([]);
});

it.each([[undefined], ['text'], [new Uint8Array(3)], [{}], [5]])('refuses %p as records', async (records) => {
  await expect(writeRecords(path, records as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  expect(readdirSync(folder)).toEqual([]);
});

it('takes text, and a stream as its target', async () => {
  const chunks: Uint8Array[] = [];
  const target = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk.slice()) });
  expect(await writeRecords(target, ['foo', Buffer.from('bar')])).toEqual({ records: 2, bytes: 6, fileBytes: 38 });
  expect(Buffer.concat(chunks).toString('hex')).toBe(FOO_BAR);
  await expect(writeRecords(path, 'foo' as never)).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_TYPE',
    message: expect.stringContaining('records (Uint8Array or string)'),
  });
});
