/** Shuffles with thousands of seeds; shuffles can resume at every position. */
import { Dataset } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { drain, sorted } from '../../../support/datasets/elements';

test('3,000 seeds: nothing comes too early, everything once, and how soon the first leaves', async () => {
  const [count, size, seeds] = [24, 3, 3000];
  const firstLeft = new Array<number>(count).fill(0);
  const early: number[] = [];
  for (let seed = 0; seed < seeds; seed++) {
    const order = await drain(Dataset.range(count).shuffle(size, { seed }));
    if (order.some((value, position) => value > position + size - 1)) early.push(seed);
    if (sorted(order).some((value, i) => value !== i)) early.push(seed);
    const at = order.indexOf(0);
    firstLeft[at] = (firstLeft[at] ?? 0) + 1;
  }
  expect(early).toEqual([]);
  for (let position = 0; position < 6; position++) {
    const share = (1 / 3) * (2 / 3) ** position;
    const deviation = Math.sqrt(seeds * share * (1 - share));
    expect(Math.abs((firstLeft[position] ?? 0) - seeds * share)).toBeLessThan(4 * deviation);
  }
});

test('shuffles resume anywhere, whatever their chunks', async () => {
  for (const [count, size] of [
    [10, 3],
    [30, 8],
    [7, 100],
    [0, 3],
    [1, 1],
  ] as const) {
    const dataset = Dataset.range(count).shuffle(size).seed(42);
    await expectResumes(dataset);
    await expectChunkInvariant(dataset);
    await expectResumes(dataset.repeat(3));
  }
  await expectChunkInvariant(Dataset.range(3000).shuffle(700).seed(42), { most: 3000 });
  await expectResumes(Dataset.range(12).shuffle('full').repeat(2).seed(42));
});
