/** JSON of TensorBoard's events: scalars in full, everything else by its size. */
import { float32Json, float64Json, int64Json, textJson } from './json-scalars';
import type { tensorflow } from './messages.generated';
import type { PrintContext } from './print-context';

const OPAQUE_PARTS = ['graphDef', 'metaGraphDef', 'logMessage', 'sessionLog', 'taggedRunMetadata'] as const;
const OPAQUE_VALUES = ['image', 'histo', 'audio', 'tensor', 'obsoleteOldStyleHistogram'] as const;

/**
 * `{"wallTime":1585769947.5,"step":1,"summary":[{"tag":"loss","simpleValue":0.25}]}`. A part that is a message of its
 * own is `{"bytes":n}`.
 */
export function printEvent(event: tensorflow.Event.$Properties, context: PrintContext): string {
  const members = [`"wallTime":${float64Json(event.wallTime ?? 0)}`, `"step":${int64Json(event.step ?? 0)}`];
  if (typeof event.fileVersion === 'string') members.push(`"fileVersion":${textJson(event.fileVersion)}`);
  if (event.summary) {
    const values = event.summary.value ?? [];
    members.push(`"summary":${context.list(values, context.limits.values, (value) => printValue(value, context))}`);
  }
  members.push(...sizes(event, OPAQUE_PARTS));
  return `{${members.join(',')}}`;
}

function printValue(value: tensorflow.Summary.Value.$Properties, context: PrintContext): string {
  const members = [`"tag":${context.name(value.tag ?? '')}`];
  if (typeof value.simpleValue === 'number') members.push(`"simpleValue":${float32Json(value.simpleValue)}`);
  members.push(...sizes(value, OPAQUE_VALUES));
  return `{${members.join(',')}}`;
}

function sizes<N extends string>(
  message: Readonly<Partial<Record<N, Uint8Array | null>>>,
  names: readonly N[],
): string[] {
  return names.flatMap((name) => {
    const bytes = message[name];
    return bytes ? [`"${name}":{"bytes":${bytes.length}}`] : [];
  });
}
