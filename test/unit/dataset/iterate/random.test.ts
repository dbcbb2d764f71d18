/** The order contract, `order: 1`, bit by bit. Golden values were made once and must not change. */
import { Draws } from '../../../../lib/dataset/random/draws';
import { permutation } from '../../../../lib/dataset/random/permutation';
import { elementRng } from '../../../../lib/dataset/random/rng';
import {
  callSeed,
  nestedSeed,
  seedFromText,
  seedText,
  seedWords,
  stageKey,
  type Seed,
} from '../../../../lib/dataset/random/seed';
import { threefry, type Words } from '../../../../lib/dataset/random/threefry';

const hex = (word: number): string => word.toString(16).padStart(8, '0');
const both = ({ low, high }: Words): string => `${hex(low)} ${hex(high)}`;
const words = (low: number, high: number): Words => ({ low, high });
const key = (seed: Seed, stage = 0, epoch = 0): Words => stageKey(seedWords('seed', seed), stage, epoch);
const list = (n: number, of: Words): number[] => {
  const order = permutation(n, of);
  return Array.from({ length: n }, (_, i) => order.at(i));
};

/** What the reference leaves to us: made once, `order: 1`. */
const GOLDEN = {
  below: [1509012946, 1860988502, 1386766994, 126400490, 893594296, 817864725, 35793440, 341787630],
  floats: [0.6097989034285818, 0.29121536177591545, 0.8779076337409832, 0.9783137411677136],
  normals: [-1.157267537089416, 0.5258807635111553],
  stage: '9eb17e48 3c6ec1c6',
  call: '35bc9084 119f1c7d',
  nested: '0fc5635b de089e3a',
  element: [3335644631, 7],
};

describe('Threefry-2x32-20', () => {
  // The known answers that its authors publish with it (Random123, kat_vectors).
  test.each([
    [words(0, 0), words(0, 0), '6b200159 99ba4efe'],
    [words(0xffffffff, 0xffffffff), words(0xffffffff, 0xffffffff), '1cb996fc bb002be7'],
    [words(0x13198a2e, 0x03707344), words(0x243f6a88, 0x85a308d3), 'c4923a9c 483df7a0'],
  ])('key %j, counter %j', (of, counter, answer) => {
    expect(both(threefry(of, counter))).toBe(answer);
  });
});

describe('draws', () => {
  test.each([
    [0, '9c1bc7e0 5ae63d09 4a8d171c 375ce899'],
    [1, 'dcd4e2ae 48028f7f'],
  ])('of seed 42, stage 0, epoch %i', (epoch, answer) => {
    const draws = new Draws(key(42, 0, epoch));
    const count = answer.split(' ').length;
    expect(Array.from({ length: count }, () => hex(draws.uint32())).join(' ')).toBe(answer);
  });

  test('go on anywhere', () => {
    const whole = new Draws(key(42));
    const numbers = Array.from({ length: 40 }, () => whole.uint32());
    for (let drawn = 0; drawn < 40; drawn++) {
      const rest = new Draws(key(42), drawn);
      expect(rest.drawn).toBe(drawn);
      expect(Array.from({ length: 40 - drawn }, () => rest.uint32())).toEqual(numbers.slice(drawn));
    }
  });

  test('count beyond 32 bits of blocks', () => {
    const far = new Draws(key(42), 2 ** 33);
    expect(both(words(far.uint32(), far.uint32()))).toBe(both(threefry(key(42), words(0, 1))));
  });

  test('below(n) draws again what would make some numbers likelier', () => {
    const [of, draws, model] = [key(7), new Draws(key(7)), new Draws(key(7))];
    // Half of all numbers and a bit: every other draw has to be made again.
    for (const n of [2 ** 31 + 1, 3, 1, 10, 2 ** 32, 2 ** 32 - 1, 1_000_003]) {
      for (let i = 0; i < 50; i++) {
        const limit = 2 ** 32 - (2 ** 32 % n);
        let x = model.uint32();
        while (x >= limit) x = model.uint32();
        expect(draws.below(n)).toBe(x % n);
      }
    }
    expect(draws.drawn).toBe(model.drawn);
    expect(draws.drawn).toBeGreaterThan(7 * 50);
    // Golden, order: 1.
    const again = new Draws(of);
    expect(Array.from({ length: 8 }, () => again.below(2 ** 31 + 1))).toEqual(GOLDEN.below);
  });

  test('float and normal', () => {
    const [draws, raw] = [new Draws(key(42)), new Draws(key(42))];
    const float = (): number => ((raw.uint32() >>> 5) * 2 ** 26 + (raw.uint32() >>> 6)) / 2 ** 53;
    for (let i = 0; i < 100; i++) expect(draws.float()).toBe(float());
    const normal = (): number => {
      const [u, v] = [float(), float()];
      return Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v);
    };
    for (let i = 0; i < 100; i++) expect(draws.normal()).toBe(normal());
    // Golden, order: 1. What a normal number is depends on the last bits of the engine's log and cos.
    const again = new Draws(key(42));
    expect(Array.from({ length: 4 }, () => again.float())).toEqual(GOLDEN.floats);
    for (const expected of GOLDEN.normals) expect(again.normal()).toBeCloseTo(expected, 12);
  });

  test('normal is never infinite, and distributed as it should', () => {
    const draws = new Draws(key(1));
    const numbers = Array.from({ length: 20_000 }, () => draws.normal());
    const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
    const variance = numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length;
    expect(numbers.every(Number.isFinite)).toBe(true);
    expect(Math.abs(mean)).toBeLessThan(0.04);
    expect(Math.abs(variance - 1)).toBeLessThan(0.06);
  });
});

