/** Shows events of TensorBoard as cells of a row. */
import { Event, type EventMessage } from '../../example';
import { numberText, plural } from './texts';

type SummaryValue = NonNullable<EventMessage['summary']>['value'][number];

/** Maximum bytes of an event to decode for a list: graphs are longer. */
const MAX_BYTES = 2 ** 20;
const LONGEST_TEXT = 80;
/** The value of float32 in TensorFlow's enum `DataType`. */
const DT_FLOAT = 1;

/** Returns name, text, name, text …: the step, and the content of the event; undefined if it cannot be decoded here. */
export function eventCells(data: Uint8Array): string[] | undefined {
  if (data.length > MAX_BYTES) return undefined;
  try {
    const { step, fileVersion, summary, logMessage, graphDef, metaGraphDef, sessionLog } = Event.decode(data);
    const cells = ['step', String(step)];
    if (fileVersion !== undefined) cells.push('fileVersion', cut(fileVersion));
    for (const value of summary?.value ?? []) cells.push(cut(value.tag), valueText(value));
    if (logMessage !== undefined) cells.push('log', cut(logMessage.message));
    if (sessionLog !== undefined) cells.push('session', cut(sessionLog.checkpointPath || sessionLog.msg));
    for (const [name, graph] of Object.entries({ graphDef, metaGraphDef })) {
      if (graph !== undefined) cells.push(name, plural(graph.length, 'byte'));
    }
    return cells;
  } catch {
    return undefined;
  }
}

function valueText({ simpleValue, image, histo, audio, tensor }: SummaryValue): string {
  if (simpleValue !== undefined) return numberText(simpleValue);
  if (image !== undefined) return `picture ${image.width} × ${image.height}`;
  if (histo !== undefined) return `histogram of ${plural(histo.num, 'value')}`;
  if (audio !== undefined) return `sound, ${plural(audio.encodedAudioString.length, 'byte')}`;
  if (tensor === undefined) return 'a value';
  const { floatVal, tensorContent } = tensor;
  if (floatVal.length === 1) return numberText(floatVal[0]!);
  if (tensor.dtype === DT_FLOAT && tensorContent.length === 4) {
    return numberText(Buffer.from(tensorContent).readFloatLE());
  }
  return 'tensor';
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
