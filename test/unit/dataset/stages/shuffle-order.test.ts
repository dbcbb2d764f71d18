/** The orders of shuffle buffers and full shuffles, `order: 1`. */
import { createHash } from 'node:crypto';

import { Dataset, type DatasetState } from '../../../../lib/dataset';
import { drain, sorted, upTo } from '../../../support/datasets/elements';

/** The rule of the reference in plain words, without any of the machinery. */
function shuffled(count: number, size: number, below: (n: number) => number): number[] {
  const buffer = upTo(Math.min(size, count));
  const given: number[] = [];
  for (let next = buffer.length; buffer.length > 0; next++) {
    const at = below(buffer.length);
    given.push(buffer[at]!);
    const last = next < count ? next : buffer.pop();
    if (at < buffer.length) buffer[at] = last!;
  }
  return given;
}

test('chunks are as long as asked for, whatever those of the input are', async () => {
  const lengths: number[] = [];
  for await (const chunk of Dataset.range(3000).shuffle(300).chunks({ size: 700 })) lengths.push(chunk.length);
  // The first chunks are short, and a turn of the event loop ends one early.
  expect(Math.max(...lengths)).toBe(700);
  expect(lengths.length).toBeLessThan(12);
  expect(lengths.reduce((sum, length) => sum + length)).toBe(3000);
});

test.each([
  [0, '0 3 2 1 5 7 4 6 8 9'],
  [1, '1 2 4 5 3 7 6 9 0 8'],
])('10 elements, a buffer of 3, seed 42, epoch %i', async (epoch, order) => {
  expect((await drain(Dataset.range(10).shuffle(3).seed(42), epoch)).join(' ')).toBe(order);
  // The seed of a stage alone is the same for the first random stage.
  expect((await drain(Dataset.range(10).shuffle(3, { seed: 42 }), epoch)).join(' ')).toBe(order);
});

test('5,000 elements, a buffer of 700, seed 5; and a state of that order, as it was stored', async () => {
  // Golden, order: 1.
  const dataset = Dataset.range(5000).shuffle(700).seed(5);
  const order = await drain(dataset, 0);
  expect(order.slice(0, 12).join(' ')).toBe('94 675 443 385 117 252 369 679 48 63 405 708');
  expect(createHash('md5').update(order.join(' ')).digest('hex')).toBe('4a2d9d803da9ee0677cdbfdb3cbaea59');
  const state = {
    version: 1,
    order: 1,
    graph: 'range[0,1,5000] > shuffle[700,null,true]',
    seed: '5',
    call: 0,
    epoch: 0,
    position: 4321,
    place: [[4181, [64, 0], 64, null, 0, 0], 140],
    sum: '2d44a8bb5503d241',
  } as unknown as DatasetState;
  const rest: number[] = [];
  for await (const value of dataset.iterate({ state })) rest.push(value);
  expect(rest).toEqual(order.slice(4321));
});

test('the buffer is as the table says at each step', async () => {
  const buffers = ['0 1 2', '3 1 2', '4 1 2', '4 1 5', '4 6 5', '4 6 7', '4 6 8', '9 6 8', '9 8', '9'];
  const places = [0, 0, 2, 1, 2, 2, 0, 1, 1, 0];
  const queue = [...places];
  const order = shuffled(10, 3, () => queue.shift()!);
  expect(order.join(' ')).toBe('0 3 2 1 5 7 4 6 8 9');
  expect(buffers.map((buffer, i) => Number(buffer.split(' ')[places[i]!]))).toEqual(order);
});

test('every size of buffer and number of elements gives each element once, no sooner than it may', async () => {
  for (let count = 0; count <= 12; count++) {
    for (let size = 1; size <= 14; size++) {
      const order = await drain(Dataset.range(count).shuffle(size, { seed: count * 100 + size }));
      expect(sorted(order)).toEqual(upTo(count));
      expect(order.every((value, position) => value <= position + size - 1)).toBe(true);
    }
  }
});

