import {
  counted,
  invalidArgType,
  invalidArgValue,
  isList,
  isObject,
  TFRecordError,
  typeOf,
  viewOf,
  type Bytes,
} from '../../base';
import { givenLength, unsharedBytes } from '../../io';
import type { BytesArray } from '../../tensor';
import { byteStringsOf, checkRequiredChoice, type ByteString } from '../arguments';
import { HOST_IS_LITTLE_ENDIAN, layoutOf, swapBytes } from '../dtypes';
import { PROTO_TYPES } from './proto-types';
import { MAX_RANK } from './scan-tensor';

const MAX_MESSAGE_BYTES = 2 ** 31 - 1;

/** The data of a tensor, by dtype: the arrays of {@link TensorArrays}, over any memory; for bytes, also a list. */
export interface TensorData {
  /** Single precision. */
  float32: Float32Array;
  /** Double precision. */
  float64: Float64Array;
  /** The 16 bits of IEEE's half precision. */
  float16: Uint16Array;
  /** The upper 16 bits of a float32. */
  bfloat16: Uint16Array;
  /** Signed, 8 bits. */
  int8: Int8Array;
  /** Signed, 16 bits. */
  int16: Int16Array;
  /** Signed, 32 bits. */
  int32: Int32Array;
  /** Signed, 64 bits. */
  int64: BigInt64Array;
  /** Unsigned, 8 bits. */
  uint8: Uint8Array;
  /** Unsigned, 16 bits. */
  uint16: Uint16Array;
  /** Unsigned, 32 bits. */
  uint32: Uint32Array;
  /** Unsigned, 64 bits. */
  uint64: BigUint64Array;
  /** 0 or 1. */
  bool: Uint8Array;
  /** Pairs (real, imaginary) of single precision. */
  complex64: Float32Array;
  /** Pairs (real, imaginary) of double precision. */
  complex128: Float64Array;
  /** Byte strings. Text means its UTF-8 bytes. */
  bytes: BytesArray | readonly ByteString[];
}

/** The dtypes that can be serialized, as in TensorFlow: all except {@link ParsedOnlyDType} (quantized, float8 …). */
export type SerializableDType = keyof TensorData;

const DTYPES: readonly SerializableDType[] = [
  ...(['float32', 'float64', 'float16', 'bfloat16', 'int8', 'int16', 'int32', 'int64'] as const),
  ...(['uint8', 'uint16', 'uint32', 'uint64', 'bool', 'complex64', 'complex128', 'bytes'] as const),
];

/** A tensor that can be serialized: a `DenseTensor`, a result of `parseTensor`, or any object of this form. */
export interface SerializableTensor<D extends SerializableDType = SerializableDType> {
  /** The type of the values. */
  readonly dtype: D;
  /** Sizes from the outermost dimension to the innermost; `[]` is a scalar. */
  readonly shape: readonly number[];
  /** The values, row-major. Their number is the product of `shape`. */
  readonly data: TensorData[D];
}

/**
 * Serializes a tensor as a TensorProto, with the same bytes as tf.io.serialize_tensor (the op SerializeTensor): dtype,
 * shape, then tensor_content (for bytes: string_val).
 *
 * @returns The bytes of the message.
 * @throws TypeError if `data` does not match `dtype` and `shape`, or if a bool is neither 0 nor 1. TFRecordError
 *   TFR_RECORD_TOO_LARGE if the message would be longer than 2^31 − 1 bytes.
 *
 * @example
 * encodeExample({ mask: serializeTensor({ dtype: 'uint8', shape: [2, 2], data: new Uint8Array([0, 1, 1, 0]) }) });
 */
