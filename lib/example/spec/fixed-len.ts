import { checkOptions } from '../../record';
import { sizeOf, type DType, type Literals, type Shape } from '../../tensor';
import { checkDefault, checkDType, checkSizes } from './check';
import { specError } from './spec-error';
import { newFeature, type kind } from './spec-feature';

/** A feature with exactly as many values as `shape` has places. */
export interface FixedLen<D extends DType, S extends Shape> {
  /** @internal */
  readonly [kind]: 'fixedLen';
  /** Type of the values. */
  readonly dtype: D;
  /** Shape of its values in one record. */
  readonly shape: S;
}

/** Options of {@link fixedLen}. */
export interface FixedLenOptions<D extends DType> {
  /**
   * What a missing feature holds: exactly as many values as `shape` has places, flat, in row-major order; a value alone
   * where that is one. It stands for the whole feature, never for single values. Without it the feature is required.
   */
  readonly default?: Literals[D] | readonly Literals[D][] | undefined;
}

/**
 * A feature that every record has (TensorFlow's `FixedLenFeature`), with exactly as many values as `shape` has places;
 * `[]` is a scalar. A record in which it is missing or has no kind takes the default, or is an error (TFR_FEATURE).
 * @throws TFRecordError TFR_SPEC
 */
export function fixedLen<D extends DType, const S extends Shape>(
  shape: S,
  dtype: D,
  options?: FixedLenOptions<D>,
): FixedLen<D, S> {
  const call = 'fixedLen';
  const sizes = checkSizes(call, shape, 0, ': for any number of steps there is fixedLenSequence()');
  checkDType(call, dtype);
  const { default: given } = checkOptions<FixedLenOptions<D>>(options, ['default']);
  if (given === undefined)
    return newFeature({ kind: 'fixedLen', dtype, shape: sizes, default: undefined }) as FixedLen<D, S>;
  const literals: readonly unknown[] = Array.isArray(given) ? given : [given];
  const size = sizeOf(sizes);
  if (literals.length !== size) {
    throw specError(
      `${call}: the default has ${literals.length} ${literals.length === 1 ? 'value' : 'values'}, shape ` +
        `[${sizes.join(', ')}] takes ${size}: defaults are neither repeated nor filled up`,
      { expected: String(size), found: String(literals.length) },
    );
  }
  const values = Object.freeze(literals.map((literal) => checkDefault(call, dtype, literal)));
  return newFeature({ kind: 'fixedLen', dtype, shape: sizes, default: values }) as FixedLen<D, S>;
}