test('a buffer of 1 changes nothing; one of 0 is a RangeError', async () => {
  expect(await drain(Dataset.range(20).shuffle(1))).toEqual(upTo(20));
  expect(() => Dataset.range(3).shuffle(0)).toThrow(RangeError);
  expect(() => Dataset.range(3).shuffle(-1)).toThrow(RangeError);
  expect(() => Dataset.range(3).shuffle(1.5)).toThrow(RangeError);
});

test('a bare boolean is refused', () => {
  expect(() => Dataset.range(3).shuffle(2, true as never)).toThrow(TypeError);
  expect(() => Dataset.range(3).shuffle(2, 42 as never)).toThrow(TypeError);
  expect(() => Dataset.range(3).shuffle(2, { sed: 1 } as never)).toThrow(TypeError);
});

test.each([
  [42, 0, '8 9 3 1 2 5 7 4 0 6'],
  [42, 1, '5 0 3 8 6 1 7 4 9 2'],
  [43, 0, '4 2 5 9 7 6 3 1 0 8'],
])('in full, seed %i, epoch %i', async (seed, epoch, order) => {
  expect((await drain(Dataset.range(10).shuffle('full').seed(seed), epoch)).join(' ')).toBe(order);
});

test('stages are counted from the source: other stages between change no shuffle', async () => {
  const plain = await drain(Dataset.range(30).shuffle(5).shuffle(7).seed(42));
  const others = Dataset.range(30)
    .map((x) => x)
    .filter(() => true)
    .shuffle(5)
    .prefetch(3)
    .map((x) => x)
    .shuffle(7)
    .seed(42);
  expect(await drain(others)).toEqual(plain);
});

test('two shuffles of the same seed do not draw the same', async () => {
  const first = await drain(Dataset.range(30).shuffle('full', { seed: 1 }));
  const model = first.map((value) => first[value]!);
  expect(await drain(Dataset.range(30).shuffle('full', { seed: 1 }).shuffle('full', { seed: 1 }))).not.toEqual(model);
});

test('iterations of one dataset differ, a program run twice does not', async () => {
  const make = (): Dataset<number> => Dataset.range(20).shuffle(20).seed(42);
  const [one, other] = [make(), make()];
  const runs = [await one.toArray(), await one.toArray(), await one.toArray()];
  expect(new Set(runs.map(String)).size).toBe(3);
  expect([await other.toArray(), await other.toArray()]).toEqual(runs.slice(0, 2));
  // An epoch that was asked for belongs to the first, and does not count.
  expect(await drain(one, 0)).toEqual(runs[0]);
  expect([await drain(other, 0), await other.toArray()]).toEqual([runs[0], runs[2]]);
  // Golden, order: 1.
  expect(String(runs[1])).toBe('14,12,1,4,9,17,18,15,10,2,19,5,7,11,6,16,0,3,8,13');
});

test('reshuffle: false has one order, in every epoch and iteration', async () => {
  for (const buffer of [5, 'full'] as const) {
    const dataset = Dataset.range(12).shuffle(buffer, { seed: 42, reshuffle: false });
    const order = await dataset.toArray();
    expect([await dataset.toArray(), await drain(dataset, 3)]).toEqual([order, order]);
    expect(await dataset.repeat(2).toArray()).toEqual([...order, ...order]);
  }
});

test('without a seed the system gives one, which the state has', async () => {
  const dataset = Dataset.range(1000).shuffle(1000);
  const elements = dataset.iterate({ epoch: 0 });
  const state = elements.state();
  expect(state.seed).toMatch(/^\d+$/);
  const values: number[] = [];
  for await (const value of elements) values.push(value);
  expect(await drain(dataset, 0)).not.toEqual(values);
  expect(await drain(Dataset.range(1000).shuffle(1000).seed(BigInt(state.seed)), 0)).toEqual(values);
});
