/** Statistics by slices, against those of the records of each slice alone. */
import fc from 'fast-check';

import { encodeExample, int64, readRecordsSync, type FeatureLike } from '../../../../lib';
import { readableSource } from '../../../../lib/io';
import { resolveReadOptions } from '../../../../lib/record';
import { statistics, type DatasetFeatureStatisticsMessage, type SliceBy } from '../../../../lib/schema';
import { mergeStatistics, writeStatisticsPart } from '../../../../lib/schema/parts';
import { Folder } from '../../../support/records/record-files';

interface Values {
  readonly bytes?: readonly string[] | readonly Uint8Array[];
  readonly int64?: readonly (number | bigint)[];
  readonly float?: readonly number[];
}
type Row = Readonly<Record<string, Values | undefined>>;

const featureOf = ({ bytes, int64: integers, float }: Values): FeatureLike =>
  bytes ?? (integers === undefined ? Float32Array.from(float!) : int64(integers.map(BigInt)));

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const write = (name: string, rows: readonly Row[]): string =>
  folder.write(
    name,
    rows.map((row) =>
      encodeExample(Object.fromEntries(Object.entries(row).map(([key, values]) => [key, featureOf(values!)]))),
    ),
  );

/** The statistics of `rows`, one data set a slice. */
async function sliced(rows: readonly Row[], sliceBy: readonly SliceBy[]): Promise<DatasetFeatureStatisticsMessage[]> {
  return (await statistics(write('all', rows), { sliceBy })).message.datasets;
}

async function alone(rows: readonly Row[], name: string): Promise<DatasetFeatureStatisticsMessage> {
  return (await statistics(write('alone', rows), { name })).message.datasets[0]!;
}

const RANDOM_ROWS = fc.array(
  fc.record(
    {
      country: fc.array(fc.constantFrom('US', 'FR', 'Ελ'), { maxLength: 3 }).map((bytes) => ({ bytes })),
      age: fc.array(fc.constantFrom(-1n, 30n, 2n ** 62n), { maxLength: 2 }).map((int64) => ({ int64 })),
      score: fc.array(fc.float(), { maxLength: 3 }).map((float) => ({ float })),
      text: fc.array(fc.string(), { maxLength: 2 }).map((bytes) => ({ bytes })),
    },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 60 },
);

const textsOf = (row: Row, name: string): string[] => {
  const { bytes = [], int64: integers = [] } = row[name] ?? {};
  return [...new Set([...bytes, ...integers].map(String))];
};

test('are those of the records with the value alone', async () => {
  await fc.assert(
    fc.asyncProperty(RANDOM_ROWS, async (rows) => {
      const used = rows.some((row) => 'country' in row) && rows.some((row) => 'age' in row);
      fc.pre(used);
      const [all, ...slices] = await sliced(rows, ['country', { age: undefined, country: ['US', 'FR'] }]);
      expect(all).toEqual(await alone(rows, 'All Examples'));
      const expected = new Map<string, Row[]>();
      for (const row of rows) {
        const countries = textsOf(row, 'country');
        const names = countries.map((country) => `country_${country}`);
        for (const age of textsOf(row, 'age')) {
          names.push(...countries.filter((each) => each !== 'Ελ').map((country) => `age_${age}_country_${country}`));
        }
        for (const name of names) expected.set(name, [...(expected.get(name) ?? []), row]);
      }
      expect(slices.map(({ name }) => name)).toEqual([...expected.keys()].sort());
      for (const slice of slices) expect(slice).toEqual(await alone(expected.get(slice.name)!, slice.name));
    }),
    { numRuns: 15 },
  );
});

/** The statistics without the last digits of means and deviations, which depend on the order of additions. */
function rounded(datasets: readonly DatasetFeatureStatisticsMessage[]): unknown {
  return JSON.parse(
    JSON.stringify(datasets, (key, value: unknown) => {
      if (typeof value === 'bigint') return String(value);
      return key === 'mean' || key === 'stdDev' ? Number(value).toPrecision(12) : value;
    }),
  );
}

