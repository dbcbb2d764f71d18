/** The values of TensorBoard's logs, as users get them. */
import type { Bytes } from '../base';
import type { AnyTensorValue } from '../decode';
import type { HistogramMessage, SummaryMetadataMessage } from '../example';

/** The members that all values have. */
interface EventValueBase {
  /** Name of the run, as TensorBoard shows it: the path of its folder below the log folder; `.` is the log folder itself. */
  readonly run: string;
  /** Name of the series. */
  readonly tag: string;
  /** Step of the training run. */
  readonly step: bigint;
  /** Seconds since 1970. */
  readonly wallTime: number;
  /** The description of the tag that its first value in the run has; undefined if it has none, as in TensorFlow 1. */
  readonly metadata: SummaryMetadataMessage | undefined;
}

/** A scalar: `simple_value` of TensorFlow 1, or a tensor of one number of TensorFlow 2. */
export interface ScalarEvent extends EventValueBase {
  /** Tells this kind of value from the others. */
  readonly kind: 'scalar';
  /** The number, exactly: a scalar that no number holds exactly is a {@link TensorEvent}. */
  readonly value: number;
}

/** A histogram: `histo` of TensorFlow 1, or a tensor of shape [buckets, 3] of TensorFlow 2. Bucket i is from `left[i]` to `right[i]`. */
export interface HistogramEvent extends EventValueBase {
  /** Tells this kind of value from the others. */
  readonly kind: 'histogram';
  /** Lower ends of the buckets, ascending. */
  readonly left: Float64Array<ArrayBuffer>;
  /** Upper ends of the buckets. */
  readonly right: Float64Array<ArrayBuffer>;
  /** Number of values in each bucket. */
  readonly count: Float64Array<ArrayBuffer>;
  /**
   * The message of TensorFlow 1, of which the buckets are made as TensorBoard does: without empty ones at both ends, from
   * `min` to `max`.
   */
  readonly message: HistogramMessage | undefined;
}

/** Texts: a tensor of strings of the plugin `text`. */
export interface TextEvent extends EventValueBase {
  /** Tells this kind of value from the others. */
  readonly kind: 'text';
  /** The texts, row-major. Strings that are not UTF-8, and more than 65,536, are a {@link TensorEvent}. */
  readonly texts: readonly string[];
  /** `[]` is a single text. */
  readonly shape: readonly number[];
}

/** Pictures of one size. TensorFlow 1 logs one in a value, TensorFlow 2 any number. */
export interface ImageEvent extends EventValueBase {
  /** Tells this kind of value from the others. */
  readonly kind: 'image';
  /** In pixels, as the log states it. */
  readonly width: number;
  /** In pixels, as the log states it. */
  readonly height: number;
  /** Encoded pictures: PNG, JPEG or GIF. More than 65,534 are a {@link TensorEvent}. */
  readonly images: readonly Bytes[];
}

/** Sounds. TensorFlow 1 logs one in a value, TensorFlow 2 any number. */
export interface AudioEvent extends EventValueBase {
  /** Tells this kind of value from the others. */
  readonly kind: 'audio';
  /** Encoded sounds. More than 65,536, counting labels, are a {@link TensorEvent}. */
  readonly clips: readonly Bytes[];
  /** Their labels in Markdown; empty without labels. */
  readonly labels: readonly string[];
  /** Such as `audio/wav`. */
  readonly contentType: string;
  /** In hertz; undefined in the form of TensorFlow 2, where only the encoded sound has it. */
  readonly sampleRate: number | undefined;
}

/** Any other tensor: of other plugins (`pr_curves`, `mesh` …), or of none. */
export interface TensorEvent extends EventValueBase {
  /** Tells this kind of value from the others. */
  readonly kind: 'tensor';
  /** The tensor, with its dtype and shape. */
  readonly tensor: AnyTensorValue;
}

/** A value of a log. `kind` tells which. */
export type EventValue = ScalarEvent | HistogramEvent | TextEvent | ImageEvent | AudioEvent | TensorEvent;

/** The kinds of values. */
export type EventKind = EventValue['kind'];

/** The values of the kinds `K`. */
export type EventOf<K extends EventKind> = Extract<
  EventValue,
  {
    /** One of `K`. */
    kind: K;
  }
>;

export const EVENT_KINDS = [
  'scalar',
  'tensor',
  'histogram',
  'text',
  'image',
  'audio',
] as const satisfies readonly EventKind[];

/** A value without its place: all members that depend on its kind. */
export type EventContent = {
  [K in EventKind]: Omit<EventOf<K>, keyof EventValueBase>;
}[EventKind];
