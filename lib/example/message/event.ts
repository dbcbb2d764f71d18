/** TensorBoard's events as plain objects; int64 is bigint. Enums are their numbers, by name in the JSON and text forms. */
import { messageType, type MessageType } from './message-type';
import type { TensorProtoMessage } from './tensor-proto';

/** tf.Event: one record of a TensorBoard log. It has at most one of `fileVersion` to `metaGraphDef`. */
export interface EventMessage {
  /** Seconds since 1970. */
  wallTime: number;
  /** Step of the training run. */
  step: bigint;
  /** The first record of a file has it: `brain.Event:2`. */
  fileVersion?: string | undefined;
  /** A GraphDef. */
  graphDef?: Uint8Array | undefined;
  /** Values that the step reports. */
  summary?: SummaryMessage | undefined;
  /** A line of a log. */
  logMessage?: LogMessageMessage | undefined;
  /** The start, the end or a checkpoint of a session. */
  sessionLog?: SessionLogMessage | undefined;
  /** Facts about the run of a step. */
  taggedRunMetadata?: TaggedRunMetadataMessage | undefined;
  /** A MetaGraphDef. */
  metaGraphDef?: Uint8Array | undefined;
  /** The program that wrote the file. */
  sourceMetadata?: SourceMetadataMessage | undefined;
}

/** tf.LogMessage */
export interface LogMessageMessage {
  /** 10 debugging, 20 info, 30 warning, 40 error, 50 fatal. */
  level: number;
  /** The line. */
  message: string;
}

/** tf.SessionLog */
export interface SessionLogMessage {
  /** 1 start, 2 stop, 3 checkpoint. */
  status: number;
  /** Path of the checkpoint. */
  checkpointPath: string;
  /** Anything to add. */
  msg: string;
}

/** tf.TaggedRunMetadata */
export interface TaggedRunMetadataMessage {
  /** Name of the run. */
  tag: string;
  /** A RunMetadata. */
  runMetadata: Uint8Array;
}

/** tf.SourceMetadata */
export interface SourceMetadataMessage {
  /** Name of the program or library. */
  writer: string;
}

/** The message tf.Event: a record of a TensorBoard log. */
export const Event: MessageType<EventMessage> = messageType('Event');

/** tf.Summary: the values that a step of a training run reports. */
export interface SummaryMessage {
  /** One a tag. */
  value: SummaryValueMessage[];
}

/** tf.Summary.Value: a tag, and at most one of `simpleValue` to `tensor`. */
export interface SummaryValueMessage {
  /** Names a series of values. */
  tag: string;
  /** The node of the graph. */
  nodeName: string;
  /** Describes how to show the tag; the first value of a tag has it. */
  metadata?: SummaryMetadataMessage | undefined;
  /** A scalar, as TensorFlow 1 writes it. */
  simpleValue?: number | undefined;
  /** A histogram in the form of old files. */
  obsoleteOldStyleHistogram?: Uint8Array | undefined;
  /** A picture. */
  image?: SummaryImageMessage | undefined;
  /** The distribution of values. */
  histo?: HistogramMessage | undefined;
  /** A sound. */
  audio?: SummaryAudioMessage | undefined;
  /** Anything, scalars too, as TensorFlow 2 writes it. */
  tensor?: TensorProtoMessage | undefined;
}

/** tf.SummaryMetadata */
export interface SummaryMetadataMessage {
  /** The plugin of TensorBoard that shows the tag. */
  pluginData?: PluginDataMessage | undefined;
  /** A name for people. */
  displayName: string;
  /** The meaning of the tag, in Markdown. */
  summaryDescription: string;
  /** 1 scalar, 2 tensor, 3 sequence of blobs. */
  dataClass: number;
}

/** tf.SummaryMetadata.PluginData */
export interface PluginDataMessage {
  /** `scalars`, `images`, `histograms` … */
  pluginName: string;
  /** In a form of the plugin's own. */
  content: Uint8Array;
}

/** tf.Summary.Image */
export interface SummaryImageMessage {
  /** In pixels. */
  height: number;
  /** In pixels. */
  width: number;
  /** 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA, 5 YUV, 6 BGRA. */
  colorspace: number;
  /** PNG, JPEG or GIF. */
  encodedImageString: Uint8Array;
}

/** tf.HistogramProto: bucket i holds `bucket[i]` values up to `bucketLimit[i]`. */
export interface HistogramMessage {
  /** The least value. */
  min: number;
  /** The greatest value. */
  max: number;
  /** Number of values. */
  num: number;
  /** Sum of all values. */
  sum: number;
  /** Sum of the squares of all values. */
  sumSquares: number;
  /** Upper ends of the buckets, ascending. */
  bucketLimit: number[];
  /** Number of values in each bucket. */
  bucket: number[];
}

/** tf.Summary.Audio */
export interface SummaryAudioMessage {
  /** In hertz. */
  sampleRate: number;
  /** 1 mono, 2 stereo. */
  numChannels: bigint;
  /** Samples a channel. */
  lengthFrames: bigint;
  /** The sound, in the format `contentType`. */
  encodedAudioString: Uint8Array;
  /** `audio/wav` */
  contentType: string;
}
