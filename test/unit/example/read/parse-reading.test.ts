/** readExamples: rows and batches of every source, over files, with one position. */
import { writeFileSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

import { parseSingleExample, readExamples } from '../../../../lib';
import { expectEqual } from '../../../support/comparable';
import { isOpen } from '../../../support/running/descriptors';
import {
  batchesIn,
  NUMBERED,
  numbered,
  parsedBatches,
  plainRow,
  rowsIn,
} from '../../../support/examples/example-files';
import { plainFeatures } from '../../../support/examples/plain-values';
import { Folder } from '../../../support/records/record-files';
import { SOURCE_KINDS } from '../../../support/records/source-kinds';
import { CODECS, compress, offsets, tfrecord } from '../../../support/records/tfrecord';
import { thrown } from '../../../support/thrown';

const RECORDS = Array.from({ length: 300 }, (_, i) => numbered(i));
const ROWS = RECORDS.map((record) => plainFeatures(parseSingleExample(record, NUMBERED)));

const folder = new Folder();
afterAll(() => folder.remove());
const write = (name: string, from: number, to: number, codec: (typeof CODECS)[number] = 'none'): string => {
  const path = folder.at(name);
  writeFileSync(path, compress(tfrecord(RECORDS.slice(from, to)), codec));
  return path;
};
const whole = write('whole.tfrecord', 0, 300);

describe.each(CODECS)('%s', (codec) => {
  const bytes = compress(tfrecord(RECORDS), codec);
  const path = folder.at(`source.${codec}`);
  beforeAll(() => writeFileSync(path, bytes));

  test.each(SOURCE_KINDS)('$name', async (kind) => {
    const read = (): ReturnType<typeof readExamples<typeof NUMBERED>> => readExamples(kind.make(path, bytes), NUMBERED);
    const reader = read();
    expectEqual(await rowsIn(reader, NUMBERED), { rows: ROWS, error: undefined });
    expect(reader.origin).toEqual({
      file: kind.file(path),
      record: 299,
      offset: offsets(RECORDS as never)[299],
      bytes: RECORDS[299]!.length,
    });
    expect(reader.stats).toMatchObject({ records: 300, compressedBytes: bytes.length, compression: codec, skipped: 0 });
    expectEqual(await batchesIn(read(), 64), { rows: parsedBatches(RECORDS, NUMBERED, 64), error: undefined });
  });
});

describe('over files', () => {
  // Shards of unlike sizes, one without records, one compressed.
  const cuts = [0, 7, 7, 150, 151, 300];
  const shards = cuts
    .slice(1)
    .map((to, i) => write(`train-0000${i}-of-00005`, cuts[i]!, to, i === 2 ? 'gzip' : 'none'));

  test.each<[string, string | string[]]>([
    ['a list', shards],
    ['a pattern', `${folder.at('train-')}*`],
    ['name@N', `${folder.at('train')}@5`],
  ])('%s', async (_, source) => {
    expectEqual(await rowsIn(readExamples(source, NUMBERED), NUMBERED), { rows: ROWS, error: undefined });
    expectEqual(await batchesIn(readExamples(source, NUMBERED), 40), {
      rows: parsedBatches(RECORDS, NUMBERED, 40),
      error: undefined,
    });
  });

  test('origins are those of the files; batches cross them', async () => {
    const reader = readExamples(shards, NUMBERED);
    const places: unknown[] = [];
    for await (const _ of reader.batches(100))
      places.push([reader.origin?.file, reader.origin?.record, reader.stats.records]);
    expect(places).toEqual([
      [shards[2], 92, 100],
      [shards[4], 48, 200],
      [shards[4], 148, 300],
    ]);
  });
});

test.each([
  { readAhead: 0 },
  { readAhead: 7 },
  { batchBytes: 4096 },
  { batchBytes: 1 << 24 },
  { verify: 'none' as const },
])('the same whatever %o, for every size of batches', async (options) => {
  for (const size of [1, 2, 7, 255, 300, 301, 5000, 2 ** 31 - 1]) {
    expectEqual(await batchesIn(readExamples(whole, NUMBERED, options), size), {
      rows: parsedBatches(RECORDS, NUMBERED, Math.min(size, 300)),
      error: undefined,
    });
  }
  expectEqual(await rowsIn(readExamples(whole, NUMBERED, options), NUMBERED), { rows: ROWS, error: undefined });
});

describe('a source that waits for what was read of it', () => {
  const records = Array.from({ length: 6_000 }, (_, i) => numbered(i));

  test('chunks of more records than are parsed at a time', async () => {
    const waiting: (() => void)[] = [];
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < records.length; at += 2_000) {
        yield tfrecord(records.slice(at, at + 2_000));
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    }
    let rows = 0;
    for await (const { id } of readExamples(source(), NUMBERED)) {
      expect(id).toBe(BigInt(rows));
      if (rows++ % 2_000 === 500) waiting.splice(0).forEach((resume) => resume());
    }
    expect(rows).toBe(6_000);
  });

  test('what comes right before a failure of the source is delivered', async () => {
    let resume = (): void => undefined;
    async function* source(): AsyncGenerator<Uint8Array> {
      yield tfrecord([records[0]!]);
      await new Promise<void>((resolve) => (resume = resolve));
      yield tfrecord([records[1]!]);
      throw new Error('broken source');
    }
    const rows = readExamples(source(), NUMBERED)[Symbol.asyncIterator]();
    expect((await rows.next()).value).toMatchObject({ id: 0n });
    // Whatever was read ahead has run dry by now.
    await sleep(50);
    resume();
    await sleep(50);
    expect((await rows.next()).value).toMatchObject({ id: 1n });
    await expect(rows.next()).rejects.toThrow('broken source');
  });

  test('records one by one, each after the one before', async () => {
    const waiting: (() => void)[] = [];
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < 300; at++) {
        yield tfrecord([records[at]!]);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    }
    let rows = 0;
    for await (const { id } of readExamples(source(), NUMBERED)) {
      expect(id).toBe(BigInt(rows++));
      await setImmediate();
      waiting.splice(0).forEach((resume) => resume());
    }
    expect(rows).toBe(300);
  });
});

