/** Checks of the arguments of stages. Each throws one of Node's argument errors. */
import { checkInteger, checkOptions, counted, invalidArgType, invalidArgValue, outOfRange } from '../base';
import type { ElementFunction } from './engine/calls';

/** An integer that must be given. */
export function neededInteger(name: string, value: unknown, min: number, max: number): number {
  const given = checkInteger(name, value, min, max, undefined);
  if (given === undefined) throw invalidArgType(name, 'a number', value);
  return given;
}

/** A number of elements, or `word`, which says how many in another way. */
export function countOr<W extends string>(name: string, value: unknown, word: W, min: number, max: number): number | W {
  if (value === word) return word;
  const expected = `a number of elements, or "${word}"`;
  if (typeof value === 'string') throw invalidArgValue(name, expected, value);
  if (typeof value !== 'number') throw invalidArgType(name, expected, value);
  return neededInteger(name, value, min, max);
}

/** Most elements that a stage can hold in memory: V8 has no longer arrays. */
export const MOST_IN_MEMORY = 2 ** 27;

/**
 * Refuses a stage that would hold too many elements in memory: `wanted`, or the input's `size` if that is smaller.
 * @throws RangeError ERR_OUT_OF_RANGE with the number
 */
export function checkHeld(name: string, wanted: number, size: number | undefined): void {
  const held = Math.min(wanted, size ?? 0);
  if (held <= MOST_IN_MEMORY) return;
  throw outOfRange(name, `such that at most ${MOST_IN_MEMORY} elements are held in memory`, counted(held, 'element'));
}

/** A function of the user's. */
export function checkFunction(name: string, value: unknown): ElementFunction {
  if (typeof value !== 'function') throw invalidArgType(name, 'a function', value);
  return value as ElementFunction;
}

/** Elements that a batch, a window or a buffer holds, at most. */
export const MAX_HELD = 2 ** 31 - 1;

/** Calls under way at a time. */
export function checkParallel(options: { parallel?: number | undefined } | undefined): number {
  const { parallel } = checkOptions(options, ['parallel']);
  return checkInteger('options.parallel', parallel, 1, 65_536, 1);
}
