/** `Dataset.sampleFrom` and `Dataset.chooseFrom`. */
import { Dataset } from '../../../../lib';
import { Draws, seedWords, stageKey } from '../../../../lib/dataset/random';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { thrown } from '../../../support/thrown';

/** `count` elements that tell their part. */
const part = (number: number, count: number): Dataset<number> => Dataset.range(count).map((i) => 100 * number + i);

/** The contract, on arrays: one float an element; what has ended leaves the sum. */
function sampled(
  parts: readonly (readonly number[])[],
  weights: readonly number[],
  seed: number,
  exhausted: 'drop' | 'stop',
): number[] {
  const draws = new Draws(stageKey(seedWords('seed', seed), 0, 0));
  const left = parts.map((values) => [...values]);
  const result: number[] = [];
  for (;;) {
    const weightOf = (i: number): number => (exhausted === 'drop' && left[i]?.length === 0 ? 0 : weights[i]!);
    const total = left.reduce((sum, _, i) => sum + weightOf(i), 0);
    if (total === 0) return result;
    const u = draws.float();
    let sum = 0;
    const chosen = left.findIndex((_, i) => (sum += weightOf(i)) / total > u);
    const value = left[chosen]?.shift();
    if (value === undefined) return result;
    result.push(value);
  }
}

