/** Epochs, and stages that cut and join datasets: which elements come, and how often. */
import { setImmediate } from 'node:timers/promises';

import { Dataset } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('repeat', () => {
  test('behind a shuffle: each epoch is a permutation, and another one', async () => {
    const values = await Dataset.range(6).shuffle(6).repeat(5).seed(42).toArray();
    const epochs = numbers(5).map((epoch) => values.slice(6 * epoch, 6 * epoch + 6));
    for (const epoch of epochs) expect(sorted(epoch)).toEqual(numbers(6));
    expect(new Set(epochs.map(String)).size).toBe(5);
  });

  test('before a shuffle: epochs mix, and everything comes as often', async () => {
    const values = await Dataset.range(6).repeat(2).shuffle(6).seed(1).toArray();
    expect(sorted(values)).toEqual(sorted([...numbers(6), ...numbers(6)]));
    expect(sorted(values.slice(0, 6))).not.toEqual(numbers(6));
  });

  test('before and behind a batch', async () => {
    const epochs = await Dataset.range(5).batch(2).repeat(2).toArray();
    expect(epochs).toEqual([[0, 1], [2, 3], [4], [0, 1], [2, 3], [4]]);
    const through = await Dataset.range(5).repeat(2).batch(2).toArray();
    expect(through).toEqual([
      [0, 1],
      [2, 3],
      [4, 0],
      [1, 2],
      [3, 4],
    ]);
  });

  test('inside of another, stages see the epochs 0 to 5', async () => {
    const seen = Dataset.range(1).map((_, { epoch }) => epoch);
    expect(await seen.repeat(2).repeat(3).toArray()).toEqual(numbers(6));
    expect(await seen.repeat(3).repeat(2).toArray()).toEqual(numbers(6));
    expect(
      await seen
        .repeat(2)
        .map((epoch, context) => [epoch, context.epoch])
        .repeat(2)
        .toArray(),
    ).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 1],
    ]);
  });

  test('draws what the epoch would draw alone', async () => {
    const once = Dataset.range(8).shuffle(4).seed(42);
    const epochs: number[] = [];
    for (let epoch = 0; epoch < 4; epoch++) {
      for await (const chunk of once.chunks({ epoch })) epochs.push(...chunk);
    }
    expect(await once.repeat(4).toArray()).toEqual(epochs);
    expect(await once.repeat(2).repeat(2).toArray()).toEqual(epochs);
  });

  test('of nothing ends, whatever made it nothing', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const nothings = [
      Dataset.range(0),
      Dataset.from<number>([]),
      Dataset.from<number>(() => []),
      Dataset.range(5).take(0),
      Dataset.range(5).skip(5),
      Dataset.range(5).filter(() => false),
      Dataset.range(5).takeWhile(() => false),
      Dataset.range(5).repeat(0),
      Dataset.range(0).shuffle(3),
      Dataset.range(0).concatenate(Dataset.range(0)),
      Dataset.range(3).interleave(() => Dataset.range(0)),
      Dataset.range(3).batch(5, { dropRemainder: true }),
    ];
    for (const nothing of nothings as Dataset<unknown, unknown>[]) {
      expect(await nothing.repeat().toArray()).toEqual([]);
      expect(await nothing.repeat().repeat().take(1).toArray()).toEqual([]);
    }
    warn.mockRestore();
  });

  test('for ever goes on until nobody asks', async () => {
    const dataset = Dataset.range(3).repeat();
    expect(dataset.size).toBe(Infinity);
    expect(await dataset.take(8).toArray()).toEqual([0, 1, 2, 0, 1, 2, 0, 1]);
    await expectResumes(dataset.shuffle(4), { most: 40 });
  });

  test.each([-1, 1.5, NaN])('%p times is a RangeError', (count) => {
    expect(() => Dataset.range(3).repeat(count)).toThrow(RangeError);
  });

  test('asks a function for its elements once a pass', async () => {
    let passes = 0;
    const dataset = Dataset.from(() => [10 * passes++, 1]);
    expect(await dataset.repeat(3).toArray()).toEqual([0, 1, 10, 1, 20, 1]);
  });
});

