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
});
