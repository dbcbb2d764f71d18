import { viewOf } from '../../record';
import type { Feature } from '../message';
import { newBytesArray, type BytesArray } from '../../tensor';
import { BYTES_ROW, FLOAT_ROW, INT64_ROW, PACKED_ROW, RowField, type DecodedBlock } from './decoded-block';
import type { DecodedRecord } from './record-decoder';

/** Up to so many values, or bytes, a loop is faster than a call. */
const FEW_VALUES = 8;
const FEW_BYTES = 32;

/** The feature of a row, in memory of its own; undefined when it has no kind. */
export function decodedFeature(decoded: DecodedRecord, row: number): Feature | undefined {
  const { block } = decoded;
  const count = block.at(row, RowField.Count);
  const first = block.at(row, RowField.First);
  switch (block.at(row, RowField.Kind)) {
    case BYTES_ROW:
      return { kind: 'bytes', values: bytesOf(decoded, first, count) };
    case FLOAT_ROW:
      return { kind: 'float', values: floatsOf(block, first, count) };
    case PACKED_ROW:
      return { kind: 'float', values: packedFloats(decoded.record, first, count) };
    case INT64_ROW:
      return { kind: 'int64', values: int64sOf(block, first, count) };
    default:
      return undefined;
  }
}

function int64sOf({ int64 }: DecodedBlock, first: number, count: number): BigInt64Array<ArrayBuffer> {
  if (count > FEW_VALUES) return int64.slice(first, first + count);
  const values = new BigInt64Array(count);
  for (let i = 0; i < count; i++) values[i] = int64[first + i]!;
  return values;
}

function floatsOf({ float32 }: DecodedBlock, first: number, count: number): Float32Array<ArrayBuffer> {
  if (count > FEW_VALUES) return float32.slice(first, first + count);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const value = float32[first + i]!;
    // What is read as a number may lose what its NaN says.
    if (Number.isNaN(value)) return float32.slice(first, first + count);
    values[i] = value;
  }
  return values;
}

function packedFloats(record: Uint8Array, offset: number, count: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(count);
  new Uint8Array(values.buffer).set(viewOf(record, offset, offset + values.byteLength));
  return values;
}

/** `place`: of the first pair. */
function bytesOf({ block: { table }, record }: DecodedRecord, place: number, count: number): BytesArray {
  const offsets = new Int32Array(count + 1);
  let size = 0;
  for (let i = 0; i < count; i++) {
    size += table[place + 2 * i + 1]!;
    offsets[i + 1] = size;
  }
  const data = new Uint8Array(size);
  for (let i = 0; i < count; i++) {
    const offset = table[place + 2 * i]!;
    copyBytes(record, offset, table[place + 2 * i + 1]!, data, offsets[i]!);
  }
  return newBytesArray(data, offsets);
}

function copyBytes(record: Uint8Array, offset: number, size: number, data: Uint8Array, at: number): void {
  if (size > FEW_BYTES) data.set(viewOf(record, offset, offset + size), at);
  else for (let i = 0; i < size; i++) data[at + i] = record[offset + i]!;
}
