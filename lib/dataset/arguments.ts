/**
 * Checks the arguments of stages. Each function throws Node's ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE or
 * ERR_OUT_OF_RANGE.
 */
import {
  checkInteger,
  checkOptions,
  counted,
  invalidArgType,
  invalidArgValue,
  neededInteger,
  outOfRange,
} from '../base';
import type { ElementFunction } from './engine/calls';

/** Returns `value`, which is a number of elements from `min` to `max`, or `word`: `full`, `auto`. */
export function countOr<W extends string>(name: string, value: unknown, word: W, min: number, max: number): number | W {
  if (value === word) return word;
  const expected = `a number of elements, or "${word}"`;
  if (typeof value === 'string') throw invalidArgValue(name, expected, value);
  if (typeof value !== 'number') throw invalidArgType(name, expected, value);
  return neededInteger(name, value, min, max);
}

/** Maximum number of elements that a stage can hold in memory: the longest array of V8. */
export const MAX_IN_MEMORY = 2 ** 27;

/**
 * Refuses a stage that would hold too many elements in memory: `wanted`, or the input's `size` if that is smaller.
 * @throws RangeError ERR_OUT_OF_RANGE with the number
 */
export function checkHeld(name: string, wanted: number, size: number | undefined): void {
  const held = Math.min(wanted, size ?? 0);
  if (held <= MAX_IN_MEMORY) return;
  throw outOfRange(name, `such that at most ${MAX_IN_MEMORY} elements are held in memory`, counted(held, 'element'));
}

/** Returns `value`, a callback of the user. */
export function checkFunction(name: string, value: unknown): ElementFunction {
  if (typeof value !== 'function') throw invalidArgType(name, 'a function', value);
  return value as ElementFunction;
}

/** Maximum size of a batch, a window or a buffer, in elements. */
export const MAX_HELD = 2 ** 31 - 1;

/** Returns `options.parallel`: the maximum number of calls under way at a time, from 1 to 65,536. Default 1. */
export function checkParallel(options: { parallel?: number | undefined } | undefined): number {
  const { parallel } = checkOptions(options, ['parallel']);
  return checkInteger('options.parallel', parallel, 1, 65_536, 1);
}
