import { invalidArgType } from '../errors';
import { checkChoice } from '../record';

/** One of `choices`; undefined is refused, too. */
export function checkRequiredChoice<T extends string>(name: string, value: unknown, choices: readonly T[]): T {
  if (value === undefined) {
    throw invalidArgType(name, `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`, value);
  }
  return checkChoice<T>(name, value, choices, value as T);
}
