/** Makes the features that `decodeExample` returns, in memory of their own. */
import { advice, setting, tfrecordError, worded, viewOf, type TFRecordError } from '../../base';
import {
  decodeText,
  newBytesArray,
  NoText,
  SAFE_INT64S,
  type BytesArray,
  type BytesAs,
  type Int64As,
} from '../../tensor';
import type { FeatureOf } from '../message';
import { BYTES_ROW, FLOAT_ROW, INT64_ROW, PACKED_ROW, RowField, type DecodedBlock } from './decoded-block';
import { quoted } from './errors';
import type { ParsedAs } from './parsed-as';
import type { DecodedRecord } from './record-decoder';

/** The values of a decoded feature and their kind. */
export type DecodedFeature<I extends Int64As = 'bigint', B extends BytesAs = 'bytes'> =
  | FeatureOf<'float'>
  | (I extends 'number' ? DecodedNumbers : FeatureOf<'int64'>)
  | (B extends 'text' ? DecodedTexts : FeatureOf<'bytes'>);

/** An int64 feature that was decoded with `int64: 'number'`. */
export interface DecodedNumbers {
  /** The kind of `values`. */
  readonly kind: 'int64';
  /** Integers within ±(2^53 − 1). */
  readonly values: Float64Array;
}

/** A bytes feature that was decoded with `bytes: 'text'`. */
export interface DecodedTexts {
  /** The kind of `values`. */
  readonly kind: 'bytes';
  /** The texts. */
  readonly values: string[];
}

/** Features by name, without a prototype: a feature may have the name `__proto__`. */
export type DecodedFeatures<I extends Int64As = 'bigint', B extends BytesAs = 'bytes'> = Record<
  string,
  DecodedFeature<I, B> | undefined
>;

/** Maximum number of values, or bytes, for which a loop is faster than a call. */
const FEW_VALUES = 8;
const FEW_BYTES = 32;

/**
 * Returns the feature of a row, in memory of its own; undefined if it has no kind. @throws TFRecordError TFR_FEATURE,
 * with `name`
 */
export function decodedFeature(
  decoded: DecodedRecord,
  row: number,
  { int64, bytes }: ParsedAs,
  name: string,
): DecodedFeature<Int64As, BytesAs> | undefined {
  const { block } = decoded;
  const count = block.at(row, RowField.Count);
  const first = block.at(row, RowField.First);
  switch (block.at(row, RowField.Kind)) {
    case BYTES_ROW:
      if (bytes === 'text') return { kind: 'bytes', values: textsOf(decoded, first, count, name) };
      return { kind: 'bytes', values: bytesOf(decoded, first, count) };
    case FLOAT_ROW:
      return { kind: 'float', values: floatsOf(block, first, count) };
    case PACKED_ROW:
      return { kind: 'float', values: packedFloats(decoded.record, first, count) };
    case INT64_ROW:
      if (int64 === 'number') return { kind: 'int64', values: numbersOf(block, first, count, name) };
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

function numbersOf({ int64 }: DecodedBlock, first: number, count: number, feature: string): Float64Array<ArrayBuffer> {
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const value = Number(int64[first + i]!);
    if (!Number.isSafeInteger(value)) throw unsafe(feature, int64[first + i]!);
    values[i] = value;
  }
  return values;
}

/** `place`: of the first pair. @throws TFRecordError TFR_FEATURE naming `feature` */
function textsOf({ block: { table }, record }: DecodedRecord, place: number, count: number, feature: string): string[] {
  const texts = new Array<string>(count);
  for (let i = 0; i < count; i++) {
    const offset = table[place + 2 * i]!;
    const size = table[place + 2 * i + 1]!;
    const text = decodeText(record, offset, offset + size);
    if (text === undefined) throw notText(feature, new NoText(i, size));
    texts[i] = text;
  }
  return texts;
}

function notText(feature: string, { index, expected: wanted, found }: NoText): TFRecordError {
  const expected = `${wanted} in value ${index}`;
  return tfrecordError(
    'TFR_FEATURE',
    worded`Feature ${quoted(feature)}: expected ${expected}, found ${found}.${advice` ${setting('bytes', 'bytes')} reads all.`}`,
    { feature, expected, found },
  );
}

function unsafe(feature: string, value: bigint): TFRecordError {
  const found = String(value);
  return tfrecordError(
    'TFR_FEATURE',
    worded`Feature ${quoted(feature)}: expected ${SAFE_INT64S}, found ${found}.${advice` ${setting('int64', 'bigint')} reads all.`}`,
    { feature, expected: SAFE_INT64S, found },
  );
}

function floatsOf({ float32 }: DecodedBlock, first: number, count: number): Float32Array<ArrayBuffer> {
  if (count > FEW_VALUES) return float32.slice(first, first + count);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const value = float32[first + i]!;
    // Reading a value as a number may change the payload of a NaN.
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
