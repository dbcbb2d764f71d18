import { TFRecordError } from '../../errors';
import { newBytesArray, type BytesArray } from '../../example';
import { PROTO_TYPES } from './proto-types';
import { forEachValue } from './read-values';
import { MAX_SHORT_BYTES, WireReader } from './wire';

/** Where `length` byte strings lie in the message; those behind the last that is there repeat it. */
export interface StringPlaces {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Number of strings that are there, of those that are wanted. */
  readonly present: number;
  /** Bytes of all `length` strings together. */
  readonly bytes: number;
}

/** Places of the typed values (field string_val): the first `length` of `present` that there are. */
export function findStrings(bytes: Uint8Array, length: number, present: number): StringPlaces {
  const available = Math.min(length, present);
  const starts = new Uint32Array(available);
  const ends = new Uint32Array(available);
  let count = 0;
  let size = 0;
  forEachValue(bytes, PROTO_TYPES.bytes.field, (reader, last) => {
    if (count >= available) return false;
    starts[count] = reader.at;
    ends[count++] = last;
    size += last - reader.at;
    return true;
  });
  const tail = available === 0 ? 0 : ends[available - 1]! - starts[available - 1]!;
  return { starts, ends, present: available, bytes: size + tail * (length - available) };
}

const MAX_BYTES = 2 ** 31 - 1;

function checkSize(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  throw new TFRecordError('TFR_RECORD_TOO_LARGE', `Tensor: ${bytes} bytes of strings, at most 2^31 − 1 are possible.`);
}

/** `length` strings from their places. @throws TFRecordError TFR_RECORD_TOO_LARGE beyond what int32 offsets can say. */
export function copyStrings(source: Uint8Array, places: StringPlaces, length: number): BytesArray {
  checkSize(places.bytes);
  const data = new Uint8Array(places.bytes);
  const offsets = new Int32Array(length + 1);
  let at = 0;
  for (let i = 0; i < length; i++) {
    const from = Math.min(i, places.present - 1);
    if (from >= 0) {
      const value = source.subarray(places.starts[from], places.ends[from]);
      data.set(value, at);
      at += value.length;
    }
    offsets[i + 1] = at;
  }
  return newBytesArray(data, offsets);
}

/** Strings of tensor_content: `length` lengths, then all bytes; undefined unless they fill `content` exactly. */
export function readStringContent(content: Uint8Array, length: number): BytesArray | undefined {
  // Each length has at least one byte.
  if (length > content.length) return undefined;
  checkSize(content.length);
  const reader = new WireReader(content);
  const offsets = new Int32Array(length + 1);
  let size = 0;
  for (let i = 0; i < length; i++) {
    const start = reader.at;
    reader.varint(content.length);
    // Lengths are 32-bit numbers of up to five bytes.
    if (reader.at - start > MAX_SHORT_BYTES) return undefined;
    size += reader.low;
    if (size > content.length) return undefined;
    offsets[i + 1] = size;
  }
  if (size !== content.length - reader.at) return undefined;
  return newBytesArray(content.slice(reader.at), offsets);
}
