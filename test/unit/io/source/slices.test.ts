/** Sources of the shape { byteLength, slice(start, end) }, right and wrong ones. */
import { open, type FileHandle } from 'node:fs/promises';

import {
  countRecords,
  Dataset,
  encodeRecords,
  readRecords,
  readRecordsSync,
  RecordReader,
  type RecordSource,
} from '../../../../lib';
import { classifySource } from '../../../../lib/io';
import { Folder } from '../../../support/records/record-files';
import { readTexts } from '../../../support/records/texts';

const TEXTS = Array.from({ length: 500 }, (_, i) => `record ${i}`);
const FILE = encodeRecords(TEXTS);
/** A file of more than two ranges. */
const LARGE = Buffer.from(encodeRecords(Array.from({ length: 50 }, (_, i) => Buffer.alloc(50_000, i))));

type Slice = (start: number, end: number) => unknown;

/** A buffer that can be resized, which TypeScript's library does not have yet. */
const Resizable = ArrayBuffer as unknown as new (
  size: number,
  options: { maxByteLength: number },
) => ArrayBuffer & { resize(size: number): void };

function slices(slice: Slice, byteLength: unknown = FILE.length): RecordSource {
  return { byteLength, slice } as RecordSource;
}

const right: Slice = (start, end) => FILE.subarray(start, end);

/** Resolves with the records that are read of `source`, and with the error. */
async function outcome(source: RecordSource): Promise<{ records: number; error: unknown }> {
  let records = 0;
  try {
    for await (const record of readRecords(source)) if (record.length > 0) records++;
  } catch (error) {
    return { records, error };
  }
  return { records, error: undefined };
}

test('slices are read in ranges of at most 1 MiB that cover each byte once', async () => {
  const ranges: [number, number][] = [];
  const source = slices((start, end) => {
    ranges.push([start, end]);
    return Promise.resolve(LARGE.subarray(start, end));
  }, LARGE.length);
  expect(await countRecords(source)).toBe(50);
  ranges.sort(([a], [b]) => a - b);
  expect(ranges[0]![0]).toBe(0);
  expect(ranges.at(-1)![1]).toBe(LARGE.length);
  for (const [i, [start, end]] of ranges.entries()) {
    expect(end - start).toBeLessThanOrEqual(2 ** 20);
    if (i > 0) expect(start).toBe(ranges[i - 1]![1]);
  }
});

test('they are read as often as one likes, but not without promises', async () => {
  const source = slices(right);
  for (let i = 0; i < 2; i++) expect(await readTexts(source)).toEqual(TEXTS);
  await using reader = await RecordReader.open(slices(() => new ArrayBuffer(0), 0));
  expect(await reader[Symbol.asyncIterator]().next()).toEqual({ value: undefined, done: true });
  const refused = expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }) as Error;
  expect(() => readRecordsSync(source as never)).toThrow(refused);
});

test.each([
  ['an ArrayBuffer', new ArrayBuffer(8)],
  ['a SharedArrayBuffer', new SharedArrayBuffer(8)],
  ['another typed array', new Uint16Array(8)],
  ['a slice that is no function', { byteLength: 8, slice: 7 }],
  ['a byteLength that is no number', { byteLength: '8', slice: right }],
  ['a byteLength that is a bigint', { byteLength: 8n, slice: right }],
])('%s is not a source', (_name, source) => {
  const refused = expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }) as Error;
  expect(() => readRecords(source as never)).toThrow(refused);
});

test.each([NaN, -1, 0.5, Infinity, 2 ** 53])('a byteLength of %d is refused', (byteLength) => {
  const refused = expect.objectContaining({
    code: 'ERR_OUT_OF_RANGE',
    message: expect.stringContaining('source.byteLength') as string,
  }) as Error;
  expect(() => readRecords(slices(right, byteLength))).toThrow(refused);
});

