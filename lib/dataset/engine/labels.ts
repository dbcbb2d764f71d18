import { seedText } from '../random';
import type { Json } from './operator';

/** Prints a part of `Stage.order` for `explain()`; undefined where it goes without saying. */
export type Label = (value: Json) => string | undefined;

/** A value as `explain()` prints it. */
export const optionText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The value alone: for the first argument of a method. */
export const plain: Label = optionText;

/** The name and the value; nothing for null. */
export const named =
  (name: string): Label =>
  (value) =>
    value === null ? undefined : `${name} ${optionText(value)}`;

/** The name, where the value is true, which is no default. */
export const flag =
  (name: string): Label =>
  (value) =>
    value === true ? name : undefined;

/** A seed, as its two words. */
export const seedLabel: Label = (words) => {
  const [low, high] = words === null ? [] : (words as readonly number[]);
  return low === undefined || high === undefined ? undefined : `seed ${seedText({ low, high })}`;
};

/** `reshuffle false`: the same order in each epoch. */
export const reshuffleLabel: Label = (value) => (value === true ? undefined : 'reshuffle false');
