import { seedText } from '../random';
import type { Json } from './operator';

/** Prints a member of `Stage.order` for `explain()`; undefined if it is not printed. */
export type Label = (value: Json) => string | undefined;

/** Prints a value for `explain()`. */
export const optionText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Prints the value alone: for the first argument of a method. */
export const plain: Label = optionText;

/** Prints the name and the value; nothing for null. */
export const named =
  (name: string): Label =>
  (value) =>
    value === null ? undefined : `${name} ${optionText(value)}`;

/** Prints the name if the value is true; false is the default. */
export const flag =
  (name: string): Label =>
  (value) =>
    value === true ? name : undefined;

/** Prints a seed, given as its two words. */
export const seedLabel: Label = (words) => {
  const [low, high] = words === null ? [] : (words as readonly number[]);
  return low === undefined || high === undefined ? undefined : `seed ${seedText({ low, high })}`;
};

/** Prints `reshuffle false`, which means the same order in each epoch. */
export const reshuffleLabel: Label = (value) => (value === true ? undefined : 'reshuffle false');
