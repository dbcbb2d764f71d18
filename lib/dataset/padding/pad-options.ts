import { invalidArgType } from '../../errors';
import { checkInteger } from '../../record';

const MAX_DIMENSION = 2 ** 31 - 1;

/** Sizes to pad to; `null` is the longest of the batch; a number is the size of one dimension. */
export type PadShape = number | readonly (number | null)[];
/** What to pad with. */
export type PadValue = number | bigint | string | boolean | Uint8Array;

/** How each sequence of an element is padded. */
export interface PadRules {
  /** By name; '' for elements that are sequences themselves. Undefined: the longest of the batch. */
  readonly shapes: ReadonlyMap<string, readonly (number | null)[]>;
  readonly values: ReadonlyMap<string, PadValue>;
  /** For those without an own one at the name `*`. */
  readonly multiples: ReadonlyMap<string, number>;
}

/** Of all sequences. */
export const ALL = '*';

/** @throws TypeError, RangeError with Node's codes */
export function padRules(shape: unknown, values: unknown, multipleOf: unknown): PadRules {
  return {
    shapes: byName('options.shape', '', shape, checkShape),
    values: byName('options.values', '', values, checkValue),
    multiples: byName('options.multipleOf', ALL, multipleOf, (name, value) => {
      const multiple = checkInteger(name, value, 1, MAX_DIMENSION, undefined);
      if (multiple === undefined) throw invalidArgType(name, 'a number', value);
      return multiple;
    }),
  };
}

/** `given` for the name `one`, or an object of values by name. */
function byName<V>(
  option: string,
  one: string,
  given: unknown,
  check: (name: string, value: unknown) => V,
): ReadonlyMap<string, V> {
  if (given === undefined) return new Map();
  const named = typeof given === 'object' && given !== null && !Array.isArray(given) && !ArrayBuffer.isView(given);
  if (!named) return new Map([[one, check(option, given)]]);
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return new Map(entries.map(([name, value]) => [name, check(`${option}.${name}`, value)]));
}

function checkShape(name: string, shape: unknown): readonly (number | null)[] {
  const sizes: readonly unknown[] = Array.isArray(shape) ? shape : [shape];
  return sizes.map((size, i) => {
    if (size === null && Array.isArray(shape)) return null;
    const checked = checkInteger(Array.isArray(shape) ? `${name}[${i}]` : name, size, 0, MAX_DIMENSION, undefined);
    if (checked === undefined) throw invalidArgType(name, 'a size or an array of sizes and nulls', shape);
    return checked;
  });
}

function checkValue(name: string, value: unknown): PadValue {
  if (['number', 'bigint', 'string', 'boolean'].includes(typeof value) || value instanceof Uint8Array) {
    return value as PadValue;
  }
  throw invalidArgType(name, 'a number, a bigint, a string, a boolean or bytes', value);
}
