import type { BytesArray } from '../tensor';
import type { MessageType } from './message-form';
import { messageType } from './message-type';
import type { FeatureMessage } from './messages';

/** The three kinds of list that a feature can hold. */
export type FeatureKind = 'bytes' | 'float' | 'int64';

/**
 * The values of one feature and their kind. `int64()`, `float()` and `bytes()` make them, `decodeExample` gives them.
 * The message `tf.train.Feature` is {@link FeatureMessage}.
 */
export type Feature = { readonly [K in FeatureKind]: FeatureOf<K> }[FeatureKind];

/** The arrays that hold the values of each kind. */
export interface FeatureArrays {
  /** The values of a bytes feature. */
  bytes: BytesArray;
  /** The values of a float feature. */
  float: Float32Array;
  /** The values of an int64 feature, exact. */
  int64: BigInt64Array;
}

/** A feature of kind `K`. */
export interface FeatureOf<K extends FeatureKind> {
  /** Says which of the three `values` are. */
  readonly kind: K;
  /** `int64`: BigInt64Array, `float`: Float32Array, `bytes`: BytesArray. */
  readonly values: FeatureArrays[K];
}

/** The message tf.train.Feature: `Feature.decode(bytes)`, `Feature.toJSON({ int64List: { value: [1n] } })` … */
export const Feature: MessageType<FeatureMessage> = messageType('Feature');
