/** Makes the contents of values of their messages, by the plugin of TensorBoard that shows them. */
import { isUtf8 } from 'node:buffer';

import { TFRecordError, type Bytes } from '../base';
import { parseTensor, type AnyTensorValue } from '../decode';
import type {
  HistogramMessage,
  SummaryAudioMessage,
  SummaryImageMessage,
  SummaryMetadataMessage,
  SummaryValueMessage,
  TensorProtoMessage,
} from '../example';
import type { BytesArray } from '../tensor';
import type { EventContent, EventKind } from './event-values';

/** The kinds of tensors by the names of their plugins. */
const KINDS = new Map<string, EventKind>([
  ['scalars', 'scalar'],
  ['histograms', 'histogram'],
  ['text', 'text'],
  ['images', 'image'],
  ['audio', 'audio'],
]);
const DATA_CLASS_SCALAR = 1;
/** Most strings of a tensor to make objects of: an object takes many times the bytes of an empty string in a record. */
const MAX_STRINGS = 65_536;

/** The kind that tensors of a tag have, by the tag's metadata, if their types and shapes fit. */
export function tensorKind(metadata: SummaryMetadataMessage | undefined): EventKind {
  if (metadata === undefined) return 'tensor';
  if (metadata.dataClass === DATA_CLASS_SCALAR) return 'scalar';
  return KINDS.get(metadata.pluginData?.pluginName ?? '') ?? 'tensor';
}

/** The kind of `value`, whose tag has `metadata`: of a tensor, if its type and shape fit. Undefined for no value. */
export function kindOf(
  value: SummaryValueMessage,
  metadata: SummaryMetadataMessage | undefined,
): EventKind | undefined {
  if (value.simpleValue !== undefined) return 'scalar';
  if (value.tensor !== undefined) return tensorKind(metadata);
  if (value.histo !== undefined) return 'histogram';
  if (value.image !== undefined) return 'image';
  return value.audio === undefined ? undefined : 'audio';
}

/** The content of `value`, and its size in bytes. @throws TFRecordError TFR_DECODE for a malformed tensor */
export function contentOf(
  value: SummaryValueMessage,
  kind: EventKind,
): { readonly content: EventContent; readonly bytes: number } {
  if (value.simpleValue !== undefined) return sized({ kind: 'scalar', value: value.simpleValue }, 0);
  if (value.histo !== undefined) return histogramOf(value.histo);
  if (value.image !== undefined) return imageOf(value.image);
  if (value.audio !== undefined) return audioOf(value.audio);
  return ofTensor(value.tensor!, kind);
}

function sized(content: EventContent, bytes: number): { readonly content: EventContent; readonly bytes: number } {
  return { content, bytes };
}

function imageOf({ width, height, encodedImageString: image }: SummaryImageMessage): ReturnType<typeof sized> {
  return sized({ kind: 'image', width, height, images: [image as Bytes] }, image.length);
}

function audioOf({ sampleRate, encodedAudioString: clip, contentType }: SummaryAudioMessage): ReturnType<typeof sized> {
  return sized({ kind: 'audio', clips: [clip as Bytes], labels: [], contentType, sampleRate }, clip.length);
}

/** The buckets of `message` as TensorBoard shows them, which drops the infinite ends of the empty ones. */
function histogramOf(message: HistogramMessage): ReturnType<typeof sized> {
  const { bucket, bucketLimit, min, max } = message;
  if (bucket.length !== bucketLimit.length) throw uneven(bucketLimit.length, bucket.length);
  const first = bucket.findIndex((count) => count > 0);
  const last = bucket.findLastIndex((count) => count > 0);
  const counts = first < 0 ? [] : bucket.slice(first, last + 1);
  const inner = first < 0 ? [] : bucketLimit.slice(first, last);
  const left = Float64Array.from(first < 0 ? [] : [min, ...inner]);
  const right = Float64Array.from(first < 0 ? [] : [...inner, max]);
  const content = { kind: 'histogram', left, right, count: Float64Array.from(counts), message } as const;
  return sized(content, 40 * bucket.length);
}

