import { Dataset } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { randomPipeline, SPEEDS } from '../../../support/datasets/random-pipelines';
import { randoms } from '../../../support/randoms';

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'pipeline %# over numbers resumes, whatever its chunks',
  async (seed) => {
    const random = randoms(seed);
    const pick = (below: number): number => Math.floor(random() * below);
    const { make } = randomPipeline(pick, [() => Dataset.range(50), () => Dataset.from([3, 1, 4, 1, 5, 9, 2, 6])]);
    const others = SPEEDS.map(make);
    const dataset = others[0] as Dataset<unknown, unknown>;
    await expectResumes(dataset, { most: 80, others });
    for (const other of others) await expectChunkInvariant(other.seed(1), { most: 300 });
  },
);

test('what an element draws depends on seed, stage, epoch and its number alone', async () => {
  const noisy = (parallel: number): Dataset<number> =>
    Dataset.range(500)
      .map(async (i, { rng }) => (i % 3 === 0 ? Promise.resolve(rng.uint32()) : rng.uint32()), { parallel })
      .repeat(2)
      .seed(42);
  const draws = await noisy(1).toArray();
  expect(new Set(draws).size).toBeGreaterThan(990);
  for (const parallel of [2, 8, 100]) expect(await noisy(parallel).toArray()).toEqual(draws);
  // A stage before it that draws for its order changes none of them; the numbers of elements are those behind it.
  const behindShuffle = Dataset.range(500)
    .shuffle(9)
    .map((_, { rng }) => rng.uint32())
    .seed(42);
  expect(await behindShuffle.toArray()).toEqual(draws.slice(0, 500));
  // Golden, order: 1.
  expect(draws.slice(0, 4)).toEqual([1701261471, 445834783, 3384433825, 3765778721]);
});
