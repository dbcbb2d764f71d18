/** Permutations of a million numbers. */
import { Draws } from '../../../../lib/dataset/random/draws';
import { feistelPermutation, permutation } from '../../../../lib/dataset/random/permutation';
import { seedWords, stageKey, type Seed } from '../../../../lib/dataset/random/seed';
import type { Words } from '../../../../lib/dataset/random/threefry';
import { endedWell, runCase } from '../../../support/running/run-case';

const key = (seed: Seed, stage = 0, epoch = 0): Words => stageKey(seedWords('seed', seed), stage, epoch);

describe('permutation', () => {
  test('up to 1,048,576 it is a table, above that it is not', () => {
    const at = (n: number, make: (n: number, draws: Draws) => { at(i: number): number }): number[] =>
      [0, 1, 2, 3].map((i) => make(n, new Draws(key(42))).at(i));
    const [table, cipher] = [1_048_576, 1_048_577];
    const public4 = (n: number): number[] => at(n, () => permutation(n, key(42)));
    expect(public4(table)).not.toEqual(at(table, feistelPermutation));
    expect(public4(cipher)).toEqual(at(cipher, feistelPermutation));
  });

  test('holds every number once, as a table and value by value', async () => {
    expect(await runCase('unit/dataset/cases/bijections')).toEqual(endedWell({ wrong: [] }));
  });

  test('above a table, positions, steps and fixed points are as those of random orders', () => {
    const n = 1_048_579;
    const most = n >> 2;
    const cells = 64;
    const { at } = permutation(n, key(1));
    const counts = new Float64Array(cells * cells);
    let fixed = 0;
    let near = 0;
    let rising = 0;
    let before = at(0);
    for (let i = 1; i <= most; i++) {
      const value = at(i);
      counts[Math.floor(((i - 1) * cells) / most) * cells + Math.floor((value * cells) / n)]!++;
      if (value === i) fixed++;
      if (Math.abs(value - before) <= 10) near++;
      if (value > before) rising++;
      before = value;
    }
    const expected = most / cells ** 2;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // About 4,032 degrees of freedom: five standard deviations of 90.
    expect(Math.abs(chiSquare - cells * (cells - 1))).toBeLessThan(450);
    // All n positions of any random order have 1 on average.
    expect(fixed).toBeLessThan(5);
    // 5 are expected, and 16 are five standard deviations more.
    expect(near).toBeLessThan(17);
    // Half are expected, with a standard deviation of 148.
    expect(Math.abs(rising - most / 2)).toBeLessThan(750);
  });
});
