import { constants } from 'node:buffer';
import { types } from 'node:util';

import { checkInteger, checkOptions, counted, invalidArgType, isObject, named, worded, type Text } from '../../base';
import { TensorProto, type MessageInit, type TensorProtoMessage } from '../../example';
import { bytesOf, checkRequiredChoice } from '../arguments';
import { decodeError } from '../decode-error';
import {
  HOST_IS_LITTLE_ENDIAN,
  layoutOf,
  swapBytes,
  type AnyTensorValue,
  type FixedSizeDType,
  type TensorArrays,
  type TensorDType,
  type TensorValue,
} from '../dtypes';
import { describeNumber, dtypeOfNumber, PROTO_TYPES } from './proto-types';
import { MAX_RANK, scanTensor, type ScannedTensor } from './scan-tensor';
import { copyStrings, findStrings, readNumbers, readStringContent } from './values';
import { WireFault } from './wire';

/** Options of {@link parseTensor}. */
export interface ParseTensorOptions<D extends TensorDType = TensorDType> {
  /** The dtype that the tensor must have. Default: any dtype. */
  readonly outType?: D | undefined;
  /**
   * Maximum size, in bytes, of a tensor whose message does not store all values: a message of a few bytes can represent
   * any number of equal values. Default: 2^26 (64 MiB).
   */
  readonly maxFillBytes?: number | undefined;
}

const DEFAULT_MAX_FILL = 2 ** 26;
const MAX_INT64 = 2n ** 63n - 1n;

/** A message TensorProto, as returned by `TensorProto.decode` and `Event.decode`. */
export type TensorMessage = MessageInit<TensorProtoMessage>;

/**
 * Parses a serialized TensorProto, like tf.io.parse_tensor (the op ParseTensor). Reads packed and unpacked values in any
 * order, and skips unknown fields. `tensor_content` takes precedence over typed values. If there are fewer typed
 * values than the shape needs, the last one fills the rest, or zero (the empty string) if there is none. More values than
 * needed are ignored.
 *
 * @param serialized - The bytes of the message, or the message itself, such as `tensor` of a value in an `Event`.
 * @returns `dtype`, `shape` and row-major `data`, a copy. {@link TensorArrays} has the array of each dtype.
 * @throws TFRecordError TFR_DECODE if the bytes are not a TensorProto, if the dtype is not `outType` or has no JavaScript
 *   form (resource, variant, references), if the shape does not match the values, or if filling would exceed
 *   `maxFillBytes`. Sizes are checked before memory is allocated. TypeError for wrong arguments.
 *
 * @example
 * const { data, shape } = parseTensor(record, { outType: 'float32' });
 * for (const { tag, tensor } of Event.decode(record).summary?.value ?? []) {
 *   if (tensor !== undefined) console.log(tag, parseTensor(tensor).data);
 * }
 */
export function parseTensor(
  serialized: Uint8Array | TensorMessage,
  options?: ParseTensorOptions<never>,
): AnyTensorValue;
export function parseTensor<D extends TensorDType>(
  serialized: Uint8Array | TensorMessage,
  options: ParseTensorOptions<D> & { readonly outType: D },
): TensorValue<D>;
export function parseTensor(serialized: Uint8Array | TensorMessage, options?: ParseTensorOptions): TensorValue {
  const given = checkOptions(options, ['outType', 'maxFillBytes']);
  const names = Object.keys(PROTO_TYPES) as TensorDType[];
  const outType =
    given.outType === undefined ? undefined : checkRequiredChoice('options.outType', given.outType, names);
  const max = constants.MAX_LENGTH;
  const limit = checkInteger('options.maxFillBytes', given.maxFillBytes, 0, max, DEFAULT_MAX_FILL);
  const bytes = types.isUint8Array(serialized) ? bytesOf('serialized', serialized) : bytesOfMessage(serialized);
  try {
    const scanned = scanTensor(bytes);
    const dtype = checkDType(scanned.dtype, outType);
    const shape = checkDimensions(scanned.shape);
    return { dtype, shape, data: readData(bytes, scanned, dtype, elementCount(scanned.shape), limit) };
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    throw fault('the bytes of a TensorProto', error.message);
  }
}

/** @throws TypeError for a value that is not a message TensorProto */
function bytesOfMessage(message: TensorMessage): Uint8Array {
  const isMessage =
    isObject(message) && !Array.isArray(message) && !ArrayBuffer.isView(message) && !types.isAnyArrayBuffer(message);
  if (!isMessage) {
    throw invalidArgType('serialized', 'a Uint8Array, or a message TensorProto', message);
  }
  return TensorProto.encode(message);
}

