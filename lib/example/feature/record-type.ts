/** Finds out which message a record holds. TFRecord itself does not store that. */
import { types } from 'node:util';

import { invalidArgType } from '../../errors';
import { givenLength, unsharedBytes, viewOf } from '../../record';
import {
  blob,
  fixed32,
  fixed64,
  mapEntry,
  matches,
  nested,
  packedFixed32,
  packedVarints,
  text,
  varint,
  type Grammar,
} from './grammar';

/** `Event` is TensorBoard's; `unknown` is anything that is none of the others. */
export type RecordType = 'Example' | 'SequenceExample' | 'Event' | 'unknown';

const FEATURE: Grammar = {
  0x0a: nested({ 0x0a: blob }),
  0x12: nested({ 0x0a: packedFixed32, 0x0d: fixed32 }),
  0x1a: nested({ 0x0a: packedVarints, 0x08: varint }),
};
const FEATURES: Grammar = { 0x0a: mapEntry(nested(FEATURE)) };
const FEATURE_LISTS: Grammar = { 0x0a: mapEntry(nested({ 0x0a: nested(FEATURE) })) };

const EXAMPLE: Grammar = { 0x0a: nested(FEATURES) };
const SEQUENCE_EXAMPLE: Grammar = { 0x0a: nested(FEATURES), 0x12: nested(FEATURE_LISTS) };

const SUMMARY: Grammar = {
  0x0a: nested({
    0x0a: text,
    0x15: fixed32,
    0x1a: blob,
    0x22: blob,
    0x2a: blob,
    0x32: blob,
    0x3a: text,
    0x42: blob,
    0x4a: blob,
  }),
};
const EVENT: Grammar = {
  0x09: fixed64,
  0x10: varint,
  0x1a: text,
  0x22: blob,
  0x2a: nested(SUMMARY),
  0x32: blob,
  0x3a: blob,
  0x42: blob,
  0x4a: blob,
  0x52: blob,
};

/**
 * The type of a record: the first of `tf.train.Example`, `tf.train.SequenceExample` and TensorBoard's `Event` that
 * fits. A strict walk over all its bytes decides: field numbers, wire types, lengths, the form of map entries, UTF-8 of
 * names. A message with a field that its type does not have is `unknown`. The empty record is an empty Example. A
 * SequenceExample without feature lists has the same bytes as an Example, and counts as one. @throws TypeError if
 * `record` is not a Uint8Array, or its memory is gone
 *
 * @example
 * for await (const record of readRecords(file)) console.log(recordType(record)); // Example
 */
export function recordType(record: Uint8Array): RecordType {
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  return typeOf(unsharedBytes(viewOf(record, 0, givenLength('record', record))));
}

function typeOf(record: Uint8Array): RecordType {
  if (fits(record, EXAMPLE)) return 'Example';
  if (fits(record, SEQUENCE_EXAMPLE)) return 'SequenceExample';
  if (startsLikeEvent(record) && fits(record, EVENT)) return 'Event';
  return 'unknown';
}

function fits(record: Uint8Array, grammar: Grammar): boolean {
  return matches({ bytes: record, position: 0 }, record.length, grammar);
}

/** Every writer of events puts the wall time first: seconds since 1970, so 10^11 is the year 5138. */
function startsLikeEvent(record: Uint8Array): boolean {
  if (record[0] !== 0x09 || record.length < 9) return false;
  const wallTime = new DataView(record.buffer, record.byteOffset + 1, 8).getFloat64(0, true);
  return wallTime >= 0 && wallTime < 1e11;
}
