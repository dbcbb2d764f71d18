/** Checks of the arguments of stages. Each throws one of Node's argument errors. */
import { invalidArgType, invalidArgValue, outOfRange } from '../errors';
import { checkInteger, checkOptions } from '../record';

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['batch', '{ dropRemainder: true } for what true means in tf.data, {} for what it means in tfjs-data'],
  ['rebatch', '{ dropRemainder: true } to leave out the last batch when it is not full'],
]);

/** {@link checkOptions}, for stages where others take a bare value, whose meaning nobody can tell. */
export function checkOptionsObject<T extends object>(
  stage: string,
  options: T | undefined,
  known: readonly (keyof T & string)[],
): T {
  const meaning = MEANINGS.get(stage);
  if (meaning !== undefined && options !== undefined && typeof options !== 'object') {
    throw invalidArgType('options', `an object: ${meaning}`, options);
  }
  return checkOptions(options, known);
}

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
  throw outOfRange(name, `such that at most ${MOST_IN_MEMORY} elements are held in memory`, `${held} elements`);
}

export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw invalidArgType(name, 'a function', value);
}

/** Calls under way at a time. */
export function checkParallel(options: { parallel?: number | undefined } | undefined): number {
  const { parallel } = checkOptionsObject('map', options, ['parallel']);
  return checkInteger('options.parallel', parallel, 1, 65_536, 1);
}

/** A reader of `Dataset.define`: an object, perhaps of a class. */
export function checkReader(reader: unknown): void {
  if (typeof reader !== 'object' || reader === null) throw invalidArgType('reader', 'an object', reader);
  const given = reader as Readonly<Record<string, unknown>>;
  for (const name of ['open', 'read']) checkFunction(`reader.${name}`, given[name]);
  for (const name of ['close', 'state', 'seek'])
    if (given[name] !== undefined) checkFunction(`reader.${name}`, given[name]);
}

/** The share of each class: numbers from 0 on, not all 0. `wanted`: what these are the shares of, none 0 where one is wanted. */
export function checkShares(name: string, value: unknown, wanted?: readonly number[]): readonly number[] {
  if (!Array.isArray(value)) throw invalidArgType(name, 'an array of numbers', value);
  const shares = value as readonly unknown[];
  if (wanted !== undefined && shares.length !== wanted.length) {
    throw invalidArgValue(name, `of ${wanted.length} shares, as many as options.target`, value);
  }
  for (const [i, share] of shares.entries()) {
    if (typeof share !== 'number') throw invalidArgType(`${name}[${i}]`, 'a number', share);
    if (!(share >= 0 && share < Infinity)) throw outOfRange(`${name}[${i}]`, 'a number from 0 on', share);
    if (share === 0 && (wanted?.[i] ?? 0) > 0)
      throw invalidArgValue(`${name}[${i}]`, 'more than 0: the class is wanted', share);
  }
  if (!shares.some((share) => share !== 0)) throw invalidArgValue(name, 'shares that are not all 0', value);
  return shares.map(Number);
}
