import { Draws } from './draws';
import type { Words } from './threefry';

/** Maximum length of a table. Longer permutations are computed value by value, in constant memory. */
const LARGEST_TABLE = 1_048_576;
const ROUNDS = 8;

/**
 * A permutation of 0 to n - 1: up to n = 1,048,576 a table, shuffled from the top (Fisher and Yates); above that a
 * Feistel network over an even number of bits, applied again until the value is below n (cycle walking).
 */
export interface Permutation {
  readonly length: number;
  /** Returns the value at `index`, from 0 to `length - 1`. */
  at(index: number): number;
}

/** Returns the permutation of `n` under `key` that the order contract defines. */
export function permutation(n: number, key: Words): Permutation {
  return n <= LARGEST_TABLE ? tablePermutation(n, new Draws(key)) : feistelPermutation(n, new Draws(key));
}

function tablePermutation(n: number, draws: Draws): Permutation {
  const table = new Uint32Array(n);
  for (let i = 0; i < n; i++) table[i] = i;
  for (let i = n - 1; i > 0; i--) {
    const j = draws.below(i + 1);
    const value = table[i]!;
    table[i] = table[j]!;
    table[j] = value;
  }
  return { length: n, at: (index) => table[index]! };
}

/** Exported for tests with small n. */
export function feistelPermutation(n: number, draws: Draws): Permutation {
  let half = 1;
  while (4 ** half < n) half++;
  // n is below 2^53, so each half has less than 2^31 values, and integer operations are exact.
  const size = 2 ** half;
  const mask = size - 1;
  const keys = Uint32Array.from({ length: ROUNDS }, () => draws.uint32());
  return {
    length: n,
    at(index) {
      let value = index;
      do {
        let left = Math.floor(value / size);
        let right = value % size;
        for (let round = 0; round < ROUNDS; round++) {
          const sum = (left + mix(right ^ keys[round]!)) & mask;
          left = right;
          right = sum;
        }
        value = left * size + right;
      } while (value >= n);
      return value;
    },
  };
}

function mix(value: number): number {
  let x = value;
  x ^= x >>> 16;
  x = Math.imul(x, 0x21f0aaad);
  x ^= x >>> 15;
  x = Math.imul(x, 0x735a2d97);
  x ^= x >>> 15;
  return x >>> 0;
}