export function serializeTensor<D extends SerializableDType>(tensor: SerializableTensor<D>): Bytes;
export function serializeTensor(tensor: SerializableTensor): Bytes {
  if (!isObject(tensor)) throw invalidArgType('tensor', 'a tensor', tensor);
  const dtype = checkRequiredChoice('tensor.dtype', tensor.dtype, DTYPES);
  const shape = checkDimensions(tensor.shape);
  if (shape.length > MAX_RANK) throw invalidArgValue('tensor.shape', `at most ${MAX_RANK} dimensions`, shape);
  const head = Buffer.from([0x08, PROTO_TYPES[dtype].number, ...delimited(0x12, shape.flatMap(dimension))]);
  const length = valuesOf(shape);
  if (dtype === 'bytes') return joined([head, ...stringFields(tensor.data, length)]);
  const content = contentOf(dtype, tensor.data, length);
  return joined(content.length === 0 ? [head] : [head, Buffer.from([0x22, ...varint(content.length)]), content]);
}

/** Checks dimensions. As in `parseTensor`, a tensor without values may have any dimension below 2^63. */
function checkDimensions(shape: unknown): readonly number[] {
  const name = 'tensor.shape';
  if (!isList(shape)) throw invalidArgType(name, 'an array of sizes', shape);
  const sizes: number[] = [];
  for (const size of shape) {
    if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size >= 2 ** 63)
      throw invalidArgValue(name, 'sizes: integers from 0 on', size);
    sizes.push(size);
  }
  return sizes;
}

/** Returns the number of values. Refuses a product over 2^63 − 1, even before a dimension of 0, as `parseTensor` does. */
function valuesOf(shape: readonly number[]): number {
  let count = 1;
  for (const size of shape) {
    count *= size;
    if (count >= 2 ** 63) throw invalidArgValue('tensor.shape', 'a shape of at most 2^63 − 1 values', shape);
  }
  return count;
}

function varint(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return [...bytes, value];
}

function delimited(tag: number, content: readonly number[]): number[] {
  return [tag, ...varint(content.length), ...content];
}

function dimension(size: number): number[] {
  return delimited(0x12, size === 0 ? [] : [0x08, ...varint(size)]);
}

/** Returns the values as little-endian bytes: a view if the memory already has this order, else a copy. */
function contentOf(dtype: Exclude<SerializableDType, 'bytes'>, data: unknown, length: number): Uint8Array {
  const { array, parts } = layoutOf(dtype);
  if (typeOf(data) !== array.name) throw invalidArgType('tensor.data', `a ${array.name}, for ${dtype}`, data);
  const found = givenLength('tensor.data', data as Uint8Array);
  checkLength(found, length * parts, data);
  const bytes = unsharedBytes(viewOf(data as Uint8Array, 0, found * array.BYTES_PER_ELEMENT));
  if (dtype === 'bool' && bytes.some((byte) => byte > 1))
    throw invalidArgValue('tensor.data', '0 and 1, for bool', data);
  if (HOST_IS_LITTLE_ENDIAN) return bytes;
  const swapped = bytes.slice();
  swapBytes(swapped, array.BYTES_PER_ELEMENT);
  return swapped;
}

function stringFields(data: unknown, length: number): Uint8Array[] {
  const strings = byteStringsOf('tensor.data', data);
  checkLength(strings.length, length, data);
  return strings.flatMap((string) => [Buffer.from([0x42, ...varint(string.byteLength)]), string]);
}

function checkLength(found: number, expected: number, data: unknown): void {
  if (found !== expected)
    throw invalidArgValue(
      'tensor.data',
      `${counted(expected, 'element')} long, to match tensor.shape (it has ${found})`,
      data,
    );
}

function joined(parts: readonly Uint8Array[]): Bytes {
  const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
  if (size > MAX_MESSAGE_BYTES) {
    const message = `The tensor would be ${size} bytes as a message; protobuf allows at most ${MAX_MESSAGE_BYTES}.`;
    throw new TFRecordError('TFR_RECORD_TOO_LARGE', message, {
      expected: `at most ${MAX_MESSAGE_BYTES}`,
      found: `${size}`,
    });
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
