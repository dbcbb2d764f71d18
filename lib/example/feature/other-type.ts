/**
 * Detects records of a wrong type. Without this check protobuf would skip all their fields as unknown, and return
 * nothing.
 */
import { TFRecordError, viewOf } from '../../base';
import { givenLength } from '../../io';
import { RecordTypeCode } from '../../native';
import { typeCode, typeNamed, type RecordType } from './record-type';

// A local constant, because reading a name of a room's index for each record takes longer than this check.
const lengthGiven = givenLength;

/** Types that a reader of Examples accepts with a warning: clearly not the one that is read. */
export type OtherType = 'SequenceExample' | 'Event';

/** The name of each type in errors, and how to read such records: a clause that follows a colon. */
const DESCRIPTIONS: Readonly<Record<RecordType, { readonly name: string; readonly read: string }>> = {
  Example: { name: 'an Example', read: 'read Examples with readExamples, parseExample or decodeExample' },
  SequenceExample: {
    name: 'a SequenceExample',
    read: 'read it with readSequenceExamples, parseSequenceExample, decodeSequenceExample or sequenceExampleToObject',
  },
  Event: {
    name: 'an Event of TensorBoard',
    read: 'read it with Event.decode',
  },
  ExampleListWithContext: {
    name: 'an ExampleListWithContext of TF-Ranking',
    read: 'read such records with readMessages and exampleListParser, which parses their Examples by two specs',
  },
  PredictionLog: {
    name: 'a PredictionLog of TensorFlow Serving',
    read: 'read such records with readMessages and PredictionLog',
  },
  unknown: {
    name: 'a message of another type',
    read: 'read such records with readMessages, by the definition of their message',
  },
};

const FEATURES_TAG = 0x0a;
/** The tag of the wall time, with which Events begin. */
const WALL_TIME_TAG = 0x09;

/** The description of a record of another type, for errors. */
export interface ForeignType {
  /** The name of its type, with an article. */
  readonly name: string;
  /** A sentence about how to read such records. */
  readonly advice: string;
}

export function foreignType(code: RecordTypeCode): ForeignType {
  const { name, read } = DESCRIPTIONS[typeNamed(code)];
  return { name, advice: `${read[0]!.toUpperCase()}${read.slice(1)}.` };
}

/**
 * Returns the type of `record`, if it is clearly not the expected one: an Event, or a SequenceExample if `sequence` is
 * false; else undefined. An Example with unknown fields is an Example, as in protobuf.
 */
export function otherType(record: Uint8Array, sequence: boolean): OtherType | undefined {
  if (!isDoubtful(record, sequence)) return undefined;
  return otherTypeOf(typeCode(viewOf(record, 0, lengthGiven('record', record))), sequence);
}

/** False if the first bytes of `record` suffice to know that {@link otherType} returns undefined. */
export function isDoubtful(record: Uint8Array, sequence: boolean): boolean {
  const length = lengthGiven('record', record);
  return sequence ? beginsLikeEvent(record) : !holdsFeaturesOnly(record, length);
}

/** True if a record at `at` of `bytes` may be an Event: others begin with another byte. */
export function beginsLikeEvent(bytes: Uint8Array, at = 0): boolean {
  return bytes[at] === WALL_TIME_TAG;
}

/** Returns the type with this code, if it is clearly not the expected one. */
export function otherTypeOf(code: RecordTypeCode, sequence: boolean): OtherType | undefined {
  if (code === RecordTypeCode.Event) return 'Event';
  return code === RecordTypeCode.SequenceExample && !sequence ? 'SequenceExample' : undefined;
}

/** Returns advice for a record of type `other`: a sentence without its full stop. */
export function readWith(other: OtherType): string {
  const { name, read } = DESCRIPTIONS[other];
  return `This is ${name}: ${read}`;
}

/**
 * Checks a record that was decoded as `what`. `hasValues` is true if one of its features has a kind. @throws
 * TFRecordError TFR_EXAMPLE if it is of another type, so that values would be lost
 */
export function refuseOther(record: Uint8Array, what: string, sequence: boolean, hasValues: boolean): void {
  const bytes = viewOf(record, 0, givenLength('record', record));
  if (bytes.length === 0 || (hasValues && holdsFeaturesOnly(bytes, bytes.length))) return;
  const code = typeCode(bytes);
  const other = otherTypeOf(code, sequence);
  if (other !== undefined) {
    const found = other === 'Event' ? 'an Event' : 'a SequenceExample';
    throw new TFRecordError('TFR_EXAMPLE', `The bytes are not ${what}. ${readWith(other)}`, { expected: what, found });
  }
  if (isForeign(code)) throw foreignBytes(what, code);
}

/** True for a whole message of a known type that is never read as an Example. As an Example it may be malformed. */
export function isKnownForeign(record: Uint8Array): boolean {
  const code = typeCode(record);
  return code !== RecordTypeCode.Unknown && isForeign(code);
}

/** @throws TFRecordError TFR_EXAMPLE if {@link isKnownForeign}, which explains more than the first invalid byte */
export function refuseKnown(record: Uint8Array, what: string): void {
  if (isKnownForeign(record)) throw foreignBytes(what, typeCode(record));
}

function foreignBytes(what: string, code: RecordTypeCode): TFRecordError {
  const { name, advice } = foreignType(code);
  const message = `The bytes are not ${what}: this seems to be ${name}. ${advice}`;
  return new TFRecordError('TFR_EXAMPLE', message, { expected: what, found: name });
}

/** True for types that are never read as Examples. */
function isForeign(code: RecordTypeCode): boolean {
  return (
    code === RecordTypeCode.Unknown ||
    code === RecordTypeCode.ExampleListWithContext ||
    code === RecordTypeCode.PredictionLog
  );
}

/** Warns that records of type `other` are parsed as another type. `where` names the records. */
export function warnOtherType(where: string, other: OtherType): void {
  const message = `${where} does not have the type that the spec is for: few or none of its values are read. ${readWith(other)}.`;
  process.emitWarning(message, { type: 'TFRecordWarning', code: 'TFR_RECORD_TYPE' });
}

/** True if `record`, of `length` bytes, is one field of features and nothing else, as writers make Examples. */
function holdsFeaturesOnly(record: Uint8Array, length: number): boolean {
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
