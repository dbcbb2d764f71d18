/** Stages after datasets whose elements come in passes or parts: the end of a pass is invisible after it. */
import { Dataset } from '../../../../lib';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';

const range = (stop: number): Dataset<number> => Dataset.range(stop);

/** The same twenty numbers, one after the other or in passes. */
const sources: Record<string, () => Dataset<number>> = {
  'an array': () => Dataset.from(Array.from({ length: 20 }, (_, i) => i % 5)),
  'a repetition': () => range(5).repeat(4),
  'a repetition of what may not be counted': () =>
    range(5)
      .filter(() => true)
      .repeat(4),
  'parts, one behind the other': () => range(5).concatenate(range(5), range(5), range(5)),
  'a repetition of parts': () => range(5).concatenate(range(5)).repeat(2),
};

const stages: Record<string, (dataset: Dataset<number>) => Dataset<unknown, unknown>> = {
  'window 3': (dataset) => dataset.window(3),
  'window 3, shift 1': (dataset) => dataset.window(3, { shift: 1 }),
  'window 3, shift 7': (dataset) => dataset.window(3, { shift: 7 }),
  'window of windows': (dataset) => dataset.window(3, { shift: 2 }).window(2),
  'shard by record': (dataset) => dataset.shard(3, 1, { by: 'record' }),
  'shard by record, padded': (dataset) => dataset.shard(3, 2, { by: 'record', uneven: 'pad' }),
  'batch of enumerated': (dataset) => dataset.enumerate().batch(3),
  'padded batch': (dataset) => dataset.map((x) => Array.from({ length: x }, () => x)).paddedBatch(3),
  'skip and take': (dataset) => dataset.skip(7).take(8),
  zip: (dataset) => Dataset.zip([dataset, dataset.skip(3)]),
  cache: (dataset) => dataset.cache(),
};

describe.each(Object.keys(sources))('%s', (source) => {
  const make = sources[source] as () => Dataset<number>;

  test.each(Object.keys(stages))('%s', async (stage) => {
    const apply = stages[stage] as (dataset: Dataset<number>) => Dataset<unknown, unknown>;
    const expected = await apply((sources['an array'] as () => Dataset<number>)()).toArray();
    await expect(apply(make()).toArray()).resolves.toEqual(expected);
    await expectResumes(apply(make()));
    await expectChunkInvariant(apply(make()));
  });
});

describe.each(['a repetition', 'parts, one behind the other', 'a repetition of parts'])('%s, by range', (source) => {
  const make = sources[source] as () => Dataset<number>;
  const twenty = Array.from({ length: 20 }, (_, i) => i % 5);

  test.each(['keep', 'drop'] as const)('%s: shards have each element once', async (uneven) => {
    const shards = [];
    for (let index = 0; index < 3; index++) {
      const shard = make().shard(3, index, { by: 'range', uneven });
      shards.push(await shard.toArray());
      await expectResumes(shard);
    }
    expect(shards.flat()).toEqual(
      uneven === 'keep' ? twenty : [...twenty.slice(0, 6), ...twenty.slice(7, 13), ...twenty.slice(14)],
    );
  });

  test('padded with the start of the shard', async () => {
    const shard = make().shard(3, 2, { by: 'range', uneven: 'pad' });
    await expect(shard.toArray()).resolves.toEqual([...twenty.slice(14), twenty[14]]);
    await expectResumes(shard);
  });
});
