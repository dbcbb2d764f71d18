/** Drift and skew, by the comparators of a schema. */
import { writeFile } from 'node:fs/promises';

import { int64, float, bytes, encodeExample, writeRecords } from '../../../../lib';
import {
  compareStatistics,
  DatasetFeatureStatisticsList,
  readSchema,
  readStatistics,
  statistics,
  type Schema,
  type StatisticsSource,
} from '../../../../lib/schema';
import { sequenceOf, strings } from '../../../support/examples/wire';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

let schemas = 0;
async function schemaOf(text: string): Promise<Schema> {
  const path = folder.at(`schema-${schemas++}.pbtxt`);
  await writeFile(path, text);
  return readSchema(path);
}

const texts = (name: string, counts: Readonly<Record<string, number>>) => ({
  path: { step: name.split('/') },
  type: 2,
  stringStats: {
    commonStats: { totNumValues: 4n },
    rankHistogram: { buckets: Object.entries(counts).map(([label, sampleCount]) => ({ label, sampleCount })) },
  },
});
const numbers = (name: string, low: number, type = 0) => ({
  path: { step: [name] },
  type: 1,
  numStats: {
    histograms: [
      {
        type,
        buckets: [
          { lowValue: low, highValue: low + 1, sampleCount: 2 },
          { lowValue: low + 1, highValue: low + 2, sampleCount: 2 },
        ],
      },
    ],
  },
});
const binary = (name: string) => ({
  path: { step: [name] },
  type: 3,
  bytesStats: { commonStats: { totNumValues: 9n } },
});
const dataset = (features: object[], numExamples = 4n): StatisticsSource => ({ datasets: [{ numExamples, features }] });