describe('sampleFrom', () => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed))('the draws of the contract, seed %d', async (seed) => {
    const sizes = [3 + (seed % 5), 6, 1 + seed];
    const weights = [1, 0.25 * (seed % 3), 3];
    const arrays = sizes.map((size, number) => Array.from({ length: size }, (_, i) => 100 * number + i));
    const parts = sizes.map((size, number) => part(number, size));
    for (const exhausted of ['drop', 'stop'] as const) {
      const mixed = Dataset.sampleFrom(parts, { weights, seed, exhausted });
      expect(await mixed.toArray()).toEqual(sampled(arrays, weights, seed, exhausted));
    }
  });

  test('every element once, in the order of its part; equal weights by default', async () => {
    const values = await Dataset.sampleFrom([part(1, 50), part(2, 80)])
      .seed(1)
      .toArray();
    expect(values).toHaveLength(130);
    expect(values.filter((value) => value < 200)).toEqual(await part(1, 50).toArray());
    expect(values.filter((value) => value >= 200)).toEqual(await part(2, 80).toArray());
  });

  test('exact: 1 to 3 is 1 0 1 1, over and over', async () => {
    const mixed = Dataset.sampleFrom([Dataset.from([0]), Dataset.from([1])], {
      weights: [1, 3],
      exact: true,
      exhausted: 'repeat',
    });
    expect(await mixed.take(12).toArray()).toEqual([1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1]);
  });

  test('exact: every prefix is as close to the weights as it can be; what ended leaves the shares to the others', async () => {
    const weights = [5, 2, 1];
    const parts = [400, 400, 10].map((count, number) => Dataset.range(count).map(() => number));
    const values = await Dataset.sampleFrom(parts, { weights, exact: true }).toArray();
    expect(values).toHaveLength(810);
    const counts = [0, 0, 0];
    for (const [i, value] of values.slice(0, 80).entries()) {
      counts[value] = counts[value]! + 1;
      counts.forEach((count, number) => {
        expect(Math.abs(count - (weights[number]! / 8) * (i + 1))).toBeLessThan(1);
      });
    }
    // 5 to 2 from there on, without one of them making up for the third.
    const behind = values.slice(values.lastIndexOf(2) + 1).slice(0, 70);
    for (let end = 7; end <= 70; end += 7) {
      const first = behind.slice(0, end).filter((value) => value === 0).length;
      expect(Math.abs(first - (5 * end) / 7)).toBeLessThanOrEqual(1);
    }
  });

  test('stop ends where the part that is drawn has ended', async () => {
    const mixed = Dataset.sampleFrom([part(0, 2), part(1, 9)], { weights: [1, 1], exact: true, exhausted: 'stop' });
    expect(await mixed.toArray()).toEqual([0, 100, 1, 101]);
  });

  test('repeat begins a part again, in another order', async () => {
    const small = Dataset.range(6).shuffle('full');
    const mixed = Dataset.sampleFrom([small, part(1, 1000)], { weights: [1, 0], exhausted: 'repeat' }).seed(2);
    const values = await mixed.take(18).toArray();
    const passes = [0, 6, 12].map((begin) => values.slice(begin, begin + 6));
    for (const pass of passes) expect([...pass].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(passes[0]).not.toEqual(passes[1]);
    expect(mixed.size).toBe(Infinity);
  });

  test('an empty part is an error, unless it is dropped', async () => {
    const parts = [part(0, 3), part(1, 0)];
    for (const exhausted of ['stop', 'repeat'] as const) {
      await expect(Dataset.sampleFrom(parts, { exhausted }).toArray()).rejects.toMatchObject({
        code: 'ERR_INVALID_ARG_VALUE',
        stage: 'sampleFrom',
        message: expect.stringMatching(/Part 1 of sampleFrom is empty/),
      });
    }
    expect(await Dataset.sampleFrom(parts).toArray()).toEqual([0, 1, 2]);
    const once = [1, 2, 3][Symbol.iterator]();
    const used = Dataset.sampleFrom([Dataset.from(once)], { exhausted: 'repeat' });
    await expect(used.toArray()).rejects.toThrow(/Part 0 of sampleFrom is empty/);
  });

  test('weights of 0: the part is not read', async () => {
    let read = 0;
    const unread = Dataset.range(3).map(() => read++);
    expect(await Dataset.sampleFrom([unread, part(1, 2)], { weights: [0, 1] }).toArray()).toEqual([100, 101]);
    expect(read).toBe(0);
  });

  test('each iteration and each epoch has an order of its own', async () => {
    const mixed = Dataset.sampleFrom([part(0, 20), part(1, 20)], { seed: 4 });
    const first = await mixed.toArray();
    expect(await mixed.toArray()).not.toEqual(first);
    const epochs = await Dataset.sampleFrom([part(0, 20), part(1, 20)], { seed: 4 })
      .repeat(2)
      .toArray();
    expect(epochs.slice(0, 40)).toEqual(first);
    expect(epochs.slice(40)).not.toEqual(first);
  });

  test('size: that of all parts where none is dropped unread', () => {
    expect(Dataset.sampleFrom([Dataset.range(3), Dataset.range(4)]).size).toBe(7);
    expect(Dataset.sampleFrom([Dataset.range(3), Dataset.range(4)], { weights: [0, 1] }).size).toBe(4);
    expect(Dataset.sampleFrom([Dataset.range(3)], { exhausted: 'stop' }).size).toBeUndefined();
  });

  test('an element that is ready does not wait for a part that is slow', async () => {
    const stuck = Dataset.from({
      [Symbol.asyncIterator]: () => {
        let given = 0;
        return {
          next: () =>
            given++ === 0
              ? Promise.resolve({ value: -1, done: false as const })
              : new Promise<IteratorResult<number>>(() => undefined),
        };
      },
    });
    const elements = Dataset.sampleFrom([stuck, part(1, 9)], { exact: true, exhausted: 'stop' }).iterate();
    const values: unknown[] = [];
    for (let i = 0; i < 2; i++) values.push((await elements.next()).value);
    expect(values).toEqual([-1, 100]);
    await elements.return();
  });

  test('resumes up to the error of a part', async () => {
    const failing = part(0, 9).map((n) => {
      if (n === 4) throw new Error('no four');
      return n;
    });
    for (const exhausted of ['drop', 'stop'] as const) {
      const mixed = Dataset.sampleFrom([failing, part(1, 20)], { seed: 3, exhausted });
      await expectResumes(mixed);
      await expectChunkInvariant(mixed);
    }
  });

  test('wrong arguments', () => {
    const sampleFrom = Dataset.sampleFrom as (...args: unknown[]) => unknown;
    const parts = [part(0, 1), part(1, 1)];
    const codes = (options: unknown, given: unknown = parts): unknown =>
      (thrown(() => sampleFrom(given, options)) as { code?: string }).code;
    expect(codes({}, [])).toBe('ERR_INVALID_ARG_VALUE');
    expect(codes({}, part(0, 1))).toBe('ERR_INVALID_ARG_TYPE');
    expect(codes({}, [1])).toBe('ERR_INVALID_ARG_TYPE');
    expect(codes({ weights: [1] })).toBe('ERR_INVALID_ARG_VALUE');
    expect(codes({ weights: [0, 0] })).toBe('ERR_INVALID_ARG_VALUE');
    expect(codes({ weights: [1, -1] })).toBe('ERR_OUT_OF_RANGE');
    expect(codes({ weights: [1, NaN] })).toBe('ERR_OUT_OF_RANGE');
    expect(codes({ weights: [1, '1'] })).toBe('ERR_INVALID_ARG_TYPE');
    expect(codes({ weights: 'half' })).toBe('ERR_INVALID_ARG_TYPE');
    expect(codes({ exhausted: 'end' })).toBe('ERR_INVALID_ARG_VALUE');
    expect(codes({ exact: 1 })).toBe('ERR_INVALID_ARG_TYPE');
    expect(codes(true)).toBe('ERR_INVALID_ARG_TYPE');
  });
});

