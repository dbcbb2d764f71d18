import { Dataset } from '../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../support/dataset-laws';
import { randomPipeline, SPEEDS } from '../../support/random-pipelines';
import { randoms } from '../../support/randoms';

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