describe('anomalies in the words of TensorFlow Data Validation', () => {
  test('published case: drift of texts', async () => {
    const schema = await schemaOf(
      'feature { name: "annotated_enum" type: BYTES drift_comparator { infinity_norm { threshold: 0.01 } } }',
    );
    const [before, now] = [[texts('annotated_enum', { a: 3, b: 1 })], [texts('annotated_enum', { a: 1, b: 1 })]];
    expect(compareStatistics(dataset(before), dataset(now), { schema }).anomalies).toEqual([
      {
        feature: 'annotated_enum',
        path: ['annotated_enum'],
        type: 'COMPARATOR_L_INFTY_HIGH',
        message:
          'The Linfty distance between current and previous is 0.25 (up to six significant digits), above the threshold 0.01. The feature value with maximum difference is: b',
        records: [],
      },
    ]);
  });

  test('published case: skew of numbers; those of drift need not apply', async () => {
    const schema = await schemaOf(
      'feature { name: "foo" type: INT skew_comparator { jensen_shannon_divergence { threshold: 0.1 } } }',
    );
    const [serving, training] = [dataset([numbers('foo', 5)]), dataset([numbers('foo', 1)])];
    const { anomalies } = compareStatistics(serving, training, { schema, comparator: 'skew' });
    expect(anomalies.map(({ type, message }) => [type, message])).toEqual([
      [
        'COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH',
        'The approximate Jensen-Shannon divergence between training and serving is 1 (up to six significant digits), above the threshold 0.1.',
      ],
    ]);
    expect(compareStatistics(serving, training, { schema })).toMatchObject({ anomalies: [], comparators: 0 });
  });

  test('a distance at the threshold is none', async () => {
    const schema = await schemaOf(
      'feature { name: "a" type: BYTES drift_comparator { infinity_norm { threshold: 0.25 } } }',
    );
    const [before, now] = [dataset([texts('a', { x: 3, y: 1 })]), dataset([texts('a', { x: 1, y: 1 })])];
    expect(compareStatistics(before, now, { schema })).toMatchObject({ anomalies: [], comparators: 1 });
  });

  test('all comparators of a feature, and those of feature lists', async () => {
    const comparators = `drift_comparator {
      infinity_norm { threshold: 0 } jensen_shannon_divergence { threshold: 0 } normalized_abs_difference { threshold: 0 }
    }`;
    const schema = await schemaOf(`
      feature { name: "a" type: BYTES ${comparators} }
      feature { name: "old" type: BYTES lifecycle_stage: DEPRECATED ${comparators} }
      feature { name: "##SEQUENCE##" type: STRUCT struct_domain { feature { name: "l" type: BYTES ${comparators} } } }`);
    const side = (counts: Record<string, number>) =>
      dataset(['a', 'old', '##SEQUENCE##/l'].map((name) => texts(name, counts)));
    const { anomalies, features } = compareStatistics(side({ x: 1 }), side({ x: 1, 'y"\n': 1 }), { schema });
    expect(features.map(({ feature }) => feature)).toEqual(['a', 'old', '##SEQUENCE##.l']);
    expect(anomalies.map(({ feature, type }) => `${feature} ${type}`)).toEqual(
      ['a', '##SEQUENCE##.l'].flatMap((name) => [
        `${name} COMPARATOR_L_INFTY_HIGH`,
        `${name} COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH`,
        `${name} COMPARATOR_NORMALIZED_ABSOLUTE_DIFFERENCE_HIGH`,
      ]),
    );
    // A text of the data cannot break the line.
    expect(anomalies[0]!.message).toMatch(/The feature value with maximum difference is: "y\\"\\n"$/);
  });

  test('data that is missing from one side', async () => {
    const schema = await schemaOf(`
      feature { name: "a" type: BYTES drift_comparator { infinity_norm { threshold: 0.5 } } }
      feature { name: "n" type: FLOAT drift_comparator { jensen_shannon_divergence { threshold: 0.5 } } }`);
    const both = [texts('a', { x: 1 }), numbers('n', 1)];
    const found = (before: object[], now: object[]) =>
      compareStatistics(dataset(before), dataset(now), { schema }).anomalies.map(
        ({ feature, type, message }) => `${feature}: ${type}: ${message}`,
      );
    expect(found(both, both)).toEqual([]);
    expect(found([], both)).toEqual([
      'a: COMPARATOR_CONTROL_DATA_MISSING: previous data is missing.',
      'n: COMPARATOR_CONTROL_DATA_MISSING: previous data is missing.',
    ]);
    expect(found(both, [])).toEqual([
      'a: COMPARATOR_TREATMENT_DATA_MISSING: current data is missing.',
      'n: COMPARATOR_TREATMENT_DATA_MISSING: current data is missing.',
    ]);
    // A feature that never has a value is one of texts.
    const empty = [texts('a', {}), texts('n', {})];
    expect(found(both, empty)).toEqual([
      'a: COMPARATOR_L_INFTY_HIGH: The Linfty distance between current and previous is 1 (up to six significant digits), above the threshold 0.5. The feature value with maximum difference is: x',
      'n: COMPARATOR_TREATMENT_DATA_MISSING: current data has no values.',
    ]);
    expect(found(empty, empty)).toEqual([]);
  });

  test('thresholds that cannot be checked are listed', async () => {
    const schema = await schemaOf(`
      feature { name: "n" type: FLOAT drift_comparator { infinity_norm { threshold: 0 } } }
      feature { name: "b" type: BYTES drift_comparator { jensen_shannon_divergence { threshold: 0 } } }
      feature { name: "m" drift_comparator { jensen_shannon_divergence { threshold: 0 } } }
      feature { name: "q" type: FLOAT drift_comparator { jensen_shannon_divergence { threshold: 0 source { type: QUANTILES } } } }`);
    const before = dataset([numbers('n', 1), binary('b'), numbers('m', 1), numbers('q', 1)]);
    const now = dataset([numbers('n', 2), binary('b'), texts('m', { a: 1 }), numbers('q', 2)]);
    const { anomalies, unchecked, comparators } = compareStatistics(before, now, { schema });
    expect({ anomalies, comparators }).toEqual({ anomalies: [], comparators: 4 });
    expect(unchecked).toEqual([
      {
        feature: 'b',
        field: 'jensen_shannon_divergence',
        reason: 'the statistics do not count values that are not text',
      },
      { feature: 'm', field: 'jensen_shannon_divergence', reason: 'previous data has numbers, current data has texts' },
      {
        feature: 'n',
        field: 'infinity_norm',
        reason: 'it compares texts, and the values are numbers: jensen_shannon_divergence compares numbers',
      },
      {
        feature: 'q',
        field: 'jensen_shannon_divergence',
        reason: 'the statistics lack the histogram that it compares',
      },
    ]);
  });

  test('quantiles, if the comparator selects them', async () => {
    const comparator = (type: string) =>
      schemaOf(
        `feature { name: "n" type: FLOAT drift_comparator { jensen_shannon_divergence { threshold: 0.5 source { type: ${type} } } } }`,
      );
    const side = (standard: number, quantiles: number) => {
      const { numStats, ...rest } = numbers('n', standard);
      return dataset([
        {
          ...rest,
          numStats: { histograms: [...numStats.histograms, ...numbers('n', quantiles, 1).numStats.histograms] },
        },
      ]);
    };
    const options = async (type: string) => ({ schema: await comparator(type) });
    const [before, now] = [side(1, 1), side(1, 9)];
    expect(compareStatistics(before, now, await options('STANDARD')).anomalies).toEqual([]);
    expect(compareStatistics(before, now, await options('QUANTILES'))).toMatchObject({
      features: [{ jensenShannon: 1 }],
      anomalies: [{ type: 'COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH' }],
    });
  });

  test.each<readonly [bigint, bigint, string | undefined]>([
    [
      4n,
      2n,
      'COMPARATOR_LOW_NUM_EXAMPLES: The ratio of num examples in the current dataset versus the previous span is 0.5 (up to six significant digits), which is below the threshold 0.75.',
    ],
    [
      4n,
      5n,
      'COMPARATOR_HIGH_NUM_EXAMPLES: The ratio of num examples in the current dataset versus the previous span is 1.25 (up to six significant digits), which is above the threshold 1.',
    ],
    [
      0n,
      5n,
      'COMPARATOR_HIGH_NUM_EXAMPLES: The previous span has 0 examples, so there is a high number of examples in the current dataset versus the previous span.',
    ],
    [4n, 3n, undefined],
    [4n, 0n, undefined],
  ])('numbers of records: %p, then %p', async (before, now, expected) => {
    const schema = await schemaOf(
      'feature { name: "a" type: BYTES } dataset_constraints { num_examples_drift_comparator { min_fraction_threshold: 0.75 max_fraction_threshold: 1 } }',
    );
    const { anomalies } = compareStatistics(dataset([], before), dataset([], now), { schema });
    expect(anomalies.map(({ type, message }) => `${type}: ${message}`)).toEqual(
      expected === undefined ? [] : [expected],
    );
  });
});

describe('compareStatistics', () => {
  const records = (words: readonly string[], numbersOf: readonly number[]) =>
    tfrecord(words.map((word, i) => encodeExample({ word: bytes([word]), n: int64([i]), f: float([numbersOf[i]!]) })));

  test('of a set and itself is 0 everywhere', async () => {
    const found = await statistics(records(['a', 'b', 'a'], [1, 2, 3]), { name: 'one' });
    const { features, base, anomalies } = compareStatistics(found, found);
    expect(base).toEqual({ name: 'one', records: 3 });
    expect(features.map(({ feature, jensenShannon, lInfinity }) => [feature, jensenShannon, lInfinity])).toEqual([
      ['f', 0, undefined],
      ['n', 0, undefined],
      ['word', 0, 0],
    ]);
    expect(anomalies).toEqual([]);
  });

  test('prints a table, the most different features first', async () => {
    const before = await statistics(records(['a', 'b', 'b', 'b'], [1, 2, 3, 4]), { name: 'monday' });
    const now = await statistics(
      tfrecord([encodeExample({ word: bytes(['a', 'b']), n: int64([0, 1, 2, 3]), new: int64([1]) })]),
    );
    const comparison = compareStatistics(before, now);
    expect(String(comparison)).toBe(
      [
        'monday: 4 records; current: 1 record',
        '',
        'feature  values             Jensen-Shannon  L-infinity  most different',
        'f        numbers → missing',
        'new      missing → numbers',
        'word     texts                   0.0487949        0.25  b',
        'n        numbers                         0',
        '',
      ].join('\n'),
    );
    const lines = comparison.toTable(30).split('\n');
    expect(lines.slice(2).every((line) => [...line].length <= 30)).toBe(true);
  });

  test('of feature lists, and of chosen features', async () => {
    const found = await statistics(
      tfrecord([sequenceOf({ a: strings('x') }, { a: [strings('y')], l: [strings('z')] })]),
    );
    const { features } = compareStatistics(found, found);
    expect(features.map(({ path }) => path)).toEqual([['a'], ['##SEQUENCE##', 'a'], ['##SEQUENCE##', 'l']]);
    expect(compareStatistics(found, found, { features: ['l'] }).features.map(({ feature }) => feature)).toEqual([
      '##SEQUENCE##.l',
    ]);
    expect(() => compareStatistics(found, found, { features: ['k'] })).toThrow(
      expect.objectContaining({ code: 'TFR_FEATURE', feature: 'k' }),
    );
  });

  test('takes the slice of all examples among several', () => {
    const slices = { datasets: [{ name: 'a' }, { name: 'All Examples', numExamples: 3n }] };
    expect(compareStatistics(slices, slices).base).toEqual({ name: 'All Examples', records: 3 });
    const others = { datasets: [{ name: 'a' }, { name: 'b' }] };
    expect(() => compareStatistics(slices, others)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
    expect(() => compareStatistics({ datasets: [] }, slices)).toThrow(/"base" must be statistics of one data set/);
  });

  test.each<readonly [string, unknown[]]>([
    ['ERR_INVALID_ARG_TYPE', [undefined, { datasets: [{}] }]],
    ['ERR_INVALID_ARG_TYPE', [{ datasets: [{}] }, 'stats.pb']],
    ['ERR_INVALID_ARG_TYPE', [{ datasets: [{}] }, { datasets: [{}] }, { schema: {} }]],
    ['ERR_INVALID_ARG_VALUE', [{ datasets: [{}] }, { datasets: [{}] }, { comparator: 'both' }]],
    ['ERR_INVALID_ARG_VALUE', [{ datasets: [{}] }, { datasets: [{}] }, { schemas: 1 }]],
    ['ERR_INVALID_ARG_TYPE', [{ datasets: [{ features: 1 }] }, { datasets: [{}] }]],
  ])('refuses wrong arguments: %s', (code, args) => {
    expect(() => (compareStatistics as (...args: unknown[]) => unknown)(...args)).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('readStatistics', () => {
  test('reads bytes, JSON, text, and TFRecord files', async () => {
    const found = await statistics(tfrecord([encodeExample({ a: int64([1, 2]), b: bytes(['x']) })]), { name: 'Ä' });
    await writeFile(folder.at('a.pb'), found.toBytes());
    await writeFile(folder.at('a.json'), JSON.stringify(found, null, 2));
    await writeFile(folder.at('a.pbtxt'), DatasetFeatureStatisticsList.toText(found.message));
    await writeRecords(folder.at('stats_tfrecord'), [found.toBytes()]);
    await writeRecords(folder.at('stats.tfrecord.gz'), [found.toBytes()]);
    await writeRecords(folder.at('stats.tfrecord.zz'), [found.toBytes()], { compression: 'zlib' });
    for (const name of ['a.pb', 'a.json', 'a.pbtxt', 'stats_tfrecord', 'stats.tfrecord.gz', 'stats.tfrecord.zz']) {
      expect({ name, ...(await readStatistics(folder.at(name))) }).toEqual({ name, ...found.message });
    }
  });

  test.each<readonly [string, string | Uint8Array, string]>([
    ['empty', '', 'it describes no data set'],
    ['cut.pb', Uint8Array.of(0x0a, 0x50, 1, 2), ''],
    ['json.json', '{"datasets": 1}', ''],
    ['two.tfrecord', tfrecord([encodeExample({}), encodeExample({})]), 'more than one record'],
    ['none.gz', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0), 'it has no record'],
  ])('refuses %s', async (name, content, reason) => {
    await writeFile(folder.at(name), content);
    const error = await readStatistics(folder.at(name)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'TFR_DECODE',
      file: folder.at(name),
      message: expect.stringContaining(reason) as string,
    });
  });

  test('refuses missing files and folders', async () => {
    await expect(readStatistics(folder.at('absent'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readStatistics(folder.path)).rejects.toMatchObject({ code: 'TFR_DECODE' });
    await expect(readStatistics(1 as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  });
});