describe('chooseFrom', () => {
  const parts = [part(0, 2), part(1, 3)];

  test('follows the numbers, and ends with them', async () => {
    expect(await Dataset.chooseFrom(parts, Dataset.from([1, 0, 1])).toArray()).toEqual([100, 0, 101]);
    expect(await Dataset.chooseFrom(parts, Dataset.from([1n, 0n])).toArray()).toEqual([100, 0]);
  });

  test('a part that has ended: all ends, it is passed over, or it begins again', async () => {
    const choice = Dataset.from([0, 0, 0, 1, 0, 1]);
    const chosen = (exhausted?: 'drop' | 'stop' | 'repeat'): Promise<number[]> =>
      Dataset.chooseFrom(parts, choice, { exhausted }).toArray();
    expect(await chosen()).toEqual([0, 1]);
    expect(await chosen('stop')).toEqual([0, 1]);
    expect(await chosen('drop')).toEqual([0, 1, 100, 101]);
    expect(await chosen('repeat')).toEqual([0, 1, 0, 100, 1, 101]);
  });

  test('numbers that go on for ever end with the parts', async () => {
    const choice = Dataset.range(2).repeat();
    expect(await Dataset.chooseFrom(parts, choice, { exhausted: 'drop' }).toArray()).toEqual([0, 100, 1, 101, 102]);
  });

  test('what is the number of no part is an error behind the elements before it', async () => {
    const given: number[] = [];
    const wrong = Dataset.chooseFrom(parts, Dataset.from([0, 1, 2]));
    await expect(wrong.forEachAsync((value) => given.push(value))).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
    expect(given).toEqual([0, 100]);
    await expect(Dataset.chooseFrom(parts, Dataset.from([0.5])).toArray()).rejects.toThrow(/from 0 to 1/);
  });

  test('an empty part is an error, unless it is dropped', async () => {
    const empty = [part(0, 2), part(1, 0)];
    const choice = Dataset.from([0, 1, 0]);
    await expect(Dataset.chooseFrom(empty, choice).toArray()).rejects.toThrow(/Part 1 of chooseFrom is empty/);
    expect(await Dataset.chooseFrom(empty, choice, { exhausted: 'drop' }).toArray()).toEqual([0, 1]);
  });

  test('wrong arguments', () => {
    const chooseFrom = Dataset.chooseFrom as (...args: unknown[]) => unknown;
    expect(thrown(() => chooseFrom(parts, [1, 2]))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    expect(thrown(() => chooseFrom(parts, parts[0], { weights: [1, 1] }))).toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
    });
  });
});
