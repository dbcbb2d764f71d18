/** The messages of tf.train as plain objects: what `decode`, `fromJSON` and `fromText` give. int64 is bigint. */
import type { MessageType } from './message-form';
import { messageType } from './message-type';

/** tf.train.BytesList */
export interface BytesListMessage {
  /** Any bytes each. */
  value: Uint8Array[];
}

/** tf.train.FloatList */
export interface FloatListMessage {
  /** What float32 holds. */
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
