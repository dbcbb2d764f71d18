/** Checks of the arguments of stages. Each throws one of Node's argument errors. */
import { invalidArgType } from '../errors';
import { checkInteger, checkOptions } from '../record';

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['batch', '{ dropRemainder: true } for what true means in tf.data, {} for what it means in tfjs-data'],
  ['rebatch', '{ dropRemainder: true } to leave out the last batch when it is not full'],
  ['shuffle', '{ seed, reshuffle }'],
]);

/** {@link checkOptions}, for stages where others take a bare value, whose meaning nobody can tell. */
export function checkOptionsObject<T extends object>(
  stage: string,
  options: T | undefined,
  known: readonly (keyof T & string)[],
): T {
  if (options !== undefined && typeof options !== 'object') {
    throw invalidArgType('options', `an object${meaning(stage)}`, options);
  }
  return checkOptions(options, known);
}

function meaning(stage: string): string {
  const known = MEANINGS.get(stage);
  return known === undefined ? '' : `: ${known}`;
}

/** An integer that must be given. */
export function neededInteger(name: string, value: unknown, min: number, max: number): number {
  const given = checkInteger(name, value, min, max, undefined);
  if (given === undefined) throw invalidArgType(name, 'a number', value);
  return given;
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
