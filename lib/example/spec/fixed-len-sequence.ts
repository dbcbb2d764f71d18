import { checkBoolean, checkOptions } from '../../record';
import type { DType, Literals, Shape } from '../../tensor';
import { checkDefault, checkDType, checkSizes } from './check';
import { specError } from './spec-error';
import { newFeature, type kind } from './spec-feature';

/** A feature with any number of steps of one shape. */
export interface FixedLenSequence<D extends DType, S extends Shape> {
  /** @internal */
  readonly [kind]: 'fixedLenSequence';
  /** Type of the values. */
  readonly dtype: D;
  /** Shape of one step. */
  readonly shape: S;
}

/** Options of {@link fixedLenSequence}. */
export interface FixedLenSequenceOptions<D extends DType> {
  /**
   * Whether a missing feature has zero steps. Of a feature list, `false` makes it required; of a feature of an Example only
   * `true` is possible. Default: false.
   */
  readonly allowMissing?: boolean | undefined;
  /** What shorter records of a batch are padded with at their end; not for feature lists. Default: 0, or no bytes. */
  readonly default?: Literals[D] | undefined;
}

/**
 * A feature with any number of steps of `shape`, each of as many values as `shape` has places (TensorFlow's
 * `FixedLenSequenceFeature`). In a batch, records are padded to the most steps. In a SequenceExample each step is a Feature
 * of a feature list. @throws TFRecordError TFR_SPEC
 */
export function fixedLenSequence<D extends DType, const S extends Shape>(
  shape: S,
  dtype: D,
  options?: FixedLenSequenceOptions<D>,
): FixedLenSequence<D, S> {
  const call = 'fixedLenSequence';
  const sizes = checkSizes(call, shape, 1);
  checkDType(call, dtype);
  const given = checkOptions<FixedLenSequenceOptions<D>>(options, ['allowMissing', 'default']);
  return newFeature({
    kind: 'fixedLenSequence',
    dtype,
    shape: sizes,
    allowMissing: checkBoolean('options.allowMissing', given.allowMissing, false),
    default: given.default === undefined ? undefined : checkDefault(call, dtype, onlyOne(call, given.default)),
  }) as FixedLenSequence<D, S>;
}

/** A list of one value is that value. */
function onlyOne(call: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length === 1) return (value as unknown[])[0];
  throw specError(`${call}: the default has ${value.length} values; padding is one value`, {
    expected: '1',
    found: String(value.length),
  });
}
