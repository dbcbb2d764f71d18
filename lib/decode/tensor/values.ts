import { TFRecordError } from '../../base';
import { newBytesArray, type BytesArray } from '../../tensor';
import { HOST_IS_LITTLE_ENDIAN, layoutOf, swapBytes, type FixedSizeDType, type TensorArrays } from '../dtypes';
import { BYTE_VALUES, PROTO_TYPES, VALUE_WIRE_TYPES } from './proto-types';
import { DELIMITED, FIXED64, MAX_SHORT_BYTES, VARINT, WireReader } from './wire';

/**
 * Reads the typed values of a scanned TensorProto (`byteValues`: those of float8) into `length` array elements. The
 * message holds `present` elements; its last value fills the rest.
 */
export function readNumbers<D extends FixedSizeDType>(
  bytes: Uint8Array,
  byteValues: Uint8Array,
  dtype: D,
  length: number,
  present: number,
): TensorArrays[D] {
  const { array, parts } = layoutOf(dtype);
  const values = new array(length);
  const available = Math.min(length, present);
  if (PROTO_TYPES[dtype].field === BYTE_VALUES) new Uint8Array(values.buffer).set(byteValues.subarray(0, available));
  else if (VALUE_WIRE_TYPES.get(PROTO_TYPES[dtype].field) === VARINT) readIntegers(bytes, dtype, values, available);
  else copyFloats(bytes, dtype, values, available);
  if (available > 0 && available < length) repeatLast(values, available, parts);
  return values;
}

/** Calls `take` at each value of `field` until it returns false. `last` is the end of the value, or of a packed run. */
export function forEachValue(
  bytes: Uint8Array,
  field: number,
  take: (reader: WireReader, last: number) => boolean,
): void {
  const reader = new WireReader(bytes);
  const end = bytes.length;
  const valueType = VALUE_WIRE_TYPES.get(field);
  while (reader.at < end) {
    const tag = reader.tag(end);
    const wireType = tag & 7;
    if (tag >>> 3 !== field || (wireType !== valueType && wireType !== DELIMITED)) {
      reader.skip(tag, end);
    } else if (wireType === DELIMITED) {
      const last = reader.delimited(end);
      if (valueType === DELIMITED) {
        if (!take(reader, last)) return;
        reader.at = last;
      }
      while (reader.at < last) if (!take(reader, last)) return;
    } else if (!take(reader, end)) {
      return;
    }
  }
}

function readIntegers(
  bytes: Uint8Array,
  dtype: FixedSizeDType,
  values: TensorArrays[FixedSizeDType],
  available: number,
): void {
  let count = 0;
  forEachValue(bytes, PROTO_TYPES[dtype].field, (reader, last) => {
    if (count >= available) return false;
    reader.varint(last);
    const { low, high } = reader;
    // Typed arrays keep the lower bits, as TensorFlow does.
    if (dtype === 'bool') values[count] = (low | high) === 0 ? 0 : 1;
    else if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
      values[count] = (BigInt(high) << 32n) | BigInt(low);
    } else values[count] = low;
    count++;
    return true;
  });
}

/** Floats are copied as bits: a NaN keeps its payload. */
function copyFloats(
  bytes: Uint8Array,
  dtype: FixedSizeDType,
  values: TensorArrays[FixedSizeDType],
  available: number,
): void {
  const { field } = PROTO_TYPES[dtype];
  const width = VALUE_WIRE_TYPES.get(field) === FIXED64 ? 8 : 4;
  const target = new Uint8Array(values.buffer);
  let size = 0;
  forEachValue(bytes, field, (reader) => {
    if (size >= available * width) return false;
    for (let i = 0; i < width; i++) target[size++] = bytes[reader.at++]!;
    return true;
  });
  if (!HOST_IS_LITTLE_ENDIAN) swapBytes(target, width);
}

/** Fills the elements after the first `available` ones with the last value, which has `parts` elements. */
function repeatLast(values: TensorArrays[FixedSizeDType], available: number, parts: number): void {
  const { buffer, BYTES_PER_ELEMENT } = values;
  const target = new Uint8Array(buffer);
  const size = parts * BYTES_PER_ELEMENT;
  let filled = available * BYTES_PER_ELEMENT;
  const start = filled - size;
  // Each round doubles the filled part.
  while (filled < target.length) {
    target.copyWithin(filled, start, Math.min(filled, start + target.length - filled));
    filled += filled - start;
  }
}

/** The positions of byte strings in a message. The last stored string represents all missing ones. */
interface StringPlaces {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Number of required strings that are stored. */
  readonly present: number;
  /** Total size of all `length` strings, in bytes. */
  readonly bytes: number;
}

/** Finds the first `length` of the `present` typed values (field string_val). */
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
  throw new TFRecordError('TFR_RECORD_TOO_LARGE', `Tensor: ${bytes} bytes of strings exceed the maximum of 2^31 − 1.`);
}

/**
 * Copies `length` strings from their positions. @throws TFRecordError TFR_RECORD_TOO_LARGE if they exceed int32
 * offsets.
 */
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

/** Reads strings from tensor_content: `length` lengths, then all bytes. Undefined unless they fill `content` exactly. */
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