describe('slice may use one buffer for all of its answers', () => {
  const buffer = Buffer.alloc(2 ** 20);
  const fill: Slice = (start, end) => buffer.subarray(0, LARGE.copy(buffer, 0, start, end));
  /** Overwrites the buffer as soon as anything else may run. */
  const spoil = <T>(bytes: T): T => {
    queueMicrotask(() => buffer.fill(0xff));
    return bytes;
  };
  const ticks = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await Promise.resolve();
  };
  const reusing: [string, Slice][] = [
    ['at once', (start, end) => spoil(fill(start, end))],
    ['by a promise', (start, end) => Promise.resolve(fill(start, end))],
    ['by an async function', async (start, end) => fill(start, end)],
    [
      'by an async function that awaits',
      async (start, end) => {
        await ticks(3);
        return fill(start, end);
      },
    ],
    [
      'in a later turn, and spoils them',
      (start, end) => new Promise((resolve) => setImmediate(() => (resolve(fill(start, end)), spoil(undefined)))),
    ],
    ['in shared memory', (start, end) => shared.fill(0).subarray(0, LARGE.copy(shared, 0, start, end))],
  ];
  const shared = new Uint8Array(new SharedArrayBuffer(2 ** 20));

  test.each(reusing)('%s', async (_name, slice) => {
    for (const readAhead of [0, 4]) {
      const reader = await RecordReader.open(slices(slice, LARGE.length), { readAhead });
      expect(await countOf(reader)).toBe(50);
    }
    const source = slices(slice, LARGE.length);
    expect(await Promise.all([countRecords(source), countRecords(source)])).toEqual([50, 50]);
  });

  test.each(reusing)('%s: chunks that are pulled in order', async (_name, slice) => {
    const classified = classifySource(slices(slice, LARGE.length));
    if (classified.kind !== 'bytes') throw new Error('it is bytes');
    const pull = classified.source.pull(0);
    const chunks: Uint8Array[] = [];
    for (let chunk = await pull.next(); chunk !== undefined; chunk = await pull.next()) chunks.push(chunk);
    buffer.fill(0xff);
    expect(Buffer.concat(chunks).equals(LARGE)).toBe(true);
  });

  test('memory that is transferred before it could be copied is an error', async () => {
    const gone: Slice = (start, end) => {
      const bytes = new Uint8Array(LARGE.subarray(start, end));
      const answer = Promise.resolve(bytes);
      structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      return answer;
    };
    const error = { code: 'ERR_INVALID_ARG_VALUE' };
    expect(await outcome(slices(gone, LARGE.length))).toMatchObject({ records: 0, error });
    const resizable = new Resizable(2 ** 20, { maxByteLength: 2 ** 20 });
    const shrinking: Slice = (start, end) => {
      resizable.resize(2 ** 20);
      const answer = Promise.resolve(new Uint8Array(resizable, 0, end - start));
      resizable.resize(7);
      return answer;
    };
    expect(await outcome(slices(shrinking, LARGE.length))).toMatchObject({ records: 0, error });
  });
});

async function countOf(reader: RecordReader): Promise<number> {
  let count = 0;
  for await (const batch of reader.batches()) count += batch.length;
  return count;
}