test('dropRemainder leaves out the last batch when it is not full', async () => {
  expectEqual(await batchesIn(readExamples(whole, NUMBERED), 70, true), {
    rows: parsedBatches(RECORDS, NUMBERED, 70).slice(0, 4),
    error: undefined,
  });
  expectEqual(await batchesIn(readExamples(whole, NUMBERED), 100, true), {
    rows: parsedBatches(RECORDS, NUMBERED, 100),
    error: undefined,
  });
  expectEqual(await batchesIn(readExamples(whole, NUMBERED), 301, true), { rows: [], error: undefined });
});

describe('one position', () => {
  test('rows and batches go on where the other stopped', async () => {
    const reader = readExamples(whole, NUMBERED, { batchBytes: 4096 });
    const rows = reader[Symbol.asyncIterator]();
    const seen: unknown[] = [];
    const ids = (count: number, from: number): number[] => Array.from({ length: count }, (_, i) => from + i);
    for (let i = 0; i < 3; i++) seen.push(Number(((await rows.next()).value as { id: bigint }).id));
    const { value: batch } = (await reader.batches(20).next()) as IteratorYieldResult<{ id: BigInt64Array }>;
    seen.push(...Array.from(batch.id, Number));
    seen.push(Number(((await rows.next()).value as { id: bigint }).id));
    for await (const { id } of reader.batches(33)) seen.push(...Array.from(id, Number));
    expect(seen).toEqual(ids(300, 0));
    expect(await rows.next()).toEqual({ value: undefined, done: true });
  });

  test('steps that are asked for at once come in their order', async () => {
    const rows = readExamples(whole, NUMBERED)[Symbol.asyncIterator]();
    const steps = await Promise.all(Array.from({ length: 305 }, () => rows.next()));
    expect(steps.slice(0, 300).map(({ value }) => plainRow(value as object, NUMBERED))).toEqual(ROWS);
    expect(steps.slice(300).every(({ done }) => done === true)).toBe(true);
    const batches = readExamples(whole, NUMBERED).batches(100);
    const three = await Promise.all([batches.next(), batches.next(), batches.next()]);
    expect(three.map(({ value }) => plainFeatures(value as object))).toEqual(parsedBatches(RECORDS, NUMBERED, 100));
  });

  test('rows may be kept', async () => {
    const kept: object[] = [];
    for await (const row of readExamples(whole, NUMBERED, { batchBytes: 4096 })) kept.push(row);
    expect(kept.map((row) => plainRow(row, NUMBERED))).toEqual(ROWS);
  });
});

