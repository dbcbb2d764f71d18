import { Dataset, type ResampleOptions } from '../../../../lib/dataset';
import { Draws, seedWords, stageKey } from '../../../../lib/dataset/random';

/** 900 of class 0, 100 of class 1, mixed. */
const classOf = (n: number): number => (n % 10 === 3 ? 1 : 0);
const half = { target: [0.5, 0.5], initial: [0.9, 0.1] };

async function counts(options: ResampleOptions, seed: number): Promise<number[]> {
  const kept = await Dataset.range(1000).rejectionResample(classOf, options).seed(seed).toArray();
  return [kept.filter((n) => classOf(n) === 0).length, kept.filter((n) => classOf(n) === 1).length];
}

test('keeps the class that is rare, and of the others what makes the shares', async () => {
  const [common, rare] = await counts(half, 1);
  expect(rare).toBe(100);
  // 900 with a likelihood of 1/9: five standard deviations around 100.
  expect(common).toBeGreaterThan(52);
  expect(common).toBeLessThan(148);
  await expect(counts({ ...half, target: [9, 1] }, 1)).resolves.toEqual([900, 100]);
  await expect(counts({ ...half, target: [1, 0] }, 1)).resolves.toEqual([900, 0]);
  await expect(counts({ target: [0, 1], initial: [1, 0.5] }, 1)).resolves.toEqual([0, 100]);
});

test('takes one float an element, in their order', async () => {
  const draws = new Draws(stageKey(seedWords('seed', 7), 0, 0));
  const expected = Array.from({ length: 1000 }, (_, n) => n).filter(
    (n) => draws.float() < (classOf(n) === 1 ? 1 : 0.5 / 0.9 / (0.5 / 0.1)),
  );
  const dataset = Dataset.range(1000).rejectionResample(classOf, half);
  await expect(dataset.seed(7).toArray()).resolves.toEqual(expected);
  await expect(
    Dataset.range(1000)
      .rejectionResample(classOf, { ...half, seed: 7 })
      .toArray(),
  ).resolves.toEqual(expected);
});

test('counts the classes where their shares are not told', async () => {
  const [common, rare] = await counts({ target: [1, 1] }, 2);
  expect(rare).toBe(100);
  expect(common).toBeGreaterThan(52);
  expect(common).toBeLessThan(160);
});

test('arguments and results are checked', async () => {
  const resample = (options: object): unknown => Dataset.range(9).rejectionResample(classOf, options as never);
  expect(() => resample({})).toThrow(TypeError);
  expect(() => resample({ target: [1, -1] })).toThrow(RangeError);
  expect(() => resample({ target: [0, 0] })).toThrow(/not all 0/);
  expect(() => resample({ target: [1, 1], initial: [1] })).toThrow(/2 shares/);
  expect(() => resample({ target: [1, 1], initial: [1, 0] })).toThrow(/wanted/);
  const wrong = Dataset.range(9).rejectionResample(() => 2, half);
  await expect(wrong.toArray()).rejects.toMatchObject({ code: 'TFR_USER', cause: { code: 'ERR_OUT_OF_RANGE' } });
  expect(() => Dataset.range(9).rejectionResample(classOf, half).shard(2, 0)).toThrow(/seed/);
});
