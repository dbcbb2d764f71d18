import type { DType } from '../../tensor';
import { checkDType } from './check';
import { newFeature, type kind } from './spec-feature';

/** A feature with any number of values. */
export interface VarLen<D extends DType> {
  /** @internal */
  readonly [kind]: 'varLen';
  /** Type of the values. */
  readonly dtype: D;
}

/**
 * A feature with any number of values (TensorFlow's `VarLenFeature`); missing is none. One record's are a column, a batch's
 * a SparseTensor. @throws TFRecordError TFR_SPEC
 */
export function varLen<D extends DType>(dtype: D): VarLen<D> {
  return newFeature({ kind: 'varLen', dtype: checkDType('varLen', dtype) }) as VarLen<D>;
}
