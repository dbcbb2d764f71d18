/** What features are made of, checked and normalised: the inside of what `fixedLen()` and its sisters return. */
import type { DType, Scalar, Shape } from '../../tensor';
import type { Partition } from './partition';

export interface FixedLenDetails {
  readonly kind: 'fixedLen';
  readonly dtype: DType;
  readonly shape: Shape;
  /** As many values as `shape` has places, in row-major order; undefined when the feature is required. */
  readonly default: readonly Scalar[] | undefined;
}

export interface VarLenDetails {
  readonly kind: 'varLen';
  readonly dtype: DType;
}

export interface FixedLenSequenceDetails {
  readonly kind: 'fixedLenSequence';
  readonly dtype: DType;
  readonly shape: Shape;
  readonly allowMissing: boolean;
  /** What shorter examples are padded with; undefined for 0 or no bytes. */
  readonly default: Scalar | undefined;
}

export interface SparseDetails {
  readonly kind: 'sparse';
  readonly dtype: DType;
  /** One key a dimension of `size`. */
  readonly indexKeys: readonly string[];
  /** Whether `indexKey` and `size` were given as lists. */
  readonly listed: boolean;
  readonly valueKey: string;
  readonly size: Shape;
  readonly alreadySorted: boolean;
}

export interface RaggedDetails {
  readonly kind: 'ragged';
  readonly dtype: DType;
  /** Undefined for the feature's name. */
  readonly valueKey: string | undefined;
  /** The outermost first. */
  readonly partitions: readonly Partition[];
  readonly rowSplitsDtype: 'int32' | 'int64';
  readonly validate: boolean;
}

export type FeatureDetails = FixedLenDetails | VarLenDetails | FixedLenSequenceDetails | SparseDetails | RaggedDetails;
