/** Finds out which message a record holds. TFRecord itself does not store that. */
import { types } from 'node:util';

import { callNative, invalidArgType, viewOf } from '../../base';
import { givenLength, unsharedBytes } from '../../io';
import { native, RecordTypeCode } from '../../native';

/**
 * The types of records that are recognized. `Event` is TensorBoard's, `ExampleListWithContext` is TF-Ranking's,
 * `PredictionLog` is TensorFlow Serving's; `unknown` is anything else.
 */
export type RecordType =
  'Example' | 'SequenceExample' | 'Event' | 'ExampleListWithContext' | 'PredictionLog' | 'unknown';

/** The names of types, by their code. */
const TYPES: Readonly<Record<RecordTypeCode, RecordType>> = {
  [RecordTypeCode.Unknown]: 'unknown',
  [RecordTypeCode.Example]: 'Example',
  [RecordTypeCode.SequenceExample]: 'SequenceExample',
  [RecordTypeCode.Event]: 'Event',
  [RecordTypeCode.ExampleListWithContext]: 'ExampleListWithContext',
  [RecordTypeCode.PredictionLog]: 'PredictionLog',
  [RecordTypeCode.ExtendedExample]: 'unknown',
};

/**
 * The type of a record: `tf.train.Example`, `tf.train.SequenceExample`, TensorBoard's `Event`, TF-Ranking's
 * `ExampleListWithContext` or TensorFlow Serving's `PredictionLog`. A strict walk over all its bytes decides: field
 * numbers, wire types, lengths, the form of map entries, UTF-8 of names. A message with a field that its type does not
 * have is `unknown`. The empty record is an empty Example. A SequenceExample without feature lists has the same bytes as
 * an Example, and counts as one. @throws TypeError if `record` is not a Uint8Array, or its memory is gone
 *
 * @example
 * for await (const record of readRecords(file)) console.log(recordType(record)); // Example
 */
export function recordType(record: Uint8Array): RecordType {
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  return TYPES[typeCode(viewOf(record, 0, givenLength('record', record)))];
}

/** The codes, at their numbers. */
const CODES = [
  RecordTypeCode.Unknown,
  RecordTypeCode.Example,
  RecordTypeCode.SequenceExample,
  RecordTypeCode.Event,
  RecordTypeCode.ExampleListWithContext,
  RecordTypeCode.PredictionLog,
  RecordTypeCode.ExtendedExample,
] as const;

/** The code that native code reports as `number`. */
export function typeCodeOf(number: number | bigint | undefined): RecordTypeCode {
  return CODES[Number(number)] ?? RecordTypeCode.Unknown;
}

/** The name of the type with this code. */
export function typeNamed(code: RecordTypeCode): RecordType {
  return TYPES[code];
}

/** The code of the type of `record`, in any memory. */
export function typeCode(record: Uint8Array): RecordTypeCode {
  const own = unsharedBytes(record);
  return callNative('<bytes>', () => native().recordType(own));
}
