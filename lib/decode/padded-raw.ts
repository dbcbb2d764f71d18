import { constants } from 'node:buffer';

import { invalidArgType, invalidArgValue, outOfRange } from '../errors';
import { checkBoolean, checkInteger, checkOptions } from '../record';
import { byteStringsOf, bytesOf, isByteString, type ByteString, type ByteStrings } from './byte-strings';
import { sizeOf, type TensorValue } from './dtypes';
import { checkRequiredChoice } from './options';
import { gather, type RawDType } from './raw';

/** The dtypes that `decodePaddedRaw` reads. */
export type PaddedRawDType = Exclude<RawDType, 'float16' | 'bool' | 'complex64' | 'complex128'>;

const PADDED_RAW_DTYPES: readonly PaddedRawDType[] = [
  ...(['bfloat16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64'] as const),
  ...(['uint8', 'uint16'] as const),
];

/** Options of {@link decodePaddedRaw}. */
export interface DecodePaddedRawOptions<D extends PaddedRawDType> {
  /** What the bytes are. */
  readonly outType: D;
  /** Bytes of every string, after cutting or padding; a multiple of the size of `outType`, at least 1. */
  readonly fixedLength: number;
  /** Byte order of the numbers. Default: true. */
  readonly littleEndian?: boolean | undefined;
}

/**
 * Cuts or pads (with zeros, at the end) strings to `fixedLength` bytes, then reads them as numbers: tf.io.decode_raw with
 * fixed_length (the op DecodePaddedRaw). The padding comes before the byte order is seen to: "abc" as big-endian int16 of
 * length 4 is 0x6162, 0x6300.
 *
 * @param input - One byte string, or a list of them; of any sizes.
 * @returns Shape `[values a string]` for one string, `[strings, values a string]` for a list. `data` is a fresh copy.
 * @throws TypeError or RangeError for wrong arguments; no bytes are wrong.
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
  const bytes = checkInteger(name, value, 1, constants.MAX_LENGTH, undefined);
  if (bytes === undefined) throw invalidArgType(name, 'a number', value);
  if (bytes % size !== 0) throw invalidArgValue(name, `a multiple of ${size}, the size of options.outType`, value);
  if (bytes * strings > constants.MAX_LENGTH) {
    throw outOfRange(name, `at most ${Math.floor(constants.MAX_LENGTH / strings)} for ${strings} strings`, value);
  }
  return bytes;
}
