/** Statistics of features of all kinds, and of hostile ones. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { bytes, encodeExample, float, int64, type TFRecordError } from '../../../../lib';
import {
  DatasetFeatureStatisticsList,
  statistics,
  type DatasetStatistics,
  type FeatureNameStatisticsMessage,
  type StatisticsOptions,
} from '../../../../lib/schema';
import { exampleOf, floats, int64s, KINDLESS, sequenceOf, strings } from '../../../support/examples/wire';
import { Folder } from '../../../support/records/record-files';
import { flipBit, tfrecord } from '../../../support/records/tfrecord';
import { ROOT } from '../../../support/running/compiled-sources';

const folder = new Folder();
afterAll(() => folder.remove());

const describeAll = (records: readonly Uint8Array[], options?: StatisticsOptions): Promise<DatasetStatistics> =>
  statistics(tfrecord(records), options);

async function featuresOf(...records: readonly Uint8Array[]): Promise<FeatureNameStatisticsMessage[]> {
  return (await describeAll(records)).message.datasets[0]!.features;
}

const paths = (features: readonly FeatureNameStatisticsMessage[]): string[][] => features.map(({ path }) => path!.step);

test('no records, and records without features', async () => {
  const none = await describeAll([], { name: 'none' });
  expect(none.message).toEqual({ datasets: [{ name: 'none', numExamples: 0n, features: [] }] });
  expect(String(none)).toBe('none: 0 records\n');
  expect(none.toJSON()).toEqual({ datasets: [{ name: 'none' }] });
  const empty = await describeAll([exampleOf({}), exampleOf({})]);
  expect(empty.toJSON()).toEqual({ datasets: [{ numExamples: '2' }] });
});

test('missing, without a kind, without values', async () => {
  const [never, never2, none, some] = await featuresOf(
    exampleOf({ never: KINDLESS, never2: KINDLESS, none: int64s(), some: int64s(1, 2) }),
    exampleOf({ never: KINDLESS, none: int64s(), some: int64s() }),
    exampleOf({ some: KINDLESS }),
  );
  expect(never).toMatchObject({
    type: 2,
    stringStats: { commonStats: { numNonMissing: 0n, numMissing: 3n, totNumValues: 0n }, unique: 0n, topValues: [] },
  });
  expect(never!.stringStats!.commonStats).not.toHaveProperty('numValuesHistogram');
  expect(never2!.stringStats!.commonStats).toMatchObject({ numNonMissing: 0n, numMissing: 3n });
  expect(none!.type).toBe(0);
  expect(none!.numStats).toMatchObject({ commonStats: { numNonMissing: 2n, numMissing: 1n }, histograms: [] });
  expect(none!.numStats!.commonStats!.numValuesHistogram!.buckets).toHaveLength(10);
  expect(some!.numStats!.commonStats).toMatchObject({
    ...{ numNonMissing: 2n, numMissing: 1n, minNumValues: 0n, maxNumValues: 2n, avgNumValues: 1, totNumValues: 2n },
  });
});

test('NaN, infinities and -0', async () => {
  const [all, infinite, nans] = await featuresOf(
    exampleOf({
      all: floats(NaN, -0, 1, 2, Infinity, -Infinity, NaN),
      infinite: floats(Infinity, 1),
      nans: floats(NaN),
    }),
  );
  const numbers = all!.numStats!;
  expect(numbers).toMatchObject({ min: -Infinity, max: Infinity, mean: NaN, stdDev: NaN, median: 1, numZeros: 1n });
  const [standard, quantiles] = numbers.histograms;
  expect(standard).toMatchObject({ type: 0, numNan: 2n });
  expect(standard!.buckets).toHaveLength(12);
  expect(standard!.buckets[0]).toEqual({ lowValue: -Infinity, highValue: -Infinity, sampleCount: 1 });
  expect(standard!.buckets.at(-1)).toEqual({ lowValue: Infinity, highValue: Infinity, sampleCount: 1 });
  expect(standard!.buckets.slice(1, -1).map(({ sampleCount }) => sampleCount)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect(quantiles).toMatchObject({ type: 1, numNan: 2n });
  expect(infinite!.numStats).toMatchObject({ mean: Infinity, stdDev: NaN, min: 1, max: Infinity });
  expect(nans!.numStats).toMatchObject({
    mean: 0,
    histograms: [
      { numNan: 1n, buckets: [] },
      { numNan: 1n, type: 1 },
    ],
  });
});

test('integers beyond 2^53', async () => {
  const [feature] = await featuresOf(exampleOf({ n: int64s(2n ** 63n - 1n, -(2n ** 63n), 0n) }));
  expect(feature!.numStats).toMatchObject({ min: -(2 ** 63), max: 2 ** 63, median: 0, numZeros: 1n });
  expect(feature!.numStats!.stdDev / Math.sqrt(2 / 3) / 2 ** 63).toBeCloseTo(1, 12);
});

test('mean and deviation keep their digits', async () => {
  const values = Array.from({ length: 9000 }, (_, i) => 10n ** 15n + BigInt(i % 3));
  const [feature] = await featuresOf(...values.map((value) => exampleOf({ n: int64s(value) })));
  expect(feature!.numStats!.mean).toBe(1e15 + 1);
  expect(feature!.numStats!.stdDev).toBeCloseTo(Math.sqrt(2 / 3), 10);
});

test('names of any form', async () => {
  const names = ['', '"', "'; DROP TABLE x", 'a', 'A', '__proto__', 'ä/b', '##SEQUENCE##'];
  const features = await featuresOf(exampleOf(Object.fromEntries(names.map((name) => [name, strings(name)]))));
  expect(new Set(paths(features).flat())).toEqual(new Set(names));
  for (const { path, stringStats } of features) {
    expect(stringStats!.topValues).toEqual([{ value: path!.step[0], frequency: 1 }]);
  }
});

test('texts, values that are not UTF-8, long ones, and bytes', async () => {
  const long = 'x'.repeat(2000);
  const digest = (i: number): Uint8Array => Uint8Array.of(0xff, 0xfe, i, 1);
  const big = (i: number): Uint8Array => new Uint8Array(5000).fill(0xf0 + i);
  const records = Array.from({ length: 6 }, (_, i) =>
    encodeExample({
      text: bytes(['b', 'a', i === 0 ? Uint8Array.of(0xe4) : 'a', long, `${long}${i % 2}`]),
      digest: bytes([digest(i % 3)]),
      big: bytes([big(i), new Uint8Array(0)]),
    }),
  );
  const [bigOnes, digests, text] = await featuresOf(...records);
  expect(text).toMatchObject({ type: 2, stringStats: { unique: 6n, invalidUtf8Count: 1n } });
  expect(text!.stringStats!.topValues).toEqual([
    { value: '__LARGE_BYTES__', frequency: 12 },
    { value: 'a', frequency: 11 },
    { value: 'b', frequency: 6 },
    { value: '__BYTES_VALUE__', frequency: 1 },
  ]);
  expect(text!.stringStats!.rankHistogram!.buckets[3]).toMatchObject({ lowRank: 3n, highRank: 3n, sampleCount: 1 });
  expect(digests).toMatchObject({ type: 3, bytesStats: { unique: 3n, avgNumBytes: 4, maxNumBytesInt: 4n } });
  expect(bigOnes!.bytesStats).toMatchObject({ minNumBytes: 0, maxNumBytes: 5000, avgNumBytes: 2500, unique: 0n });
});

test('of equally frequent texts the greatest comes first', async () => {
  const words = ['b', 'ä', 'a', '', '\u{1f600}', '\uffee', 'ab'];
  const [feature] = await featuresOf(exampleOf({ words: strings(...words) }));
  const sorted = [...words].sort((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)));
  expect(feature!.stringStats!.topValues.map(({ value }) => value)).toEqual(sorted);
});

test('more different texts than stay in memory', async () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const id = (part: number, i: number): string | Buffer =>
    i % 100 === 0 ? 'often' : i % 3 === 1 ? latin1(`ü-${part}-${i}`) : `id-${part}-${i}`;
  const records = Array.from({ length: 20 }, (_, part) =>
    encodeExample({
      id: bytes(Array.from({ length: 8000 }, (_, i) => id(part, i))),
      few: bytes(['x', 'y', part === 7 ? Uint8Array.of(255) : 'x']),
      odd: bytes(Array.from({ length: 20 }, (_, i) => Uint8Array.of(200, part, i % 10))),
      random: bytes(Array.from({ length: 8100 }, (_, i) => latin1(`ü${part}/${i}`))),
    }),
  );
  const temporary = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('tfrecord-statistics-'));
  const before = temporary();
  const [few, ids, odd, random] = await featuresOf(...records);
  expect(temporary()).toEqual(before);
  const { unique, topValues, rankHistogram, invalidUtf8Count } = ids!.stringStats!;
  expect(unique).toBe(BigInt(20 * 7920 + 1));
  expect(invalidUtf8Count).toBe(BigInt(20 * 2640));
  expect(topValues.slice(0, 3)).toEqual([
    { value: '__BYTES_VALUE__', frequency: 20 * 2640 },
    { value: 'often', frequency: 1600 },
    { value: 'id-9-999', frequency: 1 },
  ]);
  expect(rankHistogram!.buckets).toHaveLength(1000);
  expect(few!.stringStats).toMatchObject({ unique: 3n, invalidUtf8Count: 1n });
  expect(odd!.bytesStats).toMatchObject({ unique: 200n });
  expect(random!.bytesStats).toMatchObject({ unique: 0n, minNumBytes: 4, maxNumBytes: 8 });
});

test('more numbers than are kept: ranks are off by less than 1 %', async () => {
  const size = 4000;
  const count = 50 * size;
  const records = Array.from({ length: 50 }, (_, part) =>
    encodeExample({
      up: float(Array.from({ length: size }, (_, i) => part * size + i)),
      few: int64(Array.from({ length: size }, (_, i) => (i * 7 + part) % 10)),
      mostlyNaN: float(Array.from({ length: size }, (_, i) => (i % 100 === 0 ? part * size + i : NaN))),
    }),
  );
  const [few, mostlyNaN, up] = await featuresOf(...records);
  const { median, histograms, mean } = up!.numStats!;
  expect(mean).toBeCloseTo((count - 1) / 2, 6);
  expect(Math.abs(median / count - 0.5)).toBeLessThan(0.01);
  histograms[1]!.buckets.slice(1).forEach(({ lowValue }, i) => {
    expect(Math.abs(lowValue / count - (i + 1) / 10)).toBeLessThan(0.01);
  });
  for (const { sampleCount } of histograms[0]!.buckets) expect(Math.abs(sampleCount / count - 0.1)).toBeLessThan(0.01);
  expect([4, 5]).toContain(few!.numStats!.median);
  expect(few!.numStats).toMatchObject({ min: 0, max: 9, numZeros: BigInt(count / 10) });
  expect(mostlyNaN!.numStats!.histograms[0]!.numNan).toBe(BigInt(count - count / 100));
  expect(Math.abs(mostlyNaN!.numStats!.median / count - 0.5)).toBeLessThan(0.01);
});

test('a feature of several kinds is refused, naming the record', async () => {
  const records = [exampleOf({ a: int64s(1), b: int64s(1) }), exampleOf({ b: int64s(2) }), exampleOf({ a: floats(1) })];
  await expect(describeAll(records)).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'a', record: 2 });
  const { message } = await describeAll(records, { features: ['b'] });
  expect(paths(message.datasets[0]!.features)).toEqual([['b']]);
});

test('SequenceExamples: lists, steps without a kind and empty ones', async () => {
  const a = sequenceOf(
    { label: floats(1), none: int64s() },
    { tokens: [KINDLESS, int64s(1, 2), int64s()], zeros: [floats(0, 0)] },
  );
  const b = sequenceOf({ label: floats(2) }, { tokens: [int64s(2, 3, 4)] });
  // A record without lists looks like an Example.
  const plain = exampleOf({ label: floats(3) });
  const features = await featuresOf(a, b, plain);
  expect(paths(features)).toEqual([
    ['label'],
    ['none'],
    ['##SEQUENCE##'],
    ['##SEQUENCE##', 'tokens'],
    ['##SEQUENCE##', 'zeros'],
  ]);
  const [label, , all, tokens, zeros] = features;
  expect(label!.numStats!.commonStats).toMatchObject({ numNonMissing: 3n, numMissing: 0n });
  expect(all).toMatchObject({ type: 4, structStats: { commonStats: { numNonMissing: 3n, totNumValues: 3n } } });
  expect(tokens!.numStats).toMatchObject({ mean: 2.4, min: 1, max: 4, median: 2 });
  expect(tokens!.numStats!.commonStats).toMatchObject({
    ...{ numNonMissing: 2n, numMissing: 1n, minNumValues: 2n, maxNumValues: 3n, avgNumValues: 2.5, totNumValues: 5n },
    presenceAndValencyStats: [
      { numNonMissing: 2n, numMissing: 1n, minNumValues: 1n, maxNumValues: 3n, totNumValues: 4n },
      { numNonMissing: 3n, numMissing: 1n, minNumValues: 0n, maxNumValues: 3n, totNumValues: 5n },
    ],
  });
  expect(tokens!.customStats.map(({ name }) => name)).toEqual([
    'level_2_value_list_length_quantiles',
    'level_2_value_list_length_standard',
  ]);
  const lengths = tokens!.customStats[0]!.histogram!.buckets;
  expect([lengths[0]!.lowValue, lengths[4]!.highValue, lengths[9]!.highValue]).toEqual([0, 2, 3]);
  expect(zeros!.numStats).toMatchObject({ numZeros: 2n, histograms: [{ buckets: [{ sampleCount: 2 }] }, { type: 1 }] });
});

test('a feature that shows its kind late, and one that comes late', async () => {
  const files = [
    folder.write(
      'first',
      Array.from({ length: 5 }, () => exampleOf({ a: KINDLESS })),
    ),
    folder.write('second', [exampleOf({ a: floats(3), b: strings('x') })]),
  ];
  const { message } = await statistics(files);
  const [a, b] = message.datasets[0]!.features;
  expect(a!.numStats).toMatchObject({ mean: 3, commonStats: { numNonMissing: 1n, numMissing: 5n } });
  expect(b!.stringStats!.commonStats).toMatchObject({ numNonMissing: 1n, numMissing: 5n });
});

test('what is skipped does not count', async () => {
  const good = exampleOf({ a: int64s(5) });
  const bad = Uint8Array.of(10, 200);
  const damaged = flipBit(tfrecord([good, good, bad, good]), 14);
  await expect(statistics(damaged)).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 0 });
  const faults: TFRecordError[] = [];
  const found = await statistics(damaged, {
    onError: (error) => {
      faults.push(error);
      return 'skip';
    },
  });
  expect(faults.map(({ code, record }) => [code, record])).toEqual([
    ['TFR_CORRUPT_DATA', 0],
    ['TFR_EXAMPLE', 2],
  ]);
  expect(found.records).toBe(2);
  expect(found.message.datasets[0]!.features[0]!.numStats).toMatchObject({
    commonStats: { totNumValues: 2n },
    mean: 5,
  });
});

test('streams, progress, signals and wrong arguments', async () => {
  const data = tfrecord([exampleOf({ a: int64s(1) })]);
  const calls: number[] = [];
  const chunks = [data.subarray(0, 9), data.subarray(9)];
  const found = await statistics(chunks, { onProgress: ({ records }) => calls.push(records) });
  expect(found.records).toBe(1);
  expect(calls.at(-1)).toBe(1);
  await expect(statistics(data, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  await expect(statistics(data, { features: ['b'] })).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'b' });
  for (const wrong of [{ features: 'a' }, { features: [1] }, { name: 1 }, { onProgress: 1 }, { nmae: 'x' }]) {
    await expect(statistics(data, wrong as never)).rejects.toThrow(TypeError);
  }
  await expect(statistics(5 as never)).rejects.toThrow(TypeError);
});

test('bytes and JSON read back as the message, for random records', async () => {
  const value = fc.oneof(
    fc.array(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)).map((list) => int64(list)),
    fc.array(fc.float()).map((list) => float(list)),
    fc
      .array(
        fc.oneof(
          fc.uint8Array(),
          fc.string().map((text) => Buffer.from(text)),
        ),
      )
      .map((list) => bytes(list)),
  );
  const records = fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), value, { noNullPrototype: false }));
  await fc.assert(
    fc.asyncProperty(records, async (list) => {
      const found = await describeAll(list.map((record) => encodeExample(record))).catch((error: unknown) => {
        expect(error).toMatchObject({
          code: 'TFR_FEATURE',
          message: expect.stringContaining('several kinds') as string,
        });
      });
      if (found === undefined) return;
      expect(DatasetFeatureStatisticsList.decode(found.toBytes())).toEqual(found.message);
      expect(DatasetFeatureStatisticsList.fromJSON(JSON.stringify(found))).toEqual(found.message);
      for (const line of found.toTable(60).split('\n')) expect([...line].length).toBeLessThanOrEqual(60);
    }),
    { numRuns: 25 },
  );
});

const hasProtoc = spawnSync('protoc', ['--version']).status === 0;
(hasProtoc ? test : test.skip)('protoc reads the bytes by proto/statistics.proto', async () => {
  const found = await describeAll([exampleOf({ a: int64s(7), b: strings('x', 'y') })], { name: 'small' });
  const text = execFileSync(
    'protoc',
    ['--decode=tensorflow.metadata.v0.DatasetFeatureStatisticsList', '-I', join(ROOT, 'proto'), 'statistics.proto'],
    { input: found.toBytes(), encoding: 'utf8' },
  );
  expect(text).toContain('name: "small"');
  expect(DatasetFeatureStatisticsList.fromText(text)).toEqual(found.message);
});

test('tables', async () => {
  const records = Array.from({ length: 8 }, (_, i) =>
    encodeExample({
      id: int64([i]),
      weight: float([i === 3 ? NaN : i / 2 - 1]),
      word: bytes([i < 6 ? 'yes' : 'no\n']),
      ...(i < 4 ? { picture: bytes([new Uint8Array(300).fill(255)]) } : {}),
    }),
  );
  expect((await describeAll(records)).toTable(110)).toBe(`8 records

feature  present  values  type   histogram   min  median  max     mean  deviation  zeros
id       100 %    1       int    ███ ██ ███    0       4    7      3.5     2.2913      1
weight   100 %    1       float  ███  █ ███   -1       1  2.5  0.78571     1.2206      1  1 NaN

feature  present  values  different  bytes  ranks  most frequent
word     100 %    1               2      3  █▃     yes 75.0 %, "no\\n" 25.0 %

feature  present  values  least bytes  mean  most bytes
picture  50.0 %   1               300   300         300
`);
});
