import { isUtf8 } from 'node:buffer';

import { BYTE_VALUES, VALUE_WIRE_TYPES } from './proto-types';
import { DELIMITED, VARINT, WireFault, WireReader } from './wire';

/** Most dimensions that TensorFlow allows. */
export const MAX_RANK = 254;

/** What a TensorProto says, without its values. */
export interface ScannedTensor {
  /** Number in the enum DataType. */
  readonly dtype: number;
  readonly shape: readonly bigint[];
  /** `tensor_content`, a view; empty when there is none. */
  readonly content: Uint8Array;
  /** `float8_val`, a view; its last occurrence counts. */
  readonly byteValues: Uint8Array;
  /** Number of typed values a field; numbers count one by one, so complex values count twice. */
  readonly counts: ReadonlyMap<number, number>;
}

const DTYPE = 1;
const SHAPE = 2;
const VERSION = 3;
const CONTENT = 4;
/** resource_handle_val and variant_val: of no use here, but what they hold must be fields. */
const MESSAGES: readonly number[] = [14, 15];

/**
 * Reads a TensorProto by protobuf's rules (any order, values packed or not, parts merged, unknown fields passed over)
 * without making anything of its values. @throws WireFault when the bytes are no TensorProto.
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
      const behind = reader.delimited(end);
      const found = bytes.subarray(reader.at, behind);
      if (field === CONTENT) content = found;
      else byteValues = found;
      reader.at = behind;
    } else if (field !== VERSION && valueType === wireType) {
      reader.skip(tag, end);
      counts.set(field, (counts.get(field) ?? 0) + 1);
    } else if (valueType !== undefined && wireType === DELIMITED) {
      const count = countPacked(reader, reader.delimited(end), valueType);
      counts.set(field, (counts.get(field) ?? 0) + count);
    } else if (MESSAGES.includes(field) && wireType === DELIMITED) {
      for (const behind = reader.delimited(end); reader.at < behind;) reader.skip(reader.tag(behind), behind);
    } else {
      reader.skip(tag, end);
    }
  }
  if (byteValues.length > 0) counts.set(BYTE_VALUES, byteValues.length);
  return { dtype, shape, content, byteValues, counts };
}

/** Moves over packed values up to `end`; returns how many they are. */
function countPacked(reader: WireReader, end: number, valueType: number): number {
  if (valueType !== VARINT) {
    const size = valueType === 1 ? 8 : 4;
    if ((end - reader.at) % size !== 0) throw new WireFault('a cut value', end);
    const count = (end - reader.at) / size;
    reader.at = end;
    return count;
  }
  let count = 0;
  for (; reader.at < end; count++) reader.varint(end);
  return count;
}

/** Reads a TensorShapeProto up to `end`. Like TensorFlow it makes nothing of `unknown_rank`. */
function scanShape(reader: WireReader, end: number, shape: bigint[]): void {
  while (reader.at < end) {
    const tag = reader.tag(end);
    if (tag !== ((2 << 3) | DELIMITED)) {
      reader.skip(tag, end);
      continue;
    }
    const size = scanDimension(reader, reader.delimited(end));
    // One more than is allowed is enough to tell.
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
      const behind = reader.delimited(end);
      if (!isUtf8(reader.bytes.subarray(reader.at, behind))) throw new WireFault('a name that is no UTF-8', reader.at);
      reader.at = behind;
    } else {
      reader.skip(tag, end);
    }
  }
  return size;
}
