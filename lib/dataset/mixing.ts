/** The options of what is made of several datasets, and their checks. */
import { invalidArgType, invalidArgValue, outOfRange } from '../errors';
import { checkBoolean, checkChoice } from '../record';
import { checkOptionsObject } from './arguments';
import { seedWords, type Seed } from './random';
import type { SampleOptions, WhenExhausted } from './stages/mix';

/** How to zip. Unknown names throw. */
export interface ZipOptions {
  /** `shortest` ends with the first part that ends; `equal` makes that an error where another goes on. Default `shortest`. */
  length?: 'shortest' | 'equal' | undefined;
}

/** How to follow the numbers of parts. Unknown names throw. */
export interface ChooseOptions {
  /**
   * What becomes of a part that has ended when it is chosen: `drop` passes over it, `stop` ends all, `repeat` begins it
   * again, an epoch on. Default `stop`.
   */
  exhausted?: WhenExhausted | undefined;
}

/** How to sample. Unknown names throw. */
export interface MixOptions {
  /** One a part, 0 or more, not all of them 0; only their shares count. Default: the same for all. */
  weights?: readonly number[] | undefined;
  /** Of this stage alone. Default: that of the dataset. */
  seed?: Seed | undefined;
  /**
   * What becomes of a part that has ended: `drop` goes on with the others, `stop` ends all when it is drawn, `repeat`
   * begins it again, an epoch on, for ever. Default `drop`.
   */
  exhausted?: WhenExhausted | undefined;
  /** Draws nothing: the part that lags most behind its share is next, so every prefix is as close to the weights as it can be. */
  exact?: boolean | undefined;
}

const WHEN_EXHAUSTED: readonly WhenExhausted[] = ['drop', 'stop', 'repeat'];

/** Whether lengths have to be the same. */
export function checkZipOptions(options: ZipOptions | undefined): boolean {
  const { length } = checkOptionsObject('zip', options, ['length']);
  return checkChoice('options.length', length, ['shortest', 'equal'], 'shortest') === 'equal';
}

export function checkChooseOptions(options: ChooseOptions | undefined): WhenExhausted {
  const { exhausted } = checkOptionsObject('chooseFrom', options, ['exhausted']);
  return checkChoice('options.exhausted', exhausted, WHEN_EXHAUSTED, 'stop');
}

/** `parts`: how many there are. */
export function checkMixOptions(options: MixOptions | undefined, parts: number): SampleOptions {
  const given = checkOptionsObject('sampleFrom', options, ['weights', 'seed', 'exhausted', 'exact']);
  return {
    weights: checkWeights(given.weights, parts),
    seed: given.seed === undefined ? undefined : seedWords('options.seed', given.seed),
    exhausted: checkChoice('options.exhausted', given.exhausted, WHEN_EXHAUSTED, 'drop'),
    exact: checkBoolean('options.exact', given.exact, false),
  };
}

function checkWeights(value: unknown, parts: number): readonly number[] {
  const name = 'options.weights';
  if (value === undefined) return new Array<number>(parts).fill(1);
  if (!Array.isArray(value)) throw invalidArgType(name, 'an array of numbers', value);
  if (value.length !== parts) throw invalidArgValue(name, `one number for each of the ${parts} parts`, value);
  let total = 0;
  value.forEach((weight: unknown, i) => {
    if (typeof weight !== 'number') throw invalidArgType(`${name}[${i}]`, 'a number', weight);
    if (!(weight >= 0 && weight < Infinity)) throw outOfRange(`${name}[${i}]`, 'a finite number, 0 or more', weight);
    total += weight;
  });
  if (!(total > 0 && total < Infinity)) throw invalidArgValue(name, 'of a finite sum above 0', value);
  return [...(value as number[])];
}
