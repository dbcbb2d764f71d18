/** The messages of TensorFlow Serving and TF-Ranking as plain objects. */
import type { ExampleMessage, TensorProtoMessage } from '../../example';

/** tensorflow.serving.ExampleListWithContext */
export interface ExampleListWithContextMessage {
  /** The items of the list. */
  examples: ExampleMessage[];
  /** The features of the list itself, such as those of a query. */
  context?: ExampleMessage | undefined;
}

/** tensorflow.serving.ExampleList */
export interface ExampleListMessage {
  /** The Examples. */
  examples: ExampleMessage[];
}

/** tensorflow.serving.Input: at most one of the lists. */
export interface ServingInputMessage {
  /** Examples alone. */
  exampleList?: ExampleListMessage | undefined;
  /** Examples with a context. */
  exampleListWithContext?: ExampleListWithContextMessage | undefined;
}

/** google.protobuf.Int64Value */
export interface ModelVersionMessage {
  /** The number. */
  value: bigint;
}

/** tensorflow.serving.ModelSpec: at most one of `version` and `versionLabel`. */
export interface ModelSpecMessage {
  /** Name of the model. */
  name: string;
  /** Version of the model. */
  version?: ModelVersionMessage | undefined;
  /** Label of a version, such as `stable`. */
  versionLabel?: string | undefined;
  /** Name of a signature of the model. */
  signatureName: string;
}

/** tensorflow.serving.SamplingConfig */
export interface SamplingConfigMessage {
  /** From 0 to 1. */
  samplingRate: number;
}

/** tensorflow.serving.LogMetadata */
export interface LogMetadataMessage {
  /** The model that answered. */
  modelSpec?: ModelSpecMessage | undefined;
  /** The share of requests that are logged. */
  samplingConfig?: SamplingConfigMessage | undefined;
  /** Tags of the saved model. */
  savedModelTags: string[];
}

/** tensorflow.serving.Class */
export interface ClassMessage {
  /** Name of the class. */
  label: string;
  /** The score of the class. */
  score: number;
}

/** tensorflow.serving.Classifications: the classes of one Example. */
export interface ClassificationsMessage {
  /** The classes, with their scores. */
  classes: ClassMessage[];
}

/** tensorflow.serving.ClassificationResult: classes with their scores, for each Example. */
export interface ClassificationResultMessage {
  /** One for each Example. */
  classifications: ClassificationsMessage[];
}

/** tensorflow.serving.Regression */
export interface RegressionMessage {
  /** The value. */
  value: number;
}

/** tensorflow.serving.RegressionResult: a value for each Example. */
export interface RegressionResultMessage {
  /** One for each Example. */
  regressions: RegressionMessage[];
}

/** A request about Examples. */
export interface InputRequestMessage {
  /** The model that is asked. */
  modelSpec?: ModelSpecMessage | undefined;
  /** The Examples. */
  input?: ServingInputMessage | undefined;
}

/** An answer with a result of the type `R`. */
export interface ResultResponseMessage<R> {
  /** The result. */
  result?: R | undefined;
  /** The model that answered. */
  modelSpec?: ModelSpecMessage | undefined;
}

/** A request and its answer. */
export interface ExchangeMessage<Request, Response> {
  /** The request. */
  request?: Request | undefined;
  /** The answer. */
  response?: Response | undefined;
}

/** tensorflow.serving.PredictRequest */
export interface PredictRequestMessage {
  /** The model that is asked. */
  modelSpec?: ModelSpecMessage | undefined;
  /** By name, without a prototype. */
  inputs: Record<string, TensorProtoMessage>;
  /** Names of the outputs that are wanted; none: all. */
  outputFilter: string[];
}

/** tensorflow.serving.PredictResponse */
export interface PredictResponseMessage {
  /** By name, without a prototype. */
  outputs: Record<string, TensorProtoMessage>;
  /** The model that answered. */
  modelSpec?: ModelSpecMessage | undefined;
}

/** tensorflow.serving.PredictStreamedLog */
export interface PredictStreamedLogMessage {
  /** The requests. */
  request: PredictRequestMessage[];
  /** The answers. */
  response: PredictResponseMessage[];
}

/** tensorflow.serving.InferenceTask */
export interface InferenceTaskMessage {
  /** The model that is asked. */
  modelSpec?: ModelSpecMessage | undefined;
  /** The method of TensorFlow Serving. */
  methodName: string;
}

/** tensorflow.serving.MultiInferenceRequest */
export interface MultiInferenceRequestMessage {
  /** The models, and what each is asked to do. */
  tasks: InferenceTaskMessage[];
  /** The Examples. */
  input?: ServingInputMessage | undefined;
}

/** tensorflow.serving.InferenceResult: one of the results. */
export interface InferenceResultMessage {
  /** The model that answered. */
  modelSpec?: ModelSpecMessage | undefined;
  /** Classes. */
  classificationResult?: ClassificationResultMessage | undefined;
  /** Values. */
  regressionResult?: RegressionResultMessage | undefined;
}

/** tensorflow.serving.MultiInferenceResponse */
export interface MultiInferenceResponseMessage {
  /** One for each task. */
  results: InferenceResultMessage[];
}

/** A tensor with a name. */
export interface NamedTensorMessage {
  /** Name of the tensor. */
  name: string;
  /** The tensor. */
  tensor?: TensorProtoMessage | undefined;
}

/** tensorflow.serving.SessionRunRequest */
export interface SessionRunRequestMessage {
  /** The model that is asked. */
  modelSpec?: ModelSpecMessage | undefined;
  /** Tensors to feed. */
  feed: NamedTensorMessage[];
  /** Names of tensors to fetch. */
  fetch: string[];
  /** Names of nodes to run. */
  target: string[];
  /** A RunOptions. */
  options: Uint8Array;
}

/** tensorflow.serving.SessionRunResponse */
export interface SessionRunResponseMessage {
  /** The fetched tensors. */
  tensor: NamedTensorMessage[];
  /** A RunMetadata. */
  metadata: Uint8Array;
  /** The model that answered. */
  modelSpec?: ModelSpecMessage | undefined;
}

/** tensorflow.serving.PredictionLog: at most one of `classifyLog` to `predictStreamedLog`. */
export interface PredictionLogMessage {
  /** Facts about the model and the log. */
  logMetadata?: LogMetadataMessage | undefined;
  /** A call of Classify. */
  classifyLog?: ExchangeMessage<InputRequestMessage, ResultResponseMessage<ClassificationResultMessage>> | undefined;
  /** A call of Regress. */
  regressLog?: ExchangeMessage<InputRequestMessage, ResultResponseMessage<RegressionResultMessage>> | undefined;
  /** A call of MultiInference. */
  multiInferenceLog?: ExchangeMessage<MultiInferenceRequestMessage, MultiInferenceResponseMessage> | undefined;
  /** A call of SessionRun. */
  sessionRunLog?: ExchangeMessage<SessionRunRequestMessage, SessionRunResponseMessage> | undefined;
  /** A call of Predict. */
  predictLog?: ExchangeMessage<PredictRequestMessage, PredictResponseMessage> | undefined;
  /** A call of PredictStreamed. */
  predictStreamedLog?: PredictStreamedLogMessage | undefined;
}
