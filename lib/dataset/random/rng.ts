import { outOfRange } from '../../base';
import { Draws } from './draws';
import { elementKey } from './seed';
import type { Words } from './threefry';

/**
 * Random numbers of one element. They depend on the seed, the stage, the epoch and the number of the element alone:
 * threads, `parallel` and chunks change nothing.
 */
export interface Rng {
  /** An integer from 0 to 2^32 - 1. */
  uint32(): number;
  /** An integer from 0 to `below - 1`; `below` from 1 to 2^32. @throws RangeError */
  int(below: number): number;
  /** A number of 53 bits from 0 to below 1. */
  float(): number;
  /** A number of the standard normal distribution. */
  normal(): number;
}

/** The numbers of element `index` under the key of its stage. */
export function elementRng(key: Words, index: number): Rng {
  const draws = new Draws(elementKey(key, index));
  return {
    uint32: () => draws.uint32(),
    int(below) {
      if (!Number.isInteger(below) || below < 1 || below > 2 ** 32) {
        throw outOfRange('below', 'an integer from 1 to 2^32', below);
      }
      return draws.below(below);
    },
    float: () => draws.float(),
    normal: () => draws.normal(),
  };
}
