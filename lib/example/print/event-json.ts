/** JSON of TensorBoard's events: scalars and tensors in full, pictures, sound and graphs by their size. */
import { messages, type tensorflow } from '../message';
import { float32Json, float64Json, int64Json, textJson } from './json-scalars';
import type { PrintContext } from './print-context';
import { printTensor } from './tensor-json';

/**
 * `{"wallTime":1585769947.5,"step":1,"summary":[{"tag":"loss","simpleValue":0.25}]}`. What is not told in full is
 * `{"bytes":n}`.
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

/** The name of an enum's value; one without a name as its number. */
function enumJson(names: Readonly<Record<number, string>>, value: number | null | undefined): string {
  const name = names[value ?? 0];
  return name === undefined ? String(value) : textJson(name);
}

function size(name: string, bytes: Uint8Array | null | undefined): string[] {
  return bytes ? [`"${name}":{"bytes":${bytes.length}}`] : [];
}
