/**
 * Prints TensorBoard's events as JSON: scalars and tensors with their values, pictures, sound and graphs with their
 * sizes.
 */
import { messages, type tensorflow } from '../message';
import { float32Json, float64Json, int64Json, textJson, uint64Json } from './json';
import type { PrintContext } from './print-context';

/**
 * `{"wallTime":1585769947.5,"step":1,"summary":[{"tag":"loss","simpleValue":0.25}]}`. Values that are not
 * printed in full are `{"bytes":n}`.
 */
export function printEvent(event: tensorflow.Event.$Properties, context: PrintContext): string {
  const { fileVersion, summary, logMessage, sessionLog, taggedRunMetadata, sourceMetadata } = event;
  const members = [`"wallTime":${float64Json(event.wallTime ?? 0)}`, `"step":${int64Json(event.step ?? 0)}`];
  if (typeof fileVersion === 'string') members.push(`"fileVersion":${textJson(fileVersion)}`);
  if (summary) {
    const values = summary.value ?? [];
    members.push(`"summary":${context.list(values, context.limits.values, (value) => printValue(value, context))}`);
  }
  members.push(...size('graphDef', event.graphDef), ...size('metaGraphDef', event.metaGraphDef));
  if (logMessage) {
    members.push(
      `"logMessage":{"level":${enumJson(messages().LogMessage.Level, logMessage.level)},"message":${text(logMessage.message)}}`,
    );
  }
  if (sessionLog) members.push(`"sessionLog":${printSessionLog(sessionLog)}`);
  if (taggedRunMetadata) {
    const { tag, runMetadata } = taggedRunMetadata;
    members.push(`"taggedRunMetadata":{"tag":${text(tag)},"bytes":${runMetadata?.length ?? 0}}`);
  }
  if (sourceMetadata?.writer) members.push(`"writer":${textJson(sourceMetadata.writer)}`);
  return `{${members.join(',')}}`;
}

function printSessionLog({ status, checkpointPath, msg }: tensorflow.SessionLog.$Properties): string {
  const members = [`"status":${enumJson(messages().SessionLog.SessionStatus, status)}`];
  if (checkpointPath) members.push(`"checkpointPath":${textJson(checkpointPath)}`);
  if (msg) members.push(`"msg":${textJson(msg)}`);
  return `{${members.join(',')}}`;
}

function printValue(value: tensorflow.Summary.Value.$Properties, context: PrintContext): string {
  const { simpleValue, image, histo, audio, tensor, metadata } = value;
  const members = [`"tag":${context.name(value.tag ?? '')}`];
  if (metadata?.pluginData?.pluginName) members.push(`"plugin":${context.name(metadata.pluginData.pluginName)}`);
  if (typeof simpleValue === 'number') members.push(`"simpleValue":${float32Json(simpleValue)}`);
  members.push(...size('obsoleteOldStyleHistogram', value.obsoleteOldStyleHistogram));
  if (image) {
    members.push(
      `"image":{"height":${image.height ?? 0},"width":${image.width ?? 0},"colorspace":${image.colorspace ?? 0},` +
        `"bytes":${image.encodedImageString?.length ?? 0}}`,
    );
  }
  if (histo) {
    const facts = (['min', 'max', 'num', 'sum'] as const).map((name) => `"${name}":${float64Json(histo[name] ?? 0)}`);
    members.push(`"histo":{${facts.join(',')},"buckets":${histo.bucket?.length ?? 0}}`);
  }
  if (audio) {
    members.push(
      `"audio":{"sampleRate":${float32Json(audio.sampleRate ?? 0)},"numChannels":${int64Json(audio.numChannels ?? 0)},` +
        `"lengthFrames":${int64Json(audio.lengthFrames ?? 0)},"contentType":${text(audio.contentType)},` +
        `"bytes":${audio.encodedAudioString?.length ?? 0}}`,
    );
  }
  if (tensor) members.push(`"tensor":${printTensor(tensor, context)}`);
  return `{${members.join(',')}}`;
}

