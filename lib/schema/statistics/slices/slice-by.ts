/** The option `sliceBy`: the features whose values make slices. */
import { checkWellFormed, invalidArgType, invalidArgValue, isObject, TFRecordError } from '../../../base';

/**
 * The features whose values make slices: a name, for a slice of each value of a feature; or an object of names and
 * values, for a slice of each combination. Only the values in the arrays make slices; `undefined` stands for all values.
 */
export type SliceBy = string | Readonly<Record<string, readonly (string | number | bigint)[] | undefined>>;

/** Maximum number of slices. */
export const MAX_SLICES = 1000;

/** A checked {@link SliceBy}. */
export interface SliceRule {
  /** In ascending order of their names. */
  readonly features: readonly SliceFeature[];
}

export interface SliceFeature {
  readonly name: string;
  /** The values, as texts, that make slices. Undefined: all. */
  readonly values: ReadonlySet<string> | undefined;
}

/** Checks the option `sliceBy`. @throws TypeError or RangeError */
export function checkSliceBy(given: unknown): readonly SliceRule[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw invalidArgType('options.sliceBy', 'an array of names and objects', given);
  return given.map((each: unknown, i) => {
    const option = `options.sliceBy[${i}]`;
    if (typeof each === 'string') return { features: [{ name: checkedText(option, each), values: undefined }] };
    if (!isObject(each)) throw invalidArgType(option, 'a string, or an object of names and values', each);
    const names = Object.keys(each).sort();
    if (names.length === 0) throw invalidArgValue(option, 'an object with the name of a feature', each);
    return {
      features: names.map((name) => ({
        name: checkedText(option, name),
        values: checkedValues(`${option}[${JSON.stringify(name)}]`, each[name]),
      })),
    };
  });
}

function checkedText(option: string, text: string): string {
  checkWellFormed(option, text);
  return text;
}

function checkedValues(option: string, given: unknown): ReadonlySet<string> | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw invalidArgType(option, 'an array of values', given);
  if (given.length === 0) throw invalidArgValue(option, 'an array with a value', given);
  return new Set(
    given.map((value: unknown, i) => {
      const name = `${option}[${i}]`;
      if (typeof value === 'string') return checkedText(name, value);
      if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
      if (typeof value === 'number') throw invalidArgValue(name, 'a safe integer', value);
      throw invalidArgType(name, 'a string, a safe integer or a bigint', value);
    }),
  );
}

/** The value as JSON, from which {@link sliceByOf} makes it: an object is a list of pairs, where null stands for all values. */
export function sliceByJson(sliceBy: readonly SliceBy[]): unknown {
  return sliceBy.map((each) =>
    typeof each === 'string' ? each : Object.entries(each).map(([name, values]) => [name, values?.map(String) ?? null]),
  );
}

/** The value of some JSON, which {@link checkSliceBy} has yet to check. */
export function sliceByOf(json: unknown): readonly SliceBy[] | undefined {
  if (!Array.isArray(json)) return undefined;
  return json.map((each: unknown) => {
    if (!Array.isArray(each)) return each as string;
    return Object.fromEntries(
      each.map((pair: unknown) => (Array.isArray(pair) ? [String(pair[0]), pair[1] ?? undefined] : [])),
    ) as SliceBy;
  });
}

/** The error about the feature `name`, whose values cannot make slices. */
export function sliceError(
  name: string,
  expected: string,
  found: string,
  place: { readonly file?: string; readonly record?: number; readonly offset?: number } = {},
): TFRecordError {
  const where = place.file === undefined ? '' : ` in record ${place.record} of ${place.file}`;
  return new TFRecordError(
    'TFR_FEATURE',
    `The values of feature ${JSON.stringify(name)} cannot make slices: they must be ${expected}; found ${found}${where}.`,
    { ...place, feature: name, expected, found },
  );
}