describe('take, skip, takeWhile', () => {
  test('by every count', async () => {
    for (let count = 0; count <= 7; count++) {
      expect(await Dataset.range(5).take(count).toArray()).toEqual(numbers(5).slice(0, count));
      expect(await Dataset.range(5).skip(count).toArray()).toEqual(numbers(5).slice(count));
    }
  });

  test.each([-1, 0.5, NaN, Infinity])('%p is a RangeError', (count) => {
    expect(() => Dataset.range(3).take(count)).toThrow(RangeError);
    expect(() => Dataset.range(3).skip(count)).toThrow(RangeError);
  });

  test('take closes what it reads from with its last element', async () => {
    let closed = 0;
    const source = Dataset.from(async function* () {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        closed++;
      }
    });
    const elements = source.take(3).iterate();
    for (let i = 0; i < 3; i++) await elements.next();
    await setImmediate();
    expect(closed).toBe(1);
    expect((await elements.next()).done).toBe(true);
    expect(closed).toBe(1);
  });

  test('sizes', () => {
    const five = Dataset.range(5);
    const sizes = [five.take(3), five.take(9), five.skip(2), five.skip(9), five.repeat(3), five.batch(2)];
    expect(sizes.map(({ size }) => size)).toEqual([3, 5, 3, 0, 15, 3]);
    expect(five.filter(() => true).size).toBeUndefined();
    expect(five.batch(2, { dropRemainder: true }).size).toBe(2);
  });
});

describe('concatenate and enumerate', () => {
  test('parts come one behind the other, each with numbers of its own', async () => {
    const part = (): Dataset<number> => Dataset.range(10).shuffle(10);
    const values = await part().concatenate(part()).seed(42).toArray();
    expect(sorted(values.slice(0, 10))).toEqual(numbers(10));
    expect(sorted(values.slice(10))).toEqual(numbers(10));
    expect(values.slice(0, 10)).not.toEqual(values.slice(10));
  });

  test('numbers begin anew each epoch', async () => {
    const pairs = await Dataset.from(['a', 'b']).enumerate(5).repeat(2).toArray();
    expect(pairs).toEqual([
      [5, 'a'],
      [6, 'b'],
      [5, 'a'],
      [6, 'b'],
    ]);
  });
});

describe('batch', () => {
  test('keeps the remainder, or drops it', async () => {
    expect(await Dataset.range(7).batch(3).toArray()).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    expect(await Dataset.range(7).batch(3, { dropRemainder: true }).toArray()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(await Dataset.range(6).batch(3, { dropRemainder: true }).toArray()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
  });

  test('a bare boolean is refused with both of its meanings', () => {
    const error = expect.objectContaining({
      code: 'ERR_INVALID_ARG_TYPE',
      message: expect.stringMatching(/tf\.data.*tfjs/),
    });
    expect(() => Dataset.range(3).batch(2, true as never)).toThrow(error);
    expect(() => Dataset.range(3).batch(0)).toThrow(RangeError);
  });

  test('that drops everything says so once', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    expect(await Dataset.range(3).batch(4, { dropRemainder: true }).toArray()).toEqual([]);
    expect(await Dataset.range(5).batch(4, { dropRemainder: true }).toArray()).toEqual([[0, 1, 2, 3]]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('batch gave nothing'), 'TFRecordWarning']]);
    warn.mockRestore();
  });

  test('resumes where a batch reaches from one epoch into the next', async () => {
    for (const dropRemainder of [false, true]) {
      const dataset = Dataset.range(8).repeat(3).batch(5, { dropRemainder }).enumerate();
      await expectResumes(dataset);
      await expectChunkInvariant(dataset);
    }
  });
});
