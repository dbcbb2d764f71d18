/** `rejectionResample` can resume at every position. */
import { Dataset } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';

/** 900 of class 0, 100 of class 1, mixed. */
const classOf = (n: number): number => (n % 10 === 3 ? 1 : 0);
const half = { target: [0.5, 0.5], initial: [0.9, 0.1] };

test('resumes anywhere, whatever the chunks', async () => {
  const told = Dataset.range(90).rejectionResample(classOf, half).seed(3);
  const counted = Dataset.range(90)
    .rejectionResample(async (n) => Promise.resolve(classOf(n)), { target: [1, 2] })
    .seed(3);
  const faulty = Dataset.range(90)
    .rejectionResample((n) => (n % 7 === 0 ? 5 : classOf(n)), half)
    .onError({ action: 'skip', maxRate: 1 })
    .seed(3);
  for (const dataset of [told, counted, faulty]) {
    await expectResumes(dataset);
    await expectChunkInvariant(dataset);
  }
});
