/** Native code writes the Parquet that JavaScript writes, and says the same about faults. */
import { isDeepStrictEqual } from 'node:util';

import {
  encodeExample,
  Event,
  fixedLen,
  float,
  int64,
  varLen,
  bytes,
  type FeatureLike,
  type OnError,
  type SequenceExampleSpec,
  type Spec,
} from '../../../../lib';
import { convert, type ConvertOptions, type ConvertProgress } from '../../../../lib/convert';
import { foreignRecords } from '../../../support/examples/foreign-records';
import { randoms } from '../../../support/randoms';
import { injure } from '../../../support/records/injuries';
import { parquetOutcome, type ParquetOutcome } from '../../../support/records/parquet-outcomes';
import { Folder } from '../../../support/records/record-files';
import { compress, tfrecord } from '../../../support/records/tfrecord';
import { MIXED_SPEC, mixedRecords, SEQUENCE_SPEC, sequenceRecords } from '../../../support/sql/records';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const random = randoms(4);
const below = (limit: number): number => Math.floor(random() * limit);

/** Converts by native code and by JavaScript, and expects the same. */
async function same(input: string | readonly string[], options: ConvertOptions = {}): Promise<ParquetOutcome> {
  const out = folder.at('out.parquet');
  const found = await parquetOutcome(true, input as string, out, options);
  const expected = await parquetOutcome(false, input as string, out, options);
  expect(found.pushed).toBe(false);
  const { pushed: _pushed, ...rest } = expected;
  // Jest compares many rows slowly.
  if (!isDeepStrictEqual(found, { ...rest, pushed: false })) expect(found).toEqual({ ...rest, pushed: false });
  return found;
}

const specs: readonly (Spec | SequenceExampleSpec)[] = [MIXED_SPEC, SEQUENCE_SPEC];

test.each(['tfrecord', 'gz', 'zlib'])('all kinds of features, by a survey and by a spec: %s', async (extension) => {
  for (const [i, records] of [mixedRecords(5000, random), sequenceRecords(3000, random)].entries()) {
    const path = folder.write(`kinds.${extension}`, records);
    await same(path);
    await same(path, { spec: specs[i]! });
    await same([path, path, path], { features: i === 0 ? ['t', 'i', 'box'] : ['words', 'id'] });
  }
});

test('nullable shapes, empty lists, long values', async () => {
  const rows = Array.from({ length: 4000 }, (_, i) => {
    const row: Record<string, FeatureLike> = {};
    if (i % 3 > 0) row['box'] = float([i, -0, NaN, 1 / i]);
    if (i % 4 > 0) row['words'] = bytes(['', 'x'.repeat(i % 60)]);
    if (i % 5 > 0) row['list'] = int64(Array.from({ length: i % 7 }, (_, j) => j));
    if (i % 500 === 0) row['long'] = bytes([Buffer.alloc(100_000, i)]);
    return encodeExample(row);
  });
  const path = folder.write('shapes', rows);
  await same(path);
  await same(path, {
    spec: {
      box: fixedLen([2, 2], 'float32', { default: [1, 2, 3, 4] }),
      words: varLen('text'),
      list: varLen('int64'),
      long: fixedLen([], 'bytes', { default: null }),
    },
  });
});

test('damaged files, under all policies', async () => {
  const records = mixedRecords(400, random);
  const whole = tfrecord(records);
  const offsets = records.reduce((ends, { length }) => [...ends, ends.at(-1)! + length + 16], [0]);
  const policies: (OnError | undefined)[] = [
    undefined,
    'stop',
    { action: 'skip', maxRate: 1 },
    { action: 'salvage' },
    ({ record = 0 }) => (record > 200 ? 'stop' : 'skip'),
  ];
  let written = 0;
  for (let i = 0; i < 12; i++) {
    const { bytes: damaged } = injure({ bytes: whole, offsets }, 1 + below(4), random);
    const path = folder.put('damaged', damaged);
    const other = folder.put('cut.gz', compress(whole, 'gzip').subarray(0, 20_000 + below(9000)));
    for (const onError of policies) {
      const options = { spec: i % 2 === 0 ? MIXED_SPEC : { i: varLen('int64'), lt: varLen('text') }, onError };
      const { file } = await same(i % 5 === 0 ? [path, other, path] : path, options);
      if (file !== undefined) written++;
    }
  }
  expect(written).toBeGreaterThan(20);
});

