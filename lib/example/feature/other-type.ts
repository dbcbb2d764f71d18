/**
 * Detects records of a wrong type. Without this check protobuf would skip all their fields as unknown, and give
 * nothing.
 */
import { TFRecordError } from '../../errors';
import { givenLength, viewOf } from '../../record';
import { recordType, type RecordType } from './record-type';

/** Types that are clearly not the one that is read. */
export type OtherType = Exclude<RecordType, 'Example' | 'unknown'>;

const FEATURES_TAG = 0x0a;

const READ_WITH: Readonly<Record<OtherType, string>> = {
  SequenceExample:
    'This is a SequenceExample: read it with readSequenceExamples, parseSequenceExample, decodeSequenceExample or ' +
    'sequenceExampleToObject',
  Event: 'This is an Event of TensorBoard: read it with Event.decode',
};

/**
 * The type of `record`, if it is clearly not the one that is read: an Event, or a SequenceExample if `sequence` is
 * false. Undefined otherwise. An Example with unknown fields is an Example, as in protobuf.
 */
export function otherType(record: Uint8Array, sequence: boolean): OtherType | undefined {
  const bytes = viewOf(record, 0, givenLength('record', record));
  if (holdsFeaturesOnly(bytes)) return undefined;
  const type = recordType(bytes);
  if (type === 'Event') return type;
  return type === 'SequenceExample' && !sequence ? type : undefined;
}

/** Advice for a record of type `other`: a sentence without its full stop. */
export function readWith(other: OtherType): string {
  return READ_WITH[other];
}

/** @throws TFRecordError TFR_EXAMPLE if a decoded record is of another type, so that values would be lost */
export function refuseOther(record: Uint8Array, what: string, sequence: boolean): void {
  const other = otherType(record, sequence);
  if (other === undefined) return;
  const found = other === 'Event' ? 'an Event' : 'a SequenceExample';
  throw new TFRecordError('TFR_EXAMPLE', `The bytes are not ${what}. ${READ_WITH[other]}`, { expected: what, found });
}

/** Warns that records of type `other` are parsed as another type. `where` names the records. */
export function warnOtherType(where: string, other: OtherType): void {
  const message = `${where} does not have the type that the spec is for: few or none of its values are read. ${READ_WITH[other]}.`;
  process.emitWarning(message, { type: 'TFRecordWarning', code: 'TFR_RECORD_TYPE' });
}

/** True if `record` is one field of features and nothing else, as writers make Examples. */
function holdsFeaturesOnly(record: Uint8Array): boolean {
  const { length } = record;
  if (length === 0) return true;
  if (record[0] !== FEATURES_TAG) return false;
  let size = 0;
  for (let i = 1, scale = 1; i < length && i <= 5; i++, scale *= 0x80) {
    const byte = record[i]!;
    size += (byte & 0x7f) * scale;
    if (byte < 0x80) return i + 1 + size === length;
  }
  return false;
}
