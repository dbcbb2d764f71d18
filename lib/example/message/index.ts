export {
  Event,
  type EventMessage,
  type LogMessageMessage,
  type SessionLogMessage,
  type SourceMetadataMessage,
  type TaggedRunMetadataMessage,
} from './event';
export { Feature, type FeatureArrays, type FeatureKind, type FeatureOf } from './feature';
export { messages } from './lazy';
export { LENGTH_DELIMITED, tagOf, WireReader } from './wire-reader';
export type { JsonValue } from './json-form';
export { refuseDuplicates } from './parse-json';
export type { MessageInit, MessageList, MessageType } from './message-form';
export {
  BytesList,
  Example,
  FeatureList,
  FeatureLists,
  Features,
  FloatList,
  Int64List,
  SequenceExample,
  type BytesListMessage,
  type ExampleMessage,
  type FeatureListMessage,
  type FeatureListsMessage,
  type FeatureMessage,
  type FeaturesMessage,
  type FloatListMessage,
  type Int64ListMessage,
  type SequenceExampleMessage,
} from './messages';
export type { tensorflow } from './messages.generated';
export type {
  HistogramMessage,
  PluginDataMessage,
  SummaryAudioMessage,
  SummaryImageMessage,
  SummaryMessage,
  SummaryMetadataMessage,
  SummaryValueMessage,
} from './summary';
export { TensorProto, type TensorDimMessage, type TensorProtoMessage, type TensorShapeMessage } from './tensor-proto';
export { compareUtf8 } from './utf8-order';
