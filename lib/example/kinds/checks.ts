/** Checks that kinds share. Each throws TFR_SPEC. `call` is the name of the called function. */
import { TFRecordError, type TFRecordErrorDetails, isList, isInteger } from '../../base';
import { convertLiteral, DTYPES, hasLoneSurrogate, sizeOf, type DType, type Scalar, type Shape } from '../../tensor';
import { quoted } from '../feature';

/** Maximum number of values in a typed array of this package. */
const MAX_VALUES = 0x7fff_ffff;
/**
 * Maximum number of dimensions of a shape, and of partitions of a ragged feature. TensorFlow has the same limit of
 * dimensions.
 */
const MAX_RANK = 254;

/** Returns the TFR_SPEC error `what` for a spec, or for its feature `details.feature`. */
export function specError(
  what: string,
  details: Pick<TFRecordErrorDetails, 'feature' | 'expected' | 'found' | 'cause'> = {},
): TFRecordError {
  const { feature } = details;
  return new TFRecordError('TFR_SPEC', feature === undefined ? what : `Feature ${quoted(feature)}: ${what}`, details);
}

/** Returns a TFR_SPEC error with `feature` added; other errors unchanged. */
export function aboutFeature(feature: string, error: unknown): unknown {
  if (!(error instanceof TFRecordError) || error.code !== 'TFR_SPEC' || error.feature !== undefined) return error;
  return specError(error.message, { feature, expected: error.expected, found: error.found, cause: error });
}

/** Returns `dtype` if features can have it. @throws TFRecordError TFR_SPEC */
export function checkDType<D extends DType>(call: string, dtype: D): D {
  if (DTYPES.includes(dtype)) return dtype;
  throw specError(`${call}: the dtype is ${show(dtype)}; a feature holds 'float32', 'int64', 'bytes' or 'text'`, {
    expected: 'float32, int64, bytes or text',
    found: show(dtype),
  });
}

/** Returns a frozen copy of a shape of known sizes. `advice` is the text for an unknown first size. */
export function checkSizes<S extends Shape>(call: string, shape: S, smallest: 0 | 1, advice = ''): S {
  const expected = `an array of sizes, each an integer from ${smallest} on`;
  if (!isList(shape)) {
    const found = show(shape);
    throw specError(`${call}: the shape is ${found}; give ${expected} ([] for a scalar)`, { expected, found });
  }
  checkRank(call, 'the shape', shape);
  // A copy has undefined for holes, which `forEach` would skip.
  Array.from<unknown>(shape).forEach((size, dimension) => {
    if (isInteger(size, smallest)) return;
    const found = show(size);
    const unknown = size === undefined || size === null || size === -1;
    const hint = unknown && dimension === 0 ? advice : '';
    throw specError(
      `${call}: dimension ${dimension} of the shape is ${found}; every dimension must be known, ${smallest} or more${hint}`,
      { expected, found },
    );
  });
  if (sizeOf(shape) > MAX_VALUES) {
    throw specError(`${call}: the shape has ${sizeOf(shape)} values; at most 2^31 − 1 fit`, { found: show(shape) });
  }
  return Object.freeze([...shape]) as unknown as S;
}

/** Checks that `list`, which has an entry for each dimension, is not too long. */
export function checkRank(call: string, what: string, list: readonly unknown[]): void {
  if (list.length <= MAX_RANK) return;
  throw specError(`${call}: ${what} has ${list.length} entries; at most ${MAX_RANK} are possible, as in TensorFlow`, {
    expected: `at most ${MAX_RANK}`,
    found: String(list.length),
  });
}

/** Checks a key of the record. */
export function checkKey(call: string, option: string, key: unknown): string {
  if (typeof key !== 'string') {
    throw specError(`${call}: ${option} is ${show(key)}; give the name of a feature`, {
      expected: 'a string',
      found: show(key),
    });
  }
  return checkName(`${call}: ${option}`, key);
}

/** Checks that a name can be encoded as UTF-8. */
export function checkName(what: string, name: string): string {
  if (!hasLoneSurrogate(name)) return name;
  throw specError(`${what} ${quoted(name)} has a lone surrogate, which UTF-8 cannot say`, { found: quoted(name) });
}

/** Returns a default as it is stored. */
export function checkDefault(call: string, dtype: DType, literal: unknown): Scalar {
  const converted = convertLiteral(dtype, literal);
  if ('value' in converted) return converted.value;
  throw specError(`${call}: the default ${show(literal)} must be ${converted.wanted}`, {
    expected: converted.wanted,
    found: show(literal),
  });
}

/** Maximum nested levels that {@link show} prints: a value from JSON may be nested far deeper. */
const SHOWN_LEVELS = 2;

/** Returns a short text for a value of any kind. */
export function show(value: unknown, levels = SHOWN_LEVELS): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (!isList(value)) return 'an object';
  if (value.length > 8 || levels === 0) return `a list of ${value.length}`;
  return `[${value.map((one) => show(one, levels - 1)).join(', ')}]`;
}
