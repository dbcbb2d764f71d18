export {
  Event,
  type EventMessage,
  type HistogramMessage,
  type LogMessageMessage,
  type PluginDataMessage,
  type SessionLogMessage,
  type SourceMetadataMessage,
  type SummaryAudioMessage,
  type SummaryImageMessage,
  type SummaryMessage,
  type SummaryMetadataMessage,
  type SummaryValueMessage,
  type TaggedRunMetadataMessage,
} from './event';
export {
  extensionName,
  fromJson,
  jsonFormOf,
  nameInUrl,
  refuseDuplicates,
  typeOfUrl,
  type JsonForm,
  type JsonValue,
} from './json';
export { keepZeroes, losslessJson, messages, protoJson, reflectedTypes } from './lazy';
export {
  messageType,
  notMessage,
  reason,
  type MessageInit,
  type MessageList,
  type MessagePackage,
  type MessageType,
} from './message-type';
export {
  BytesList,
  Example,
  Feature,
  FeatureList,
  FeatureLists,
  Features,
  FloatList,
  Int64List,
  SequenceExample,
  type BytesListMessage,
  type ExampleMessage,
  type FeatureArrays,
  type FeatureKind,
  type FeatureListMessage,
  type FeatureListsMessage,
  type FeatureMessage,
  type FeatureOf,
  type FeaturesMessage,
  type FloatListMessage,
  type Int64ListMessage,
  type SequenceExampleMessage,
} from './messages';
export type { tensorflow } from './messages.generated';
export { TensorProto, type TensorDimMessage, type TensorProtoMessage, type TensorShapeMessage } from './tensor-proto';
export { enumOf, is64, isMap, isMessage, mapKeyText } from './plain-message';
export { checkWire, compareUtf8, LENGTH_DELIMITED, MAX_DEPTH, tagOf, withArticle, WireReader } from './wire';
