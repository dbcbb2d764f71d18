/** The messages of tf.train as plain objects, which `decode`, `fromJSON` and `fromText` give. int64 is bigint. */
import type { BytesArray } from '../../tensor';
import { messageType, type MessageType } from './message-type';

/** tf.train.BytesList */
export interface BytesListMessage {
  /** Any bytes each. */
  value: Uint8Array[];
}

/** tf.train.FloatList */
export interface FloatListMessage {
  /** Numbers that float32 holds. */
  value: number[];
}

/** tf.train.Int64List */
export interface Int64ListMessage {
  /** From -2^63 to 2^63 - 1. */
  value: bigint[];
}

/** tf.train.Feature: at most one of the lists. A feature without one is how many writers say "missing". */
export interface FeatureMessage {
  /** The kind bytes. */
  bytesList?: BytesListMessage | undefined;
  /** The kind float. */
  floatList?: FloatListMessage | undefined;
  /** The kind int64. */
  int64List?: Int64ListMessage | undefined;
}

/** tf.train.Features */
export interface FeaturesMessage {
  /** By name, without a prototype. */
  feature: Record<string, FeatureMessage>;
}

/** tf.train.Example */
export interface ExampleMessage {
  /** All that an Example has. */
  features?: FeaturesMessage | undefined;
}

/** tf.train.FeatureList */
export interface FeatureListMessage {
  /** One a step. */
  feature: FeatureMessage[];
}

/** tf.train.FeatureLists */
export interface FeatureListsMessage {
  /** By name, without a prototype. */
  featureList: Record<string, FeatureListMessage>;
}

/** tf.train.SequenceExample */
export interface SequenceExampleMessage {
  /** Features of the whole. */
  context?: FeaturesMessage | undefined;
  /** Features of the steps. */
  featureLists?: FeatureListsMessage | undefined;
}

/** The message tf.train.Example; `encodeExample` and `decodeExample` are faster, and take and give shorter forms. */
export const Example: MessageType<ExampleMessage> = messageType('Example');
/** The message tf.train.SequenceExample. */
export const SequenceExample: MessageType<SequenceExampleMessage> = messageType('SequenceExample');
/** The message tf.train.Features. */
export const Features: MessageType<FeaturesMessage> = messageType('Features');
/** The message tf.train.BytesList. */
export const BytesList: MessageType<BytesListMessage> = messageType('BytesList');
/** The message tf.train.FloatList. */
export const FloatList: MessageType<FloatListMessage> = messageType('FloatList');
/** The message tf.train.Int64List. */
export const Int64List: MessageType<Int64ListMessage> = messageType('Int64List');
/** The message tf.train.FeatureList. */
export const FeatureList: MessageType<FeatureListMessage> = messageType('FeatureList');
/** The message tf.train.FeatureLists. */
export const FeatureLists: MessageType<FeatureListsMessage> = messageType('FeatureLists');

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