describe('wrong answers are errors, and lose nothing in silence', () => {
  const mine = new Error('unplugged');
  const detached = (): Uint8Array => {
    const bytes = new Uint8Array(FILE);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    return bytes;
  };
  test.each<[string, Slice, object]>([
    ['too short', (start, end) => FILE.subarray(start, end - 1), { code: 'ERR_INVALID_ARG_VALUE' }],
    ['nothing', () => new Uint8Array(0), { code: 'ERR_INVALID_ARG_VALUE' }],
    ['too long', () => Buffer.concat([FILE, FILE]), { code: 'ERR_INVALID_ARG_VALUE' }],
    ['detached bytes', detached, { code: 'ERR_INVALID_ARG_VALUE' }],
    ['a detached buffer', () => detached().buffer, { code: 'ERR_INVALID_ARG_VALUE' }],
    ['a text', () => Buffer.from(FILE).toString('latin1'), { code: 'ERR_INVALID_ARG_TYPE' }],
    ['undefined', () => undefined, { code: 'ERR_INVALID_ARG_TYPE' }],
    ['a promise of an array', () => Promise.resolve([...FILE]), { code: 'ERR_INVALID_ARG_TYPE' }],
    ['a view of numbers', () => new Uint16Array(FILE.length / 2), { code: 'ERR_INVALID_ARG_TYPE' }],
  ])('%s', async (_name, slice, error) => {
    const found = await outcome(slices(slice));
    expect(found).toMatchObject({ records: 0, error });
    expect((found.error as Error).message).toContain(`source.slice(0, ${FILE.length})`);
  });

  test.each<[string, Slice]>([
    [
      'throws',
      () => {
        throw mine;
      },
    ],
    ['rejects', () => Promise.reject(mine)],
  ])("slice %s: the source's own error", async (_name, slice) => {
    expect(await outcome(slices(slice))).toEqual({ records: 0, error: mine });
  });

  test('records before a failing range are handed out', async () => {
    let failedAt = 0;
    const failing = slices((start, end) => {
      if (end < LARGE.length) return LARGE.subarray(start, end);
      failedAt = start;
      return Promise.reject(mine);
    }, LARGE.length);
    const { records, error } = await outcome(failing);
    expect(error).toBe(mine);
    expect(records).toBe(Math.floor(failedAt / 50_016));
    expect(records).toBeGreaterThan(20);
  });

  test('memory that other threads can change is copied', async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(FILE.length));
    shared.set(FILE);
    expect(await readTexts(slices(() => shared))).toEqual(TEXTS);
    expect(await readTexts(slices(() => shared.buffer))).toEqual(TEXTS);
  });

  test('a size that changes', async () => {
    const growing = { byteLength: FILE.length, slice: right };
    const reader = readRecords(growing as RecordSource);
    growing.byteLength++;
    await expect(reader.next()).rejects.toMatchObject({ code: 'TFR_CLOSED', file: '<stream>' });
    let looks = 0;
    const lying = {
      get byteLength() {
        return FILE.length + looks++;
      },
      slice: right,
    };
    expect(await outcome(lying as RecordSource)).toMatchObject({ records: 0, error: { code: 'TFR_CLOSED' } });
  });

  test('a size that is too large or too small', async () => {
    // Blob, like arrays, cuts a range at its end.
    expect(await outcome(slices(right, FILE.length + 1))).toMatchObject({
      records: 0,
      error: { code: 'ERR_INVALID_ARG_VALUE' },
    });
    expect(await outcome(slices(right, FILE.length - 1))).toMatchObject({
      records: TEXTS.length - 1,
      error: { code: 'TFR_TRUNCATED', record: TEXTS.length - 1 },
    });
  });
});

describe('a dataset resumes where it stopped, without reading what is before', () => {
  const size = LARGE.length;
  const starts: number[] = [];
  const read: Slice = (start, end) => {
    starts.push(start);
    return LARGE.subarray(start, end);
  };
  /** The reads of the handle. */
  const seen: unknown[][] = [];
  let handle: FileHandle;
  const folder = new Folder();
  beforeAll(async () => {
    handle = await open(folder.put('large', LARGE));
    const readHandle = handle.read.bind(handle) as (...args: unknown[]) => unknown;
    handle.read = ((...args: unknown[]) => {
      seen.push(args);
      return readHandle(...args);
    }) as never;
  });
  afterAll(async () => {
    await handle.close();
    folder.remove();
  });
  const blob = (): RecordSource =>
    ({
      size,
      arrayBuffer: () => undefined,
      slice: (start: number, end: number) => ({
        arrayBuffer: () => Promise.resolve(new Uint8Array(read(start, Math.min(end, size)) as Uint8Array).buffer),
      }),
    }) as unknown as RecordSource;

  test.each([
    ['slices', () => slices(read, size)],
    ['a Blob', blob],
    ['bytes', () => LARGE],
    ['a FileHandle', () => handle],
  ])('%s', async (name, make) => {
    const dataset = Dataset.tfrecord(make()).batch(10);
    const whole = dataset.iterate();
    for (let i = 0; i < 4; i++) await whole.next();
    const state = whole.state();
    await whole.return();
    starts.length = 0;
    seen.length = 0;
    const rest = Dataset.tfrecord(make()).batch(10).iterate({ state });
    const { value } = await rest.next();
    expect(value!.length).toBe(10);
    expect((await rest.next()).done).toBe(true);
    if (name === 'a FileHandle') starts.push(...seen.map(([, , , at]) => at as number));
    if (name === 'bytes') return;
    expect(starts.length).toBeGreaterThan(0);
    // The state names a record of the batch before.
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(30 * 50_016);
  });
});
