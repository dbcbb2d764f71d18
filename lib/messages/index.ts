export { loadMessageTypes, MessageTypes, type MessageTypesOptions, type PlainMessage } from './message-types';
export { readMessages, type MessageReader } from './read/read-messages';
export type { MessageDecoder } from './read/message-splitter';
export {
  exampleListParser,
  type ExampleListBatch,
  type ExampleListParser,
  type ExampleListRow,
  type ExampleListSpec,
} from './serving/example-list-parser';
export type {
  ClassificationResultMessage,
  ClassificationsMessage,
  ClassMessage,
  ExampleListMessage,
  ExampleListWithContextMessage,
  ExchangeMessage,
  InferenceResultMessage,
  InferenceTaskMessage,
  InputRequestMessage,
  LogMetadataMessage,
  ModelSpecMessage,
  ModelVersionMessage,
  MultiInferenceRequestMessage,
  MultiInferenceResponseMessage,
  NamedTensorMessage,
  PredictionLogMessage,
  PredictRequestMessage,
  PredictResponseMessage,
  PredictStreamedLogMessage,
  RegressionMessage,
  RegressionResultMessage,
  ResultResponseMessage,
  SamplingConfigMessage,
  ServingInputMessage,
  SessionRunRequestMessage,
  SessionRunResponseMessage,
} from './serving/serving-messages';
export { ExampleListWithContext, PredictionLog } from './serving/serving-types';

// For the command and for conversions.
export { MessageLines } from './message-lines';
export { builtInTypes, namesText } from './message-types';
export { MessageValues } from './message-values';
