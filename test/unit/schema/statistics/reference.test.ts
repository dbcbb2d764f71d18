/** Statistics beside those of TensorFlow Data Validation, and beside values that are counted one by one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readExamples, readRecordsSync, varLen, type SparseTensor } from '../../../../lib';
import {
  compareStatistics,
  DatasetFeatureStatisticsList,
  readStatistics,
  statistics,
  type DatasetStatistics,
  type FeatureNameStatisticsMessage,
  type NumericStatisticsMessage,
} from '../../../../lib/schema';
import { NO_REAL_SETS, REAL_SETS } from '../../../support/records/real-data';

const TAXI = join(REAL_SETS, 'tfx-taxi');
const SHARDS = join(TAXI, 'Split-eval', '*.gz');

type Features = ReadonlyMap<string, FeatureNameStatisticsMessage>;
const byPath = (features: readonly FeatureNameStatisticsMessage[]): Features =>
  new Map(features.map((feature) => [feature.path!.step.join('/'), feature]));

/** The fraction of `sorted` below `value`, and up to it. */
const ranks = (sorted: Float64Array, value: number): readonly [below: number, upTo: number] => [
  sorted.filter((each) => each < value).length / sorted.length,
  sorted.filter((each) => each <= value).length / sorted.length,
];

if (!existsSync(TAXI)) test.todo(NO_REAL_SETS);
else {
  let ours: DatasetStatistics;
  let features: Features;
  let theirs: Features;
  beforeAll(async () => {
    ours = await statistics(SHARDS);
    features = byPath(ours.message.datasets[0]!.features);
    const [record] = readRecordsSync(join(TAXI, 'stats_tfrecord'));
    const [dataset] = DatasetFeatureStatisticsList.decode(record!).datasets;
    expect(dataset!.numExamples).toBe(BigInt(ours.records));
    theirs = byPath(dataset!.features);
  });

  test('have the same features, of the same types', () => {
    const types = (of: Features): object => Object.fromEntries([...of].map(([path, { type }]) => [path, type]));
    expect(types(features)).toEqual(types(theirs));
    expect(features.size).toBe(18);
  });

  test('of presence, numbers of values and texts are equal', () => {
    for (const [path, { stringStats, numStats }] of theirs) {
      const found = features.get(path)!;
      const common = (found.stringStats ?? found.numStats)!.commonStats;
      expect({ path, ...common }).toEqual({ path, ...(stringStats ?? numStats)!.commonStats });
      if (stringStats !== undefined) expect({ path, ...found.stringStats }).toEqual({ path, ...stringStats });
    }
  });

  test('of numbers are equal: counts and bounds exactly, mean and deviation to 1e-6', () => {
    const exact = ({ min, max, numZeros }: NumericStatisticsMessage): object => ({ min, max, numZeros });
    for (const [path, { numStats }] of theirs) {
      if (numStats === undefined) continue;
      const found = features.get(path)!.numStats!;
      expect({ path, ...exact(found) }).toEqual({ path, ...exact(numStats) });
      for (const part of ['mean', 'stdDev'] as const) {
        expect(Math.abs(found[part] - numStats[part]) / Math.abs(numStats[part])).toBeLessThan(1e-6);
      }
      for (const [i, { type, buckets }] of numStats.histograms.entries()) {
        expect(found.histograms[i]).toMatchObject({ type, numNan: 0n });
        expect(found.histograms[i]!.buckets).toHaveLength(buckets.length);
      }
    }
  });

  test('are hardly different: texts not at all, histograms by their approximation', async () => {
    const { features: distances } = compareStatistics(await readStatistics(join(TAXI, 'stats_tfrecord')), ours);
    expect(distances.length).toBe(features.size);
    for (const { base, current, lInfinity, jensenShannon } of distances) {
      expect(base).toBe(current);
      if (base === 'texts') expect({ lInfinity, jensenShannon }).toEqual({ lInfinity: 0, jensenShannon: 0 });
      if (base === 'numbers') expect(jensenShannon).toBeLessThan(0.002);
    }
  });

  test('of numbers are those of the data', async () => {
    const numeric = [...features].filter(([, { numStats }]) => numStats !== undefined);
    const values = new Map(numeric.map(([name]) => [name, [] as number[]]));
    const spec = Object.fromEntries(
      numeric.map(([name, { type }]) => [name, varLen(type === 0 ? 'int64' : 'float32')]),
    );
    for await (const batch of readExamples(SHARDS, spec).batches(2048)) {
      for (const [name, list] of values) {
        const { values: column } = (batch as Record<string, SparseTensor<'int64' | 'float32'>>)[name]!;
        for (const value of column) list.push(Number(value));
      }
    }
    for (const [name, { numStats }] of numeric) {
      const sorted = Float64Array.from(values.get(name)!).sort();
      const mean = sorted.reduce((sum, value) => sum + (value - sorted[0]!), 0) / sorted.length + sorted[0]!;
      const variance = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / sorted.length;
      expect(Math.abs(numStats!.mean / mean - 1)).toBeLessThan(1e-9);
      expect(Math.abs(numStats!.stdDev / Math.sqrt(variance) - 1)).toBeLessThan(1e-9);
      const [standard, quantiles] = numStats!.histograms;
      const [below, upTo] = ranks(sorted, numStats!.median);
      expect(below).toBeLessThanOrEqual(0.51);
      expect(upTo).toBeGreaterThanOrEqual(0.49);
      quantiles!.buckets.slice(1).forEach(({ lowValue }, i) => {
        const [under, to] = ranks(sorted, lowValue);
        expect(under).toBeLessThanOrEqual((i + 1) / 10 + 0.01);
        expect(to).toBeGreaterThanOrEqual((i + 1) / 10 - 0.01);
      });
      const counts = standard!.buckets.map(
        ({ lowValue, highValue }, i, { length }) =>
          sorted.filter((value) => value >= lowValue && (value < highValue || i === length - 1)).length,
      );
      expect(standard!.buckets.map(({ sampleCount }) => sampleCount)).toEqual(counts);
    }
  });
}