function fault(expected: string, found: string, cure?: Text): Error {
  return decodeError({ where: 'Tensor', expected, found, cure });
}

function checkDType(number: number, outType: TensorDType | undefined): TensorDType {
  const dtype = dtypeOfNumber(number);
  if (dtype === undefined) throw fault(outType ?? 'a dtype of numbers, bool or bytes', describeNumber(number));
  if (outType !== undefined && dtype !== outType) throw fault(`${outType} (options.outType)`, dtype);
  return dtype;
}

function checkDimensions(shape: readonly bigint[]): number[] {
  if (shape.length > MAX_RANK) throw fault(`at most ${MAX_RANK} dimensions`, 'more');
  return shape.map((size) => {
    const number = Number(size);
    // Only a tensor without values can have a dimension this large. It is accepted if a number holds it exactly.
    if (size < 0n || BigInt(number) !== size) throw fault('dimensions that a number holds exactly', String(size));
    return number;
  });
}

/** Returns the number of values. It may be rounded above 2^53: it is only compared with sizes in memory. */
function elementCount(shape: readonly bigint[]): number {
  let count = 1n;
  for (const size of shape) {
    count *= size;
    if (count > MAX_INT64) throw fault('a shape of at most 2^63 − 1 values', `[${shape.join(', ')}]`);
  }
  return Number(count);
}

function readData(
  bytes: Uint8Array,
  { content, byteValues, counts }: ScannedTensor,
  dtype: TensorDType,
  length: number,
  limit: number,
): TensorArrays[TensorDType] {
  const present = counts.get(PROTO_TYPES[dtype].field) ?? 0;
  if (dtype === 'bytes') return readStrings(bytes, content, length, present, limit);
  const { array, parts } = layoutOf(dtype);
  if (length === 0) return new array(0);
  const size = length * parts * array.BYTES_PER_ELEMENT;
  if (content.length > 0) return withinBits(readContent(content, dtype, length, size), dtype);
  const values = Math.floor(present / parts);
  if (values < length) checkFill(size, values, length, limit);
  return withinBits(readNumbers(bytes, byteValues, dtype, length * parts, values * parts), dtype);
}

/**
 * Clears the bits of `data` beyond its dtype, in place, and extends signs. TensorFlow keeps these bits, but ignores
 * them.
 */
function withinBits(data: TensorArrays[FixedSizeDType], dtype: FixedSizeDType): TensorArrays[FixedSizeDType] {
  const { bits } = layoutOf(dtype);
  if (bits === undefined) return data;
  if (data instanceof Int8Array) data.forEach((value, i) => (data[i] = (value << (32 - bits)) >> (32 - bits)));
  else if (data instanceof Uint8Array) data.forEach((value, i) => (data[i] = value & ((1 << bits) - 1)));
  return data;
}

function readContent(
  content: Uint8Array,
  dtype: FixedSizeDType,
  length: number,
  size: number,
): TensorArrays[FixedSizeDType] {
  if (content.length !== size) {
    const expected = `${counted(size, 'byte')} of content for ${counted(length, 'value')} of ${dtype}`;
    throw fault(expected, counted(content.length, 'byte'));
  }
  const { array } = layoutOf(dtype);
  const data = new array(size / array.BYTES_PER_ELEMENT);
  const target = new Uint8Array(data.buffer);
  target.set(content);
  if (dtype === 'bool') {
    const other = target.find((byte) => byte > 1);
    if (other !== undefined) throw fault('0 and 1 as the content of bool', String(other));
  }
  if (!HOST_IS_LITTLE_ENDIAN) swapBytes(target, array.BYTES_PER_ELEMENT);
  return data;
}

function readStrings(
  bytes: Uint8Array,
  content: Uint8Array,
  length: number,
  present: number,
  limit: number,
): TensorArrays['bytes'] {
  if (length > 0 && content.length > 0) {
    const strings = readStringContent(content, length);
    if (strings !== undefined) return strings;
    throw fault(`content of ${counted(length, 'length')} and the bytes for them`, 'another size');
  }
  const offsetBytes = 4 * length;
  if (present < length) checkFill(offsetBytes, present, length, limit);
  const places = findStrings(bytes, length, present);
  if (present < length) checkFill(offsetBytes + places.bytes, present, length, limit);
  return copyStrings(bytes, places, length);
}

function checkFill(size: number, present: number, length: number, limit: number): void {
  if (size <= limit) return;
  const expected = `${counted(length, 'value')}, or at most ${counted(limit, 'byte')} after filling`;
  const found = `${counted(present, 'value')} to fill ${counted(size, 'byte')}`;
  throw fault(expected, found, worded`${named('maxFillBytes', 'options.maxFillBytes')} is the limit.`);
}
