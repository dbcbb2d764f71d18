import type { TensorProtoMessage } from './tensor-proto';

/** tf.Summary: what a step of a training run had to say. */
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
  /** How the tag is to be shown; the first value of a tag has it. */
  metadata?: SummaryMetadataMessage | undefined;
  /** A scalar, as TensorFlow 1 writes it. */
  simpleValue?: number | undefined;
  /** Of old files. */
  obsoleteOldStyleHistogram?: Uint8Array | undefined;
  /** A picture. */
  image?: SummaryImageMessage | undefined;
  /** How values were spread. */
  histo?: HistogramMessage | undefined;
  /** A sound. */
  audio?: SummaryAudioMessage | undefined;
  /** Anything, scalars too, as TensorFlow 2 writes it. */
  tensor?: TensorProtoMessage | undefined;
}

/** tf.SummaryMetadata */
export interface SummaryMetadataMessage {
  /** Which of TensorBoard's plugins shows the tag. */
  pluginData?: PluginDataMessage | undefined;
  /** A name for people. */
  displayName: string;
  /** What the tag means, in Markdown. */
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
  /** How many values. */
  num: number;
  /** Of all values. */
  sum: number;
  /** Of the squares of all values. */
  sumSquares: number;
  /** Upper ends of the buckets, ascending. */
  bucketLimit: number[];
  /** How many values are in each bucket. */
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
  /** Of the kind `contentType`. */
  encodedAudioString: Uint8Array;
  /** `audio/wav` */
  contentType: string;
}
