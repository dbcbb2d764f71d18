/** The order of interleave, `order: 1`, which is that of `tf.data.Dataset.interleave`. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { randoms } from '../../../support/randoms';

/** The rule in plain words: a slot that ends gives up its turn at once, and takes the next input on its next visit. */
function interleaved(lengths: readonly number[], cycle: number, block: number): number[] {
  const slots = new Array<number[] | undefined>(cycle).fill(undefined);
  const waiting = lengths.map((length, input) => Array.from({ length }, (_, i) => 10 * (input + 1) + i));
  const given: number[] = [];
  for (let visit = 0; waiting.length > 0 || slots.some((slot) => slot !== undefined); visit = (visit + 1) % cycle) {
    const slot = (slots[visit] ??= waiting.shift());
    if (slot === undefined) continue;
    for (let taken = 0; taken < block; taken++) {
      const next = slot.shift();
      if (next === undefined) {
        slots[visit] = undefined;
        break;
      }
      given.push(next);
    }
  }
  return given;
}

interface Options {
  readonly cycleLength: number;
  readonly blockLength: number;
  readonly prefetch?: number;
}

const over = (lengths: readonly number[], options: Options): Dataset<number> =>
  Dataset.range(lengths.length).interleave<number, number[]>((input) => {
    const first = 10 * (input + 1);
    return Dataset.range(first, first + lengths[input]!);
  }, options);

test.each<[number[], number, number, string]>([
  [[3, 3, 3, 3], 2, 1, '10 20 11 21 12 22 30 40 31 41 32 42'],
  [[3, 3, 3, 3], 2, 2, '10 11 20 21 12 22 30 31 40 41 32 42'],
  [[3, 3, 3, 3], 3, 2, '10 11 20 21 30 31 12 22 32 40 41 42'],
  [[1, 5, 0, 2, 3], 3, 2, '10 20 21 40 41 22 23 50 51 24 52'],
])('inputs of %j, cycle %i, block %i', async (lengths, cycleLength, blockLength, order) => {
  expect(interleaved(lengths, cycleLength, blockLength).join(' ')).toBe(order);
  for (const prefetch of [0, 1, 16]) {
    const dataset = over(lengths, { cycleLength, blockLength, prefetch });
    expect((await dataset.toArray()).join(' ')).toBe(order);
  }
});

test('lengths, cycles and blocks at random follow the rule', async () => {
  const random = randoms(7);
  const pick = (below: number): number => Math.floor(random() * below);
  for (let round = 0; round < 300; round++) {
    const lengths = Array.from({ length: pick(9) }, () => (pick(4) === 0 ? 0 : pick(10)));
    const options = { cycleLength: 1 + pick(6), blockLength: 1 + pick(5), prefetch: pick(4) };
    const order = interleaved(lengths, options.cycleLength, options.blockLength);
    expect({ lengths, options, order: await over(lengths, options).toArray() }).toEqual({ lengths, options, order });
  }
});

test('16 at a time, one of each, where nothing is said', async () => {
  const lengths = Array.from({ length: 40 }, (_, i) => i % 5);
  const dataset = Dataset.range(40).interleave((i) => Dataset.range(10 * (i + 1), 10 * (i + 1) + lengths[i]!));
  expect(await dataset.toArray()).toEqual(interleaved(lengths, 16, 1));
});

test('resumes anywhere, whatever its chunks', async () => {
  const random = randoms(11);
  const pick = (below: number): number => Math.floor(random() * below);
  for (let round = 0; round < 12; round++) {
    const lengths = Array.from({ length: 1 + pick(8) }, () => pick(8));
    const options = { cycleLength: 1 + pick(4), blockLength: 1 + pick(4) };
    const others = [0, 1, 9].map((prefetch) => over(lengths, { ...options, prefetch }));
    await expectResumes(others[0]!, { others });
    await expectChunkInvariant(others[1]!);
  }
});

test('each input has random numbers of its own, and new ones each epoch', async () => {
  const dataset = Dataset.range(4)
    .interleave(() => Dataset.range(20).shuffle(20), { cycleLength: 1 })
    .repeat(2)
    .seed(42);
  const values = await dataset.toArray();
  const orders = Array.from({ length: 8 }, (_, i) => values.slice(20 * i, 20 * i + 20));
  for (const order of orders) expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(new Set(orders.map(String)).size).toBe(8);
  // The same whatever is read side by side: order is a matter of the number of the input.
  const beside = await Dataset.range(4)
    .interleave(() => Dataset.range(20).shuffle(20), { cycleLength: 4 })
    .seed(42)
    .toArray();
  expect(beside.filter((_, i) => i % 4 === 2)).toEqual(orders[2]);
});

test('speed of the inputs changes nothing', async () => {
  const slow = (input: number): Dataset<number> =>
    Dataset.from(async function* () {
      for (let i = 0; i < 3; i++) {
        if ((input + i) % 2 === 0) await sleep(3);
        yield 10 * (input + 1) + i;
      }
    });
  const dataset = Dataset.range(5).interleave(slow, { cycleLength: 3, blockLength: 2 });
  expect(await dataset.toArray()).toEqual(interleaved([3, 3, 3, 3, 3], 3, 2));
});

test('an element that is ready does not wait for an input that is not', async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const inputs = [
    Dataset.range(3),
    Dataset.from(async function* () {
      await gate;
      yield 100;
    }),
  ];
  const elements = Dataset.range(2)
    .interleave((i) => inputs[i]!, { cycleLength: 2 })
    .iterate();
  expect((await elements.next()).value).toBe(0);
  release();
  expect((await elements.next()).value).toBe(100);
  expect((await elements.next()).value).toBe(1);
  await elements.return();
});

test.each([
  [{ cycleLength: 0 }, RangeError],
  [{ blockLength: 0 }, RangeError],
  [{ cycleLength: 1.5 }, RangeError],
  [{ cycle: 3 }, TypeError],
  [3, TypeError],
])('%j is refused', (options, kind) => {
  expect(() => Dataset.range(2).interleave(() => Dataset.range(1), options as never)).toThrow(kind);
});
