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
export interface Feature {
  /** Says which of the three `values` are. */
  readonly kind: FeatureKind;
  /** `int64`: BigInt64Array, `float`: Float32Array, `bytes`: BytesArray. */
  readonly values: BytesArray | Float32Array | BigInt64Array;
}

/** The message tf.train.Feature: `Feature.decode(bytes)`, `Feature.toJSON({ int64List: { value: [1n] } })` … */
export const Feature: MessageType<FeatureMessage> = messageType('Feature');