describe('seeds and keys', () => {
  test.each<[Seed, Seed]>([
    [-1, 2n ** 64n - 1n],
    [-(2n ** 63n), 2n ** 63n],
    [42, 42n],
    [-42, 2n ** 64n - 42n],
  ])('%s is %s modulo 2^64', (one, other) => {
    expect(seedWords('seed', one)).toEqual(seedWords('seed', other));
  });

  test.each<[unknown, string]>([
    [2n ** 64n, 'ERR_OUT_OF_RANGE'],
    [-(2n ** 63n) - 1n, 'ERR_OUT_OF_RANGE'],
    [2 ** 53, 'ERR_OUT_OF_RANGE'],
    [0.5, 'ERR_OUT_OF_RANGE'],
    [NaN, 'ERR_OUT_OF_RANGE'],
    ['42', 'ERR_INVALID_ARG_TYPE'],
    [null, 'ERR_INVALID_ARG_TYPE'],
  ])('%p is no seed', (seed, code) => {
    expect(() => seedWords('seed', seed)).toThrow(expect.objectContaining({ code }));
  });

  test('as text and back', () => {
    for (const seed of [0, 1, 42, 2n ** 32n, 2n ** 64n - 1n, 0x0123456789abcdefn]) {
      const of = seedWords('seed', seed);
      expect(seedText(of)).toBe(String(seed));
      expect(seedFromText(seedText(of))).toEqual(of);
    }
    for (const text of ['', '-1', '1e3', '0x10', String(2n ** 64n), ' 1', 1])
      expect(seedFromText(text)).toBeUndefined();
  });

  test('of stages, epochs, calls, inputs and elements', () => {
    const seed = seedWords('seed', 42);
    expect(stageKey(seed, 3, 5)).toEqual(threefry(seed, words(3, 5)));
    expect(callSeed(seed, 0)).toBe(seed);
    expect(callSeed(seed, 2)).toEqual(threefry(seed, words(0xffffffff, 2)));
    expect(nestedSeed(seed, 9)).toEqual(threefry(seed, words(0xfffffffe, 9)));
    // Golden, order: 1.
    expect(both(stageKey(seed, 3, 5))).toBe(GOLDEN.stage);
    expect(both(callSeed(seed, 2))).toBe(GOLDEN.call);
    expect(both(nestedSeed(seed, 9))).toBe(GOLDEN.nested);
  });

  test('one element has numbers of its own', () => {
    const rng = elementRng(key(42), 7);
    const draws = new Draws(threefry(key(42), words(7, 0)));
    const [first, second] = [rng.uint32(), rng.int(10)];
    expect([first, second]).toEqual([draws.uint32(), draws.below(10)]);
    expect([rng.float(), rng.normal()]).toEqual([draws.float(), draws.normal()]);
    expect(elementRng(key(42), 2 ** 32).uint32()).toBe(new Draws(threefry(key(42), words(0, 1))).uint32());
    // Golden, order: 1.
    expect([first, second]).toEqual(GOLDEN.element);
  });

  test.each([0, -1, 1.5, 2 ** 32 + 1, NaN])('int(%p) is a RangeError', (below) => {
    expect(() => elementRng(key(42), 0).int(below)).toThrow(RangeError);
  });
});

describe('permutation', () => {
  test.each<[Seed, number, string]>([
    [42, 0, '8 9 3 1 2 5 7 4 0 6'],
    [42, 1, '5 0 3 8 6 1 7 4 9 2'],
    [43, 0, '4 2 5 9 7 6 3 1 0 8'],
  ])('of 10, seed %s, epoch %i', (seed, epoch, answer) => {
    expect(list(10, key(seed, 0, epoch)).join(' ')).toBe(answer);
  });

  test('of 1,048,579 is made value by value', () => {
    const order = permutation(1_048_579, key(42));
    expect(Array.from({ length: 6 }, (_, i) => order.at(i)).join(' ')).toBe(
      '839132 182917 325661 719769 403286 992272',
    );
    expect(order.at(1_048_578)).toBe(703753);
  });

  test('of nothing, and of one', () => {
    expect(list(0, key(42))).toEqual([]);
    expect(list(1, key(42))).toEqual([0]);
  });

  test('every order of 4 is as likely', () => {
    const counts = new Map<string, number>();
    const trials = 24_000;
    for (let seed = 0; seed < trials; seed++) {
      const order = list(4, key(seed)).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(counts.size).toBe(24);
    // 23 degrees of freedom: beyond 60 once in 40,000 contracts.
    expect(chiSquare).toBeLessThan(60);
  });
});