function text(value: string | null | undefined): string {
  return textJson(value ?? '');
}

/** Returns the name of an enum's value as JSON; its number if it has no name. */
function enumJson(names: Readonly<Record<number, string>>, value: number | null | undefined): string {
  const name = names[value ?? 0];
  return name === undefined ? String(value) : textJson(name);
}

function size(name: string, bytes: Uint8Array | null | undefined): string[] {
  return bytes ? [`"${name}":{"bytes":${bytes.length}}`] : [];
}

type Tensor = tensorflow.TensorProto.$Properties;

/** How values of one type are stored in `tensor_content`, and how they are printed. */
interface RawForm {
  readonly size: number;
  readonly print: (view: DataView, at: number) => string;
}

/** The forms by the names of the types. */
const RAW_FORMS: Readonly<Record<string, RawForm>> = {
  DT_FLOAT: { size: 4, print: (view, at) => float32Json(view.getFloat32(at, true)) },
  DT_DOUBLE: { size: 8, print: (view, at) => float64Json(view.getFloat64(at, true)) },
  DT_INT8: { size: 1, print: (view, at) => String(view.getInt8(at)) },
  DT_INT16: { size: 2, print: (view, at) => String(view.getInt16(at, true)) },
  DT_INT32: { size: 4, print: (view, at) => String(view.getInt32(at, true)) },
  DT_INT64: { size: 8, print: (view, at) => String(view.getBigInt64(at, true)) },
  DT_UINT8: { size: 1, print: (view, at) => String(view.getUint8(at)) },
  DT_UINT16: { size: 2, print: (view, at) => String(view.getUint16(at, true)) },
  DT_UINT32: { size: 4, print: (view, at) => String(view.getUint32(at, true)) },
  DT_UINT64: { size: 8, print: (view, at) => String(view.getBigUint64(at, true)) },
};

/**
 * `{"dtype":"DT_FLOAT","shape":[],"values":[0.25]}`. Prints the values that the message lists: fewer than the shape has
 * if the last one repeats. Raw values of a type without a {@link RawForm} are `"bytes":n`.
 */
function printTensor(tensor: Tensor, context: PrintContext): string {
  const dtype = tensor.dtype ?? 0;
  const shape = (tensor.tensorShape?.dim ?? []).map(({ size }) => int64Json(size ?? 0)).join(',');
  const name: string | undefined = messages().DataType[dtype];
  return `{"dtype":${name === undefined ? dtype : `"${name}"`},"shape":[${shape}],${printValues(tensor, name, context)}}`;
}

function printValues(tensor: Tensor, dtype: string | undefined, context: PrintContext): string {
  const content = tensor.tensorContent;
  if (!content?.length) return `"values":${printList(tensor, context)}`;
  const form = RAW_FORMS[dtype ?? ''];
  if (form === undefined || content.length % form.size !== 0) return `"bytes":${content.length}`;
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const places = Array.from({ length: content.length / form.size }, (_, i) => i * form.size);
  return `"values":${context.list(places, context.limits.values, (at) => form.print(view, at))}`;
}

/** Prints the first list that is not empty: the values of a type are in one list. */
function printList(tensor: Tensor, context: PrintContext): string {
  const { floatVal, doubleVal, intVal, int64Val, stringVal, boolVal, uint32Val } = tensor;
  const list = <T>(values: readonly T[], print: (value: T) => string): string =>
    context.list(values, context.limits.values, print);
  if (floatVal?.length) return list(floatVal, float32Json);
  if (doubleVal?.length) return list(doubleVal, float64Json);
  if (intVal?.length) return list(intVal, String);
  if (int64Val?.length) return list(int64Val, int64Json);
  if (stringVal?.length) return list(stringVal, (value) => context.bytes(value));
  if (boolVal?.length) return list(boolVal, String);
  if (uint32Val?.length) return list(uint32Val, String);
  if (tensor.uint64Val?.length) return list(tensor.uint64Val, uint64Json);
  return '[]';
}
