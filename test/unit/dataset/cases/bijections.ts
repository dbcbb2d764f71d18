/**
 * Lists the permutations of 2^k - 1 to 2^k + 2, for k up to 20, that are not bijections. A process of its own, because
 * Jest makes it ten times slower.
 */
import { say } from '../../../support/running/case';
import { Draws } from '../../../../lib/dataset/random/draws';
import { feistelPermutation, permutation, type Permutation } from '../../../../lib/dataset/random/permutation';
import { seedWords, stageKey } from '../../../../lib/dataset/random/seed';

const MAX_POWER = 20;

function isPermutation({ length, at }: Permutation, n: number): boolean {
  const seen = new Uint8Array(n);
  let distinct = 0;
  for (let i = 0; i < n; i++) {
    const value = at(i);
    if (seen[value] === 0) distinct++;
    seen[value] = 1;
  }
  return distinct === n && length === n;
}

const wrong: string[] = [];
for (let power = 1; power <= MAX_POWER; power++) {
  for (let n = 2 ** power - 1; n <= 2 ** power + 2; n++) {
    const key = stageKey(seedWords('seed', n), 0, 0);
    if (!isPermutation(permutation(n, key), n)) wrong.push(`permutation(${n})`);
    if (!isPermutation(feistelPermutation(n, new Draws(key)), n)) wrong.push(`feistelPermutation(${n})`);
  }
}
say({ wrong });
