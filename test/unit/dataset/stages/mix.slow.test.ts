/** `Dataset.sampleFrom` and `Dataset.chooseFrom` can resume at every position. */
import { Dataset } from '../../../../lib';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';

/** `count` elements that show their part. */
const part = (number: number, count: number): Dataset<number> => Dataset.range(count).map((i) => 100 * number + i);

describe('sampleFrom', () => {
  test.each(['drop', 'stop', 'repeat'] as const)('resumes anywhere, whatever the chunks: %s', async (exhausted) => {
    for (const exact of [false, true]) {
      const mixed = Dataset.sampleFrom([part(0, 7).shuffle(3), part(1, 30).filter((n) => n % 2 === 0), part(2, 4)], {
        weights: [1, 2, 0.5],
        exhausted,
        exact,
      }).seed(8);
      await expectResumes(mixed, { most: 50 });
      await expectChunkInvariant(mixed, { most: 300 });
    }
  });
});

describe('chooseFrom', () => {
  test.each(['drop', 'stop', 'repeat'] as const)('resumes anywhere, whatever the chunks: %s', async (exhausted) => {
    const choice = Dataset.range(40)
      .shuffle(5)
      .map((n) => n % 3);
    const mixed = Dataset.chooseFrom([part(0, 7).shuffle(3), part(1, 9), part(2, 20)], choice, { exhausted }).seed(1);
    await expectResumes(mixed);
    await expectChunkInvariant(mixed);
  });
});
