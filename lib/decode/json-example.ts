import { isUtf8 } from 'node:buffer';

import { TFRecordError, type Bytes } from '../base';
import { Example, type ExampleMessage } from '../example';
import { byteStringsOf, bytesOf, isByteString, type ByteString, type ByteStrings } from './arguments';
import { decodeError, shown } from './decode-error';

/**
 * Converts Examples in proto3 JSON (`{"features":{"feature":{"a":{"int64List":{"value":["1",2]}}}}}`) to serialized
 * Examples, like tf.io.decode_json_example (the op DecodeJSONExample).
 *
 * - Field names may be `int64List` or `int64_list`.
 * - An int64 is a number or a string. Plain digits are exact to 64 bits. With a point or an exponent, it may be at most
 *   2^53 − 1, because digits may be lost beyond that.
 * - A float is a number or a string within float32's range, or `"inf"`, `"Infinity"` or `"NaN"`, in upper or lower case,
 *   with or without a sign.
 * - Bytes are base64, standard or URL-safe. null means a missing value.
 *
 * Only strict JSON is accepted. Lists are written packed; TensorFlow writes the same values unpacked.
 * docs/from-tensorflow.md lists the inputs that only TensorFlow accepts.
 *
 * @param input - The JSON of one Example, or a list of them. Bytes are UTF-8.
 * @returns The serialized Example, or a list of them for a list.
 * @throws TFRecordError TFR_DECODE if the input is not an Example in JSON, with the index in a list as `record`. TypeError
 *   for wrong arguments.
 *
 * @example
 * const record = decodeJsonExample('{"features":{"feature":{"a":{"int64List":{"value":["1"]}}}}}');
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
  if (!isUtf8(json)) throw decodeError({ where, record, expected, found: 'bytes that are not UTF-8' });
  let example: ExampleMessage;
  try {
    example = Example.fromJSON(Buffer.from(json).toString());
  } catch (cause) {
    if (!(cause instanceof TFRecordError)) throw cause;
    throw decodeError({ where, record, expected, found: shown(json), detail: `${cause.message}.`, cause });
  }
  return Example.encode(example);
}
