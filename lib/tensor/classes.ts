/** The classes of values, for code that takes values of any of them. */
import { BYTES } from './column';
import { DENSE } from './dense-tensor';
import { NULLABLE } from './nullable-column';
import { RAGGED } from './ragged-tensor';
import { SPARSE } from './sparse-tensor';
import type { ValueClass } from './value-class';

/** The classes of values. Typed arrays of numbers are the values that have no class of ours. */
export const CLASSES: readonly ValueClass[] = [BYTES, DENSE, SPARSE, RAGGED, NULLABLE];

const BY_PROTOTYPE = new Map<unknown, ValueClass>(CLASSES.map((each) => [each.class.prototype, each]));

/** The class of `value`; undefined for values of no class of ours. */
export function classOf(value: object): ValueClass | undefined {
  const known = BY_PROTOTYPE.get(Object.getPrototypeOf(value));
  if (known !== undefined) return known;
  for (const each of CLASSES) if (value instanceof each.class) return each;
  return undefined;
}
