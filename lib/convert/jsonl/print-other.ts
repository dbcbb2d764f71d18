/** Prints the records that `ExampleLines` refuses: Examples in unusual forms, and Events. */
import {
  TFRecordError,
  type Bytes,
  type Origin,
  tfrecordError,
  advice,
  setting,
  worded,
  type Message,
  isList,
  isObject,
} from '../../base';
import {
  decodeExample,
  decodeSequenceExample,
  Event,
  Example,
  foreignError,
  recordType,
  SequenceExample,
  textJson,
  type DecodedFeature,
  type JsonValue,
  type RecordType,
} from '../../example';
import { FLOAT_WORDS } from './print-example';
import type { TextBuffer } from '../output/text-buffer';

const MESSAGES: Readonly<Partial<Record<RecordType, typeof Example | typeof SequenceExample | typeof Event>>> = {
  Example,
  SequenceExample,
  Event,
};

/**
 * Adds the line of `record` in protobuf's canonical JSON. @throws TFRecordError TFR_EXAMPLE for a record of another
 * type
 */
export function printMessage(record: Bytes, origin: () => Origin, out: TextBuffer): void {
  const type = recordType(record);
  const message = MESSAGES[type];
  if (message === undefined) throw refusal(record, origin(), type, 'protojson');
  const decoded = message.decode(record);
  out.text(jsonOf(message.toJSON(decoded), decoded));
  out.byte(0x0a);
}

function isItems(value: JsonValue): value is readonly JsonValue[] {
  return isList(value);
}

/**
 * The JSON of `value`. `plain`: the same value in JSON's types. -0 is written with a point, so that readers do not take
 * it for an integer.
 */
function jsonOf(value: JsonValue, plain: unknown): string {
  if (value === '-0' && Object.is(plain, -0)) return '-0.0';
  if (typeof value === 'string') return textJson(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = isObject(plain) ? plain : {};
  if (isItems(value)) return `[${value.map((item, i) => jsonOf(item, inner[i])).join(',')}]`;
  const members = Object.entries(value);
  return `{${members.map(([name, member]) => `${textJson(name)}:${jsonOf(member, inner[name])}`).join(',')}}`;
}

/**
 * Adds the line of `record` as a plain row. @throws TFRecordError TFR_EXAMPLE unless it is an Example or
 * SequenceExample
 */
export function printRow(record: Bytes, origin: () => Origin, out: TextBuffer): void {
  const type = recordType(record);
  if (type === 'Example') printFeatures(decodeExample(record), out);
  else if (type === 'SequenceExample') {
    const { context, featureLists } = decodeSequenceExample(record);
    out.ascii('{"context":');
    printFeatures(context, out);
    out.ascii(',"featureLists":');
    printMembers(featureLists, out, (steps) => {
      printList(steps.length, out, (i) => printFeature(steps[i], out));
    });
    out.byte(0x7d);
  } else throw refusal(record, origin(), type, 'jsonl');
  out.byte(0x0a);
}

function printFeatures(features: Readonly<Record<string, DecodedFeature | undefined>>, out: TextBuffer): void {
  printMembers(features, out, (feature) => printFeature(feature, out));
}

function printMembers<T>(members: Readonly<Record<string, T>>, out: TextBuffer, print: (member: T) => void): void {
  out.byte(0x7b);
  for (const [i, [name, member]] of Object.entries(members).entries()) {
    if (i > 0) out.byte(0x2c);
    out.text(`${textJson(name)}:`);
    print(member);
  }
  out.byte(0x7d);
}

function printList(count: number, out: TextBuffer, print: (index: number) => void): void {
  out.byte(0x5b);
  for (let i = 0; i < count; i++) {
    if (i > 0) out.byte(0x2c);
    print(i);
  }
  out.byte(0x5d);
}

function printFeature(feature: DecodedFeature | undefined, out: TextBuffer): void {
  if (feature === undefined) out.ascii('null');
  else if (feature.kind === 'bytes') {
    const { values } = feature;
    printList(values.length, out, (i) => printBytes(values.at(i)!, out));
  } else if (feature.kind === 'float') {
    const { values } = feature;
    printList(values.length, out, (i) => out.float(values[i]!));
  } else {
    const { values } = feature;
    printList(values.length, out, (i) => out.ascii(String(values[i])));
  }
}

function printBytes(value: Uint8Array, out: TextBuffer): void {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length < 10 && FLOAT_WORDS.includes(bytes.toString('latin1'))) {
    out.ascii('{"base64":');
    out.base64(bytes);
    out.byte(0x7d);
  } else out.anyText(bytes);
}

function refusal(bytes: Bytes, origin: Origin, type: RecordType, format: 'jsonl' | 'protojson'): TFRecordError {
  const { file, record, offset } = origin;
  const expected = format === 'jsonl' ? 'an Example or a SequenceExample' : 'an Example, a SequenceExample or an Event';
  const refused = (found: string, message: Message): TFRecordError =>
    tfrecordError('TFR_EXAMPLE', message, { file, record, offset, expected, found });
  if (type === 'Event') {
    const found = 'an Event';
    const cure = advice` ${setting('to', 'protojson')} writes Events.`;
    return refused(found, worded`Record ${record} of ${file} is ${found}: ${format} has lines of ${expected}.${cure}`);
  }
  const place = `Record ${record} of ${file} (byte ${offset})`;
  const damage = malformation(bytes);
  if (damage !== undefined) {
    return refused(damage, worded`${place} is not ${expected}: the protobuf data is malformed: ${damage}.`);
  }
  if (type === 'unknown' && hasFeatures(bytes)) {
    const found = `fields that ${expected} does not have`;
    return refused(found, worded`${place} has ${found}: a line of JSON would lose them.`);
  }
  return foreignError(expected, origin, bytes);
}

/** True for an Example or a SequenceExample, even one with unknown fields. */
function hasFeatures(record: Bytes): boolean {
  try {
    decodeSequenceExample(record);
    return true;
  } catch {
    return false;
  }
}

/** Returns the reason and the position if `record` is malformed; undefined for a valid message of another type. */
function malformation(record: Bytes): string | undefined {
  try {
    decodeSequenceExample(record);
    return undefined;
  } catch (error) {
    const found = error instanceof TFRecordError ? error.found : undefined;
    return found !== undefined && / at byte \d+$/.test(found) ? found : undefined;
  }
}