test('records that do not fit', async () => {
  const event = Event.encode({ wallTime: 1.7e9, step: 3n });
  const fits = encodeExample({ a: int64(1), t: 'text' });
  const others = [
    event,
    encodeExample({ a: 'x' }),
    encodeExample({ a: int64(1), t: bytes([Uint8Array.of(200)]) }),
    encodeExample({}),
    ...foreignRecords.map(([, , record]) => record),
  ];
  const spec = { a: varLen('int64'), t: varLen('text') };
  const required = { a: fixedLen([], 'int64'), t: fixedLen([], 'text') };
  for (const other of others) {
    for (const rows of [
      [other, fits],
      [fits, other, fits],
      [fits, fits, other, other],
    ]) {
      const path = folder.write('other', rows);
      for (const onError of ['throw', 'stop', { action: 'skip', maxRate: 1 }] as OnError[]) {
        await same(path, { spec, onError });
        await same(path, { spec: required, onError });
      }
    }
  }
  const all = folder.write('all', [fits, ...others, fits]);
  const { report } = await same(all, { spec, onError: { action: 'skip', maxRate: 1 } });
  expect(report).toMatchObject({ records: 3 });
});

test('files that cannot be read', async () => {
  const path = folder.write('good', mixedRecords(10, random));
  const text = folder.put('text', 'Dear reader, this is no file of records.\n'.repeat(99));
  const empty = folder.put('empty', '');
  for (const onError of ['throw', 'stop', 'skip', { action: 'skip', maxRate: 1 }] as OnError[]) {
    await same([path, text, path], { spec: MIXED_SPEC, onError });
    await same([empty, path, empty], { spec: MIXED_SPEC, onError });
  }
});

test('what a policy throws ends the job', async () => {
  const path = folder.write('misfits', [encodeExample({ a: int64([1, 2]) })]);
  const reason = new RangeError('enough');
  const { error } = await same(path, {
    spec: { a: fixedLen([], 'int64') },
    onError: () => {
      throw reason;
    },
  });
  expect(error).toBe(reason);
});

describe('a long job', () => {
  const path = folder.write(
    'long',
    Array.from({ length: 60_000 }, (_, i) => encodeExample({ i: int64(i), t: `the text of record ${i}` })),
  );
  const many = Array.from({ length: 8 }, () => path);
  const spec = { i: fixedLen([], 'int64'), t: fixedLen([], 'text') };

  test('reports its progress', async () => {
    const steps: ConvertProgress[] = [];
    const { records, bytesIn } = await convert(many, folder.at('progress.parquet'), {
      spec,
      onProgress: (step) => steps.push(step),
    });
    expect(records).toBe(480_000);
    expect(steps.length).toBeGreaterThan(2);
    for (const [i, { phase, bytes: read, totalBytes, records: written }] of steps.entries()) {
      const before = steps[i - 1];
      expect({ phase, totalBytes }).toEqual({ phase: 'write', totalBytes: bytesIn });
      expect(read).toBeGreaterThanOrEqual(before?.bytes ?? 0);
      expect(written).toBeGreaterThanOrEqual(before?.records ?? 0);
    }
    expect(steps.at(-1)).toMatchObject({ bytes: bytesIn, records });
  });

  test('ends if its signal aborts, or its progress throws, and leaves nothing', async () => {
    const { at, names } = folder.place();
    const aborting = new AbortController();
    const reason = new Error('no more');
    const options = { spec, onProgress: () => aborting.abort(reason), signal: aborting.signal };
    await expect(convert(many, at('a.parquet'), options)).rejects.toBe(reason);
    const thrown = new Error('thrown');
    const onProgress = (): void => {
      throw thrown;
    };
    await expect(convert(many, at('b.parquet'), { spec, onProgress })).rejects.toBe(thrown);
    expect(names()).toEqual([]);
  });
});
