/** Iterates over the features of serialized Examples and SequenceExamples, and writes the headers of their fields. */
import { TFRecordError, type Bytes, type Origin } from '../../base';
import { recordType, type RecordType } from '../feature';
import { foreignError } from '../parse';

/** Tags of length-delimited fields 1 and 2. */
export const FIELD_1 = 0x0a;
export const FIELD_2 = 0x12;

/** A position in a record. Each step checks that the record is long enough. */
export class Wire {
  readonly bytes: Buffer;
  at = 0;

  constructor(record: Uint8Array) {
    this.bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  }

  /**
   * Reads the length at the position, and returns where the field ends. @throws NotAnExample unless that is within
   * `end`
   */
  closedBy(end: number): number {
    const { bytes } = this;
    let length = 0;
    for (let factor = 1; ; factor *= 0x80) {
      if (this.at >= end || factor > 0x80 ** 4) throw new NotAnExample();
      const byte = bytes[this.at++]!;
      length += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    const stop = this.at + length;
    if (stop > end) throw new NotAnExample();
    return stop;
  }
}

/** Thrown for bytes that are neither an Example nor a SequenceExample. */
export class NotAnExample extends Error {}

/** An entry of a map of features: its name, and the positions of its parts in the record. */
export interface Entry {
  /** The bytes of the name, one character each. */
  name: string;
  /** The whole entry, including its tag. */
  start: number;
  end: number;
  /** The value; an empty range if the entry has none. */
  valueStart: number;
  valueEnd: number;
}

/**
 * Calls `take` for each entry of the features and feature lists of a record. Each call gets the same object. `section`:
 * the tag of the field that contains the entry. @throws NotAnExample
 */
export function forEachEntry(wire: Wire, take: (entry: Entry, section: number) => void): void {
  const { bytes } = wire;
  const entry: Entry = { name: '', start: 0, end: 0, valueStart: 0, valueEnd: 0 };
  wire.at = 0;
  while (wire.at < bytes.length) {
    const section = bytes[wire.at++]!;
    if (section !== FIELD_1 && section !== FIELD_2) throw new NotAnExample();
    const sectionEnd = wire.closedBy(bytes.length);
    while (wire.at < sectionEnd) {
      entry.start = wire.at;
      if (bytes[wire.at++] !== FIELD_1) throw new NotAnExample();
      entry.end = wire.closedBy(sectionEnd);
      entry.name = '';
      entry.valueStart = entry.valueEnd = entry.end;
      let values = 0;
      while (wire.at < entry.end) {
        const tag = bytes[wire.at++];
        const stop = wire.closedBy(entry.end);
        if (tag === FIELD_1) entry.name = bytes.toString('latin1', wire.at, stop);
        else if (tag === FIELD_2 && values++ === 0) [entry.valueStart, entry.valueEnd] = [wire.at, stop];
        else throw new NotAnExample();
        wire.at = stop;
      }
      take(entry, section);
      wire.at = entry.end;
    }
  }
}

/** Size of `value` as a varint. */
export function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

/** Writes the tag and the length of a field to `target` at `at`. Returns where the field's bytes begin. */
export function writeHeader(target: Uint8Array, at: number, tag: number, length: number): number {
  let end = at;
  target[end++] = tag;
  let rest = length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) target[end++] = (rest % 0x80) | 0x80;
  target[end++] = rest;
  return end;
}

/** The name in the form of {@link Entry.name}. */
export function wireName(name: string): string {
  return Buffer.from(name).toString('latin1');
}

const EXAMPLES: ReadonlySet<RecordType> = new Set<RecordType>(['Example', 'SequenceExample']);

/** True for messages of other types. Parts of such a message can look like features. */
export function isOtherMessage(record: Bytes): boolean {
  return record.length > 0 && !EXAMPLES.has(recordType(record));
}

/**
 * The error about `record`, which is neither an Example nor a SequenceExample, or which {@link forEachEntry} cannot
 * read. `why`: a relative clause that states the purpose.
 */
export function notAnExample(record: Bytes, origin: Origin, why: string): TFRecordError {
  const expected = 'an Example or a SequenceExample';
  if (isOtherMessage(record)) return foreignError(expected, origin, record);
  const { file, record: number, offset } = origin;
  return new TFRecordError('TFR_EXAMPLE', `Record ${number} of ${file} is not ${expected}, ${why}.`, {
    file,
    record: number,
    offset,
    expected,
  });
}
