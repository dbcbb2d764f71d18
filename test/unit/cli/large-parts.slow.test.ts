/** Parts with more values than stay in memory. */
import { readFileSync } from 'node:fs';

import { DatasetFeatureStatisticsList, type FeatureNameStatisticsMessage } from '../../../lib/schema';
import { exampleOf, floats, strings } from '../../support/examples/wire';
import { Folder } from '../../support/records/record-files';
import { runHere, type HereResult } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const here = (...args: string[]): Promise<HereResult> => runHere(args, { cwd: folder.path });

function featuresOf(file: string): FeatureNameStatisticsMessage[] {
  return DatasetFeatureStatisticsList.decode(readFileSync(folder.at(file))).datasets[0]!.features;
}

const PER_FILE = 170_000;
const FILES = 3;

test('statistics: texts are counted exactly, quantiles are right to 1 %', async () => {
  const total = PER_FILE * FILES;
  for (let file = 0; file < FILES; file++) {
    folder.write(
      `large-${file}.tfrecord`,
      Array.from({ length: PER_FILE }, (_, i) => {
        const n = file * PER_FILE + i;
        // Each text twice; the second half of them in other files than the first.
        return exampleOf({ word: strings(`text number ${n % (total / 2)}`), rank: floats(n) });
      }),
    );
  }
  await here('stats', 'large-*', '-o', 'whole.pb');
  for (let part = 0; part < FILES; part++) {
    const made = await here('stats', 'large-*', '--shard', `${part}/${FILES}`, '-o', 'parts.pb');
    expect(made).toMatchObject({ code: 0 });
  }
  expect(await here('merge', 'parts.pb')).toMatchObject({ code: 0 });
  const [[rank, word], [wholeRank, wholeWord]] = [featuresOf('parts.pb'), featuresOf('whole.pb')];
  expect(word).toEqual(wholeWord);
  expect(word!.stringStats).toMatchObject({ unique: BigInt(total / 2) });
  const [found, expected] = [rank!.numStats!, wholeRank!.numStats!];
  expect(found).toMatchObject({ min: 0, max: total - 1, numZeros: 1n, commonStats: expected.commonStats! });
  expect(found.mean / expected.mean).toBeCloseTo(1, 12);
  expect(found.stdDev / expected.stdDev).toBeCloseTo(1, 12);
  const bounds = found.histograms[1]!.buckets.map(({ highValue }) => highValue / total);
  for (const [i, bound] of bounds.entries()) expect(Math.abs(bound - (i + 1) / 10)).toBeLessThan(0.01);
  expect(Math.abs(found.median / total - 0.5)).toBeLessThan(0.01);
}, 120_000);
