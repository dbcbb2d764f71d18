import { isUtf8 } from 'node:buffer';

import { TFRecordError } from '../errors';
import { Example, type ExampleMessage } from '../example';
import type { Bytes } from '../record';
import { byteStringsOf, bytesOf, isByteString, type ByteString, type ByteStrings } from './arguments';
import { decodeError, shown } from './decode-error';

/**
 * Turns Examples in proto3 JSON (`{"features":{"feature":{"a":{"int64List":{"value":["1",2]}}}}}`) into serialized
 * Examples: tf.io.decode_json_example (the op DecodeJSONExample). Names may be `int64List` or `int64_list`. An int64 is
 * a number or a string: plain digits are exact to 64 bits; with a point or an exponent it may be at most 2^53 − 1,
 * because digits may be lost beyond. Floats are numbers or strings within float32's range, or `"inf"`, `"Infinity"` or
 * `"NaN"`, in any case and with or without a sign. Bytes are base64, standard or URL-safe; null means a missing value.
 * Only strict JSON is read. Lists are written packed; TensorFlow writes the same values unpacked.
 * docs/from-tensorflow.md lists the inputs that only TensorFlow takes.
 *
 * @param input - The JSON of one Example, or a list of them; bytes are UTF-8.
 * @returns The serialized Example; of a list, a list.
 * @throws TFRecordError TFR_DECODE for what is no Example in JSON, with the index in a list as `record`. TypeError for
 *   wrong arguments.
 */
export function decodeJsonExample(input: ByteString): Bytes;
export function decodeJsonExample(input: ByteStrings): Bytes[];
export function decodeJsonExample(input: ByteString | ByteStrings): Bytes | Bytes[] {
  if (isByteString(input)) return decodeOne(bytesOf('input', input), undefined);
  return byteStringsOf('input', input).map(decodeOne);
}

function decodeOne(json: Uint8Array, record: number | undefined): Bytes {
  const where = record === undefined ? 'Input' : `Element ${record}`;
  const expected = 'an Example in JSON';
  if (!isUtf8(json)) throw decodeError({ where, record, expected, found: 'bytes that are no UTF-8' });
  let example: ExampleMessage;
  try {
    example = Example.fromJSON(Buffer.from(json).toString());
  } catch (cause) {
    if (!(cause instanceof TFRecordError)) throw cause;
    throw decodeError({ where, record, expected, found: shown(json), advice: `${cause.message}.`, cause });
  }
  return Example.encode(example);
}