describe('the end', () => {
  // Of no other reader: one that is left open closes when it is collected.
  const file = write('end.tfrecord', 0, 300);
  const open = (): boolean => process.platform === 'linux' && isOpen(file);

  test.each<[string, (reader: ReturnType<typeof readExamples<typeof NUMBERED>>) => Promise<unknown>]>([
    ['close', (reader) => reader.close()],
    ['dispose', (reader) => reader[Symbol.asyncDispose]()],
    ['return of rows', (reader) => reader[Symbol.asyncIterator]().return!()],
    ['return of batches', (reader) => reader.batches(5).return!()],
    [
      'break',
      async (reader) => {
        for await (const _ of reader) break;
      },
    ],
    [
      'a throw in the loop',
      async (reader) => {
        await expect(
          (async (): Promise<void> => {
            for await (const _ of reader.batches(5)) throw new Error('mine');
          })(),
        ).rejects.toThrow('mine');
      },
    ],
  ])('%s closes the reader', async (_, end) => {
    const reader = readExamples([file, file], NUMBERED, { batchBytes: 4096 });
    const rows = reader[Symbol.asyncIterator]();
    const batches = reader.batches(5);
    await rows.next();
    await end(reader);
    expect(open()).toBe(false);
    expect(await rows.next()).toEqual({ value: undefined, done: true });
    expect(await batches.next()).toEqual({ value: undefined, done: true });
    await reader.close();
  });

  test('close before the first step opens nothing', async () => {
    const reader = readExamples(folder.at('not there'), NUMBERED);
    const rows = reader[Symbol.asyncIterator]();
    await reader.close();
    expect(await rows.next()).toEqual({ value: undefined, done: true });
    expect(reader.origin).toBeUndefined();
  });

  test('close while steps wait', async () => {
    const reader = readExamples([file, file], NUMBERED);
    const steps = Promise.allSettled([reader.batches(400).next(), reader.batches(400).next()]);
    await reader.close();
    expect((await steps).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(open()).toBe(false);
  });

  test('an abort rejects with the reason, at once and later', async () => {
    const before = readExamples(file, NUMBERED, { signal: AbortSignal.abort(new Error('before')) });
    await expect(before[Symbol.asyncIterator]().next()).rejects.toThrow('before');
    for (const batches of [false, true]) {
      const controller = new AbortController();
      const reader = readExamples([file, file], NUMBERED, { signal: controller.signal, batchBytes: 4096 });
      const steps: AsyncIterator<unknown> = batches ? reader.batches(10) : reader[Symbol.asyncIterator]();
      await steps.next();
      controller.abort(new Error('enough'));
      await expect(steps.next()).rejects.toThrow('enough');
      await reader.close();
      expect(open()).toBe(false);
    }
  });
});

test("int64: 'number'", async () => {
  const { rows } = await batchesIn(readExamples(whole, NUMBERED), 300);
  for await (const { id, pairs } of readExamples(whole, NUMBERED, { int64: 'number' }).batches(300)) {
    expect(id).toEqual(Float64Array.from(RECORDS, (_, i) => i));
    expect(pairs.data).toBeInstanceOf(Float64Array);
    expect(plainFeatures({ pairs })['pairs']).toEqual(rows[0]!['pairs']);
  }
  for await (const { id } of readExamples(whole, NUMBERED, { int64: 'number' })) {
    expect(id).toBe(0);
    break;
  }
});

test.each<[string, () => unknown, object]>([
  ['a spec without features', () => readExamples(whole, {}), { code: 'TFR_SPEC' }],
  ['a spec that is none', () => readExamples(whole, { a: 5 } as never), { code: 'TFR_SPEC', feature: 'a' }],
  ['an unknown option', () => readExamples(whole, NUMBERED, { other: 1 } as never), { code: 'ERR_INVALID_ARG_VALUE' }],
  ['a source that is none', () => readExamples(5 as never, NUMBERED), { code: 'ERR_INVALID_ARG_TYPE' }],
  ['int64 as text', () => readExamples(whole, NUMBERED, { int64: 'text' as never }), { code: 'ERR_INVALID_ARG_VALUE' }],
  ['no size', () => readExamples(whole, NUMBERED).batches(undefined as never), { code: 'ERR_INVALID_ARG_TYPE' }],
  ['size 0', () => readExamples(whole, NUMBERED).batches(0), { code: 'ERR_OUT_OF_RANGE' }],
  ['size 1.5', () => readExamples(whole, NUMBERED).batches(1.5), { code: 'ERR_OUT_OF_RANGE' }],
  [
    'dropRemainder: 1',
    () => readExamples(whole, NUMBERED).batches(1, { dropRemainder: 1 as never }),
    { code: 'ERR_INVALID_ARG_TYPE' },
  ],
  [
    'an unknown option of batches',
    () => readExamples(whole, NUMBERED).batches(1, { drop: true } as never),
    { code: 'ERR_INVALID_ARG_VALUE' },
  ],
])('refused at once: %s', (_, run, details) => {
  expect(thrown(run)).toMatchObject(details);
});

test('a file that is not there is an error of the first step', async () => {
  const { rows, error } = await rowsIn(readExamples(folder.at('nowhere'), NUMBERED), NUMBERED);
  expect([rows, error?.code]).toEqual([[], 'ENOENT']);
});