function uneven(limits: number, counts: number): TFRecordError {
  return new TFRecordError('TFR_DECODE', `The histogram has ${limits} limits of buckets, but ${counts} counts`, {
    expected: `${limits} counts`,
    found: `${counts} counts`,
  });
}

function ofTensor(message: TensorProtoMessage, kind: EventKind): ReturnType<typeof sized> {
  const tensor = parseTensor(message);
  const bytes = tensor.dtype === 'bytes' ? tensor.data.data.length + 4 * tensor.data.length : tensor.data.byteLength;
  return sized(fitting(tensor, kind) ?? { kind: 'tensor', tensor }, bytes);
}

/** The content of the kind `kind`; undefined if `tensor` is of another type or shape than TensorBoard writes. */
function fitting(tensor: AnyTensorValue, kind: EventKind): EventContent | undefined {
  if (kind === 'scalar') {
    const value = numberOf(tensor);
    return value === undefined ? undefined : { kind, value };
  }
  if (kind === 'histogram') return bucketsOf(tensor);
  if (tensor.dtype !== 'bytes' || tensor.data.length > MAX_STRINGS) return undefined;
  const { data, shape } = tensor;
  if (kind === 'text') return isUtf8(data.data) ? { kind, texts: textsOf(data), shape } : undefined;
  if (kind === 'image') return picturesOf(data, shape);
  return kind === 'audio' ? soundsOf(data, shape) : undefined;
}

/** The number of a tensor of one value; undefined if it has others, or one that no number holds exactly. */
function numberOf(tensor: AnyTensorValue): number | undefined {
  const { dtype, data } = tensor;
  if (data.length !== 1) return undefined;
  switch (dtype) {
    case 'float32':
    case 'float64':
    case 'int8':
    case 'int16':
    case 'int32':
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'bool':
      return data[0];
    case 'int64':
    case 'uint64': {
      const number = Number(data[0]);
      return BigInt(number) === data[0] ? number : undefined;
    }
    case 'float16':
      return halfOf(data[0]!);
    case 'bfloat16':
      return new Float32Array(Uint32Array.of(data[0]! << 16).buffer)[0];
    default:
      return undefined;
  }
}

/** The number with the 16 bits of IEEE's half precision. */
function halfOf(bits: number): number {
  const sign = bits >>> 15 === 0 ? 1 : -1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function bucketsOf({ dtype, data, shape }: AnyTensorValue): EventContent | undefined {
  if ((dtype !== 'float64' && dtype !== 'float32') || shape.length !== 2 || shape[1] !== 3) return undefined;
  const column = (at: number): Float64Array<ArrayBuffer> =>
    Float64Array.from({ length: shape[0]! }, (_, row) => data[3 * row + at]!);
  return { kind: 'histogram', left: column(0), right: column(1), count: column(2), message: undefined };
}

/** The values of `data` as texts. */
function textsOf(data: BytesArray): string[] {
  return Array.from({ length: data.length }, (_, i) => data.text(i)!);
}

/** `data`: width and height in digits, then the pictures. */
function picturesOf(data: BytesArray, shape: readonly number[]): EventContent | undefined {
  const [width, height] = [data.text(0), data.text(1)];
  if (shape.length !== 1 || width === undefined || height === undefined) return undefined;
  if (![width, height].every((size) => /^\d{1,10}$/.test(size))) return undefined;
  return { kind: 'image', width: Number(width), height: Number(height), images: [...data].slice(2) };
}

/** `data`: pairs of a sound and its label, or sounds alone. Such tensors hold only WAV. */
function soundsOf(data: BytesArray, shape: readonly number[]): EventContent | undefined {
  const contentType = 'audio/wav';
  if (shape.length === 1) return { kind: 'audio', clips: [...data], labels: [], contentType, sampleRate: undefined };
  if (shape.length !== 2 || shape[1] !== 2) return undefined;
  const clips = [...data].filter((_, i) => i % 2 === 0);
  const labels = textsOf(data).filter((_, i) => i % 2 === 1);
  return { kind: 'audio', clips, labels, contentType, sampleRate: undefined };
}
