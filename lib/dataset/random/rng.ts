import { outOfRange } from '../../base';
import { Draws } from './draws';
import { elementKey } from './seed';
import type { Words } from './threefry';

/**
 * The random numbers of one element. They depend only on the seed, the stage, the epoch and the number of the element,
 * not on threads, `parallel` and chunks.
 */
export interface Rng {
  /** Returns an integer from 0 to 2^32 - 1. */
  uint32(): number;
  /** Returns an integer from 0 to `below - 1`; `below` is from 1 to 2^32. @throws RangeError */
  int(below: number): number;
  /** Returns a number of 53 bits in [0, 1). */
  float(): number;
  /** Returns a number of the standard normal distribution. */
  normal(): number;
}

/** Returns the random numbers of element `index` under the key of its stage. */
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
