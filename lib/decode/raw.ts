import { constants } from 'node:buffer';

import { checkBoolean, checkOptions, counted, invalidArgValue, neededInteger, outOfRange } from '../base';
import {
  bytesOf,
  byteStringsOf,
  checkRequiredChoice,
  isByteString,
  type ByteString,
  type ByteStrings,
} from './arguments';
import { decodeError } from './decode-error';
import {
  HOST_IS_LITTLE_ENDIAN,
  layoutOf,
  sizeOf,
  swapBytes,
  type ParsedOnlyDType,
  type TensorArrays,
  type TensorDType,
  type TensorValue,
} from './dtypes';

/** The dtypes that `decodeRaw` reads. */
export type RawDType = Exclude<TensorDType, ParsedOnlyDType | 'bytes' | 'uint32' | 'uint64'>;

const RAW_DTYPES: readonly RawDType[] = [
  ...(['float16', 'bfloat16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64'] as const),
  ...(['uint8', 'uint16', 'bool', 'complex64', 'complex128'] as const),
];

/** Options of {@link decodeRaw}. */
export interface DecodeRawOptions<D extends RawDType> {
  /** The type of the numbers. */
  readonly outType: D;
  /** Byte order of the numbers, and of both parts of a complex number. Default: true. */
  readonly littleEndian?: boolean | undefined;
}

/**
 * Reads the bytes of strings as numbers, like tf.io.decode_raw without fixed_length (the op DecodeRaw). All strings of a
 * list must have the same size.
 *
 * @param input - One byte string, or a list of them.
 * @returns A tensor of shape `[values per string]` for one string, or `[strings, values per string]` for a list (`[n, 0]`
 *   for n empty strings). `data` is a fresh copy. A bool is 1 for each byte except 0.
 * @throws TFRecordError TFR_DECODE, with the index as `record`, for a string whose size differs from the first one's, or
 *   is not a multiple of the size of `outType`. TypeError for wrong arguments.
 *
 * @example
 * const { image } = parseSingleExample(record, { image: fixedLen([], 'bytes') });
 * const { data, shape } = decodeRaw(image, { outType: 'uint8' });
 */
export function decodeRaw<D extends RawDType>(
  input: ByteString | ByteStrings,
  options: DecodeRawOptions<D>,
): TensorValue<D> {
  const given = checkOptions(options, ['outType', 'littleEndian']);
  const dtype = checkRequiredChoice<RawDType>('options.outType', given.outType, RAW_DTYPES) as D;
  const littleEndian = checkBoolean('options.littleEndian', given.littleEndian, true);
  const single = isByteString(input);
  const strings = single ? [bytesOf('input', input)] : byteStringsOf('input', input);
  const bytes = strings[0]?.byteLength ?? 0;
  const perString = bytes / sizeOf(dtype);
  const other = strings.findIndex((string) => string.byteLength !== bytes);
  if (other >= 0) throw sizeError(other, `${counted(bytes, 'byte')}, as in element 0`, strings);
  if (!Number.isInteger(perString)) {
    const expected = `a multiple of ${counted(sizeOf(dtype), 'byte')} (the size of ${dtype})`;
    throw sizeError(single ? undefined : 0, expected, strings);
  }
  const data = gather(strings, dtype, bytes, littleEndian);
  return { dtype, shape: single ? [perString] : [strings.length, perString], data };
}

function sizeError(element: number | undefined, expected: string, strings: readonly Uint8Array[]): Error {
  const found = counted(strings[element ?? 0]?.byteLength ?? 0, 'byte');
  return decodeError({
    where: element === undefined ? 'Input' : `Element ${element}`,
    record: element,
    expected,
    found,
  });
}

/** Returns `strings`, each cut to `bytes` or padded with zeros to them, as numbers of `dtype`. */
function gather<D extends RawDType>(
  strings: readonly Uint8Array[],
  dtype: D,
  bytes: number,
  littleEndian: boolean,
): TensorArrays[D] {
  const { array } = layoutOf(dtype);
  const data = new array((strings.length * bytes) / array.BYTES_PER_ELEMENT);
  const target = new Uint8Array(data.buffer);
  strings.forEach((string, i) => target.set(string.byteLength > bytes ? string.subarray(0, bytes) : string, i * bytes));
  if (dtype === 'bool') target.forEach((byte, i) => (target[i] = byte === 0 ? 0 : 1));
  if (littleEndian !== HOST_IS_LITTLE_ENDIAN) swapBytes(target, array.BYTES_PER_ELEMENT);
  return data;
}

/** The dtypes that `decodePaddedRaw` reads. */
export type PaddedRawDType = Exclude<RawDType, 'float16' | 'bool' | 'complex64' | 'complex128'>;

const PADDED_RAW_DTYPES: readonly PaddedRawDType[] = [
  ...(['bfloat16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64'] as const),
  ...(['uint8', 'uint16'] as const),
];

/** Options of {@link decodePaddedRaw}. */
export interface DecodePaddedRawOptions<D extends PaddedRawDType> {
  /** The type of the numbers. */
  readonly outType: D;
  /** Size of every string after cutting or padding, in bytes: at least 1, and a multiple of the size of `outType`. */
  readonly fixedLength: number;
  /** Byte order of the numbers. Default: true. */
  readonly littleEndian?: boolean | undefined;
}

/**
 * Cuts strings to `fixedLength` bytes, or pads them with zeros at the end, then reads them as numbers, like
 * tf.io.decode_raw with fixed_length (the op DecodePaddedRaw). Padding comes before byte order: "abc" as big-endian int16
 * of length 4 is 0x6162, 0x6300.
 *
 * @param input - One byte string, or a list of them, of any sizes.
 * @returns A tensor of shape `[values per string]` for one string, or `[strings, values per string]` for a list. `data` is
 *   a fresh copy.
 * @throws TypeError or RangeError for wrong arguments. Any bytes are valid.
 *
 * @example
 * decodePaddedRaw('abc', { outType: 'int16', fixedLength: 4, littleEndian: false }).data; // Int16Array [0x6162, 0x6300]
 */
export function decodePaddedRaw<D extends PaddedRawDType>(
  input: ByteString | ByteStrings,
  options: DecodePaddedRawOptions<D>,
): TensorValue<D> {
  const given = checkOptions(options, ['outType', 'fixedLength', 'littleEndian']);
  const dtype = checkRequiredChoice<PaddedRawDType>('options.outType', given.outType, PADDED_RAW_DTYPES) as D;
  const littleEndian = checkBoolean('options.littleEndian', given.littleEndian, true);
  const single = isByteString(input);
  const strings = single ? [bytesOf('input', input)] : byteStringsOf('input', input);
  const bytes = checkFixedLength(given.fixedLength, sizeOf(dtype), strings.length);
  const perString = bytes / sizeOf(dtype);
  const data = gather(strings, dtype, bytes, littleEndian);
  return { dtype, shape: single ? [perString] : [strings.length, perString], data };
}

function checkFixedLength(value: unknown, size: number, strings: number): number {
  const name = 'options.fixedLength';
  const bytes = neededInteger(name, value, 1, constants.MAX_LENGTH);
  if (bytes % size !== 0) throw invalidArgValue(name, `a multiple of ${size}, the size of options.outType`, value);
  if (bytes * strings > constants.MAX_LENGTH) {
    throw outOfRange(name, `at most ${Math.floor(constants.MAX_LENGTH / strings)} for ${strings} strings`, value);
  }
  return bytes;
}
