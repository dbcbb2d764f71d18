import { HOST_IS_LITTLE_ENDIAN, swapBytes } from '../byte-order';
import { layoutOf, type FixedSizeDType, type TensorArrays } from '../dtypes';
import { BYTE_VALUES, PROTO_TYPES, VALUE_WIRE_TYPES } from './proto-types';
import { DELIMITED, FIXED64, VARINT, WireReader } from './wire';

/**
 * The typed values of a TensorProto that was scanned (`byteValues` are those of float8): the first `length` array
 * elements. The first `present` of them are stored; the last stored value fills the rest.
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

/** Calls `take` with where each value of `field` lies, until it returns false; `last` ends a run of packed values. */
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

/** Fills what lies behind the first `available` elements with the last whole value of `parts` elements. */
function repeatLast(values: TensorArrays[FixedSizeDType], available: number, parts: number): void {
  const { buffer, BYTES_PER_ELEMENT } = values;
  const target = new Uint8Array(buffer);
  const size = parts * BYTES_PER_ELEMENT;
  let filled = available * BYTES_PER_ELEMENT;
  const start = filled - size;
  // Doubling what is there already.
  while (filled < target.length) {
    target.copyWithin(filled, start, Math.min(filled, start + target.length - filled));
    filled += filled - start;
  }
}
