import { randomBytes } from 'node:crypto';

import { invalidArgType, outOfRange } from '../../base';
import { threefry, type Words } from './threefry';

/** A seed: an integer from -2^63 to 2^64 - 1, taken modulo 2^64. */
export type Seed = number | bigint;

const MIN = -(2n ** 63n);
const MAX = 2n ** 64n - 1n;
/** Reserved counters, which no stage has: for the inputs and parts of a stage, and for repeated iteration. */
const NESTED = 0xffff_fffe;
const CALL = 0xffff_ffff;

/** Returns the words of `seed`. @throws TypeError, RangeError, which name the option `name` */
export function seedWords(name: string, seed: unknown): Words {
  if (typeof seed !== 'bigint' && typeof seed !== 'number') throw invalidArgType(name, 'a number or a bigint', seed);
  if (typeof seed === 'number' && !Number.isSafeInteger(seed))
    throw outOfRange(name, 'a safe integer or a bigint', seed);
  const value = BigInt(seed);
  if (value < MIN || value > MAX) throw outOfRange(name, 'from -2^63 to 2^64 - 1', seed);
  return wordsOf(BigInt.asUintN(64, value));
}

/**
 * Returns the words of the optional seed `seed`, option `name`; undefined if it is missing. @throws TypeError,
 * RangeError
 */
export function optionalSeed(name: string, seed: unknown): Words | undefined {
  return seed === undefined ? undefined : seedWords(name, seed);
}

/** Returns a stage's own seed as states store it. */
export function seedJson(seed: Words | undefined): readonly [low: number, high: number] | null {
  return seed === undefined ? null : [seed.low, seed.high];
}

/** Returns a seed as decimal digits. */
export function seedText({ low, high }: Words): string {
  return String((BigInt(high) << 32n) | BigInt(low));
}

/** Returns the words of the digits that {@link seedText} returned; undefined for other values. */
export function seedFromText(text: unknown): Words | undefined {
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value > MAX ? undefined : wordsOf(value);
}

/** Returns a random seed of the system. */
export function systemSeed(): Words {
  const bytes = randomBytes(8);
  return { low: bytes.readUInt32LE(0), high: bytes.readUInt32LE(4) };
}

/** Returns the key of stage number `stage` in epoch `epoch`. */
export function stageKey(seed: Words, stage: number, epoch: number): Words {
  return threefry(seed, { low: stage, high: epoch >>> 0 });
}

/** Returns the seed of iteration `call` of a dataset; the first, 0, uses `seed` itself. */
export function callSeed(seed: Words, call: number): Words {
  return call === 0 ? seed : threefry(seed, { low: CALL, high: call >>> 0 });
}

/** Returns the seed for the chain of input or part `index` of a stage with the key `key`. */
export function nestedSeed(key: Words, index: number): Words {
  return threefry(key, { low: NESTED, high: index >>> 0 });
}

/** Returns the key of element `index` of an epoch, under the key of its stage. */
export function elementKey(key: Words, index: number): Words {
  return threefry(key, { low: index >>> 0, high: Math.floor(index / 2 ** 32) });
}

function wordsOf(value: bigint): Words {
  return { low: Number(value & 0xffff_ffffn), high: Number(value >> 32n) };
}