test('are the same from parts', async () => {
  const rows = Array.from({ length: 400 }, (_, i) => ({
    country: { bytes: [['US', 'FR', 'DE', 'IT'][i < 100 ? 0 : i % 4]!] },
    value: { int64: [BigInt(i)] },
  }));
  const sliceBy = ['country', { country: ['FR'], value: [7, 13, 201n] }] as const;
  const paths = await Promise.all(
    [rows.slice(0, 90), [], rows.slice(90)].map(async (some, i) => {
      const path = folder.at(`part-${i}`);
      await writeStatisticsPart(path, readableSource(write(`rows-${i}`, some)), resolveReadOptions({}), {
        wanted: undefined,
        sliceBy,
        slice: undefined,
        onProgress: undefined,
      });
      return path;
    }),
  );
  const merging = { name: '', sliceBy, wanted: undefined, files: [], signal: undefined };
  const merged = await mergeStatistics(paths, merging);
  const whole = await sliced(rows, sliceBy);
  expect(whole.map(({ name }) => name)).toEqual([
    'All Examples',
    ...['country_DE', 'country_FR', 'country_FR_value_201', 'country_IT', 'country_US'],
  ]);
  expect(rounded(merged.message.datasets)).toEqual(rounded(whole));
});

test('describe only the wanted features, by any feature', async () => {
  const rows = [{ a: { int64: [1] }, b: { float: [2] } }, { a: { int64: [3] } }];
  const { message } = await statistics(write('wanted', rows), { features: ['b'], sliceBy: ['a'] });
  expect(message.datasets.map(({ name, numExamples, features }) => [name, numExamples, features.length])).toEqual([
    ['All Examples', 2n, 1],
    ['a_1', 1n, 1],
    ['a_3', 1n, 0],
  ]);
});

describe('are refused', () => {
  const at = { code: 'TFR_FEATURE' };
  test.each<[string, readonly Row[], readonly SliceBy[], object]>([
    ['of floats', [{ a: { float: [1] } }], ['a'], { ...at, feature: 'a', found: 'floats' }],
    ['of a feature that no record has', [{ a: { int64: [1] } }], ['b'], { ...at, feature: 'b' }],
    ['of bytes that are not UTF-8', [{}, { a: { bytes: [Uint8Array.of(0xff)] } }], ['a'], { ...at, record: 1 }],
    ['of long values', [{ a: { bytes: ['x'.repeat(1025)] } }], ['a'], { ...at, found: '1025 bytes', record: 0 }],
    ['of too many values', [{ a: { int64: Array.from({ length: 1001 }, (_, i) => i) } }], ['a'], at],
    [
      'of too many combinations',
      [
        {
          a: { int64: Array.from({ length: 40 }, (_, i) => i) },
          b: { int64: Array.from({ length: 40 }, (_, i) => i) },
        },
      ],
      [{ a: undefined, b: undefined }],
      at,
    ],
    [
      'with the same name',
      [
        { a: { bytes: ['1_b_2'] }, b: { int64: [2] } },
        { a: { bytes: ['1'] }, b: { int64: [2] } },
      ],
      ['a', { a: undefined, b: undefined }],
      { ...at, found: 'a_1_b_2' },
    ],
  ])('%s', async (_name, rows, sliceBy, error) => {
    await expect(sliced(rows, sliceBy)).rejects.toMatchObject(error);
  });

  test.each<[string, unknown]>([
    ['a name', 'a'],
    ['a number', [3]],
    ['an object without names', [{}]],
    ['no values', [{ a: [] }]],
    ['a float', [{ a: [1.5] }]],
    ['a lone surrogate', ['\ud800']],
  ])('as an option: %s', async (_name, sliceBy) => {
    await expect(statistics('x', { sliceBy: sliceBy as SliceBy[] })).rejects.toThrow(/options\.sliceBy/);
  });

  test('with a name', async () => {
    await expect(statistics('x', { sliceBy: ['a'], name: 'b' })).rejects.toThrow(
      /"options\.name" must be undefined with sliceBy/,
    );
  });

  test('in a part that ends after the name of a slice', async () => {
    const rows = [{ a: { int64: [1] } }];
    const path = folder.at('cut');
    const options = { wanted: undefined, sliceBy: ['a'], slice: undefined, onProgress: undefined };
    await writeStatisticsPart(path, readableSource(write('rows', rows)), resolveReadOptions({}), options);
    const records = [...readRecordsSync(path)].map((record) => Uint8Array.from(record));
    const cut = records.findIndex((record) => record[0] === 0x3a);
    expect(cut).toBeGreaterThan(0);
    folder.write('cut', records.slice(0, cut + 1));
    const merging = { name: '', sliceBy: ['a'], wanted: undefined, files: [], signal: undefined };
    await expect(mergeStatistics([path], merging)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  });
});
