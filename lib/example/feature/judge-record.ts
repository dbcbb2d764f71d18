/** Says what is wrong with bytes that native code refused: it reads them again, slowly, up to the first fault. */
import { isUtf8 } from 'node:buffer';

import { LENGTH_DELIMITED, tagOf, WireReader } from '../message';

export type RecordKind = 'an Example' | 'a SequenceExample';

/**
 * Checks the content of a length-delimited field, from the reader's position to `end`, and leaves the reader at `end`.
 * `depth` is the number of messages around it.
 */
type Judge = (reader: WireReader, end: number, depth: number) => void;

/** A message with those fields; others are passed over. */
function message(fields: Readonly<Record<number, Judge>>): Judge {
  const judges = new Map(
    Object.entries(fields).map(([field, judge]) => [tagOf(Number(field), LENGTH_DELIMITED), judge]),
  );
  return (reader, end, depth) => {
    while (reader.position < end) {
      const tag = reader.tag(end);
      const judge = judges.get(tag);
      if (judge === undefined) reader.skipField(tag, end, depth);
      else judge(reader, reader.contentEnd(end), depth + 1);
    }
  };
}

const name: Judge = (reader, end) => {
  const { bytes, position } = reader;
  if (!isUtf8(bytes.subarray(position, end))) reader.fail(position, 'a name is no UTF-8');
  reader.position = end;
};

const packedFloats: Judge = (reader, end) => {
  const { position } = reader;
  const size = end - position;
  if (size % 4 !== 0) reader.fail(position, `${size} bytes of packed floats are no multiple of 4`);
  reader.position = end;
};

const packedInt64s: Judge = (reader, end) => {
  while (reader.position < end) reader.skipVarint(end);
};

const mapOf = (value: Judge): Judge => message({ 1: message({ 1: name, 2: value }) });

const feature = message({ 1: message({}), 2: message({ 1: packedFloats }), 3: message({ 1: packedInt64s }) });
const features = mapOf(feature);
const judges: Readonly<Record<RecordKind, Judge>> = {
  'an Example': message({ 1: features }),
  'a SequenceExample': message({ 1: features, 2: mapOf(message({ 1: feature })) }),
};

/** @throws TFRecordError TFR_EXAMPLE, telling the first byte that is wrong in `record`, which is not `kind`. */
export function refuseRecord(record: Uint8Array, kind: RecordKind): never {
  const reader = new WireReader(record, kind);
  judges[kind](reader, record.length, 0);
  return reader.fail(record.length, 'they are malformed');
}
