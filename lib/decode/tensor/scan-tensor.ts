import { isUtf8 } from 'node:buffer';

import { BYTE_VALUES, VALUE_WIRE_TYPES } from './proto-types';
import { DELIMITED, VARINT, WireFault, WireReader } from './wire';

/** Maximum number of dimensions in TensorFlow. */
export const MAX_RANK = 254;

/** The contents of a TensorProto, without its values. */
export interface ScannedTensor {
  /** Number in the enum DataType. */
  readonly dtype: number;
  readonly shape: readonly bigint[];
  /** A view of `tensor_content`; empty if there is none. */
  readonly content: Uint8Array;
  /** A view of `float8_val`. If it occurs several times, the last one is valid. */
  readonly byteValues: Uint8Array;
  /** Number of typed values by field. A complex value counts as two. */
  readonly counts: ReadonlyMap<number, number>;
}

const DTYPE = 1;
const SHAPE = 2;
const VERSION = 3;
const CONTENT = 4;
/** The fields resource_handle_val and variant_val. Their content is not used, but must consist of fields. */
const MESSAGES: readonly number[] = [14, 15];

/**
 * Scans a TensorProto and counts its values without reading them. Follows protobuf's rules: fields in any order, values
 * packed or not, repeated submessages merged, unknown fields skipped. @throws WireFault if the bytes are not a
 * TensorProto.
 */
export function scanTensor(bytes: Uint8Array): ScannedTensor {
  const reader = new WireReader(bytes);
  const end = bytes.length;
  const counts = new Map<number, number>();
  const shape: bigint[] = [];
  let dtype = 0;
  let content = bytes.subarray(0, 0);
  let byteValues = content;
  while (reader.at < end) {
    const tag = reader.tag(end);
    const field = tag >>> 3;
    const wireType = tag & 7;
    const valueType = VALUE_WIRE_TYPES.get(field);
    if (field === DTYPE && wireType === VARINT) {
      reader.varint(end);
      dtype = reader.low | 0;
    } else if (field === SHAPE && wireType === DELIMITED) {
      scanShape(reader, reader.delimited(end), shape);
    } else if ((field === CONTENT || field === BYTE_VALUES) && wireType === DELIMITED) {
      const after = reader.delimited(end);
      const found = bytes.subarray(reader.at, after);
      if (field === CONTENT) content = found;
      else byteValues = found;
      reader.at = after;
    } else if (field !== VERSION && valueType === wireType) {
      reader.skip(tag, end);
      counts.set(field, (counts.get(field) ?? 0) + 1);
    } else if (valueType !== undefined && wireType === DELIMITED) {
      const count = countPacked(reader, reader.delimited(end), valueType);
      counts.set(field, (counts.get(field) ?? 0) + count);
    } else if (MESSAGES.includes(field) && wireType === DELIMITED) {
      for (const after = reader.delimited(end); reader.at < after;) reader.skip(reader.tag(after), after);
    } else {
      reader.skip(tag, end);
    }
  }
  if (byteValues.length > 0) counts.set(BYTE_VALUES, byteValues.length);
  return { dtype, shape, content, byteValues, counts };
}

/** Skips packed values up to `end`, and returns their number. */
function countPacked(reader: WireReader, end: number, valueType: number): number {
  if (valueType !== VARINT) {
    const size = valueType === 1 ? 8 : 4;
    if ((end - reader.at) % size !== 0) throw new WireFault('an incomplete value', end);
    const count = (end - reader.at) / size;
    reader.at = end;
    return count;
  }
  let count = 0;
  for (; reader.at < end; count++) reader.varint(end);
  return count;
}

/** Reads a TensorShapeProto up to `end`, and appends its sizes to `shape`. Ignores `unknown_rank`, like TensorFlow. */
function scanShape(reader: WireReader, end: number, shape: bigint[]): void {
  while (reader.at < end) {
    const tag = reader.tag(end);
    if (tag !== ((2 << 3) | DELIMITED)) {
      reader.skip(tag, end);
      continue;
    }
    const size = scanDimension(reader, reader.delimited(end));
    // One dimension more than the maximum suffices for the error.
    if (shape.length <= MAX_RANK) shape.push(size);
  }
}

function scanDimension(reader: WireReader, end: number): bigint {
  let size = 0n;
  while (reader.at < end) {
    const tag = reader.tag(end);
    if (tag === ((1 << 3) | VARINT)) {
      reader.varint(end);
      size = BigInt.asIntN(64, (BigInt(reader.high) << 32n) | BigInt(reader.low));
    } else if (tag === ((2 << 3) | DELIMITED)) {
      const after = reader.delimited(end);
      if (!isUtf8(reader.bytes.subarray(reader.at, after))) throw new WireFault('a name that is not UTF-8', reader.at);
      reader.at = after;
    } else {
      reader.skip(tag, end);
    }
  }
  return size;
}
