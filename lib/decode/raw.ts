import { checkBoolean, checkOptions } from '../record';
import { HOST_IS_LITTLE_ENDIAN, swapBytes } from './byte-order';
import { byteStringsOf, bytesOf, isByteString, type ByteString, type ByteStrings } from './byte-strings';
import { counted, decodeError } from './decode-error';
import {
  layoutOf,
  sizeOf,
  type ParsedOnlyDType,
  type TensorArrays,
  type TensorDType,
  type TensorValue,
} from './dtypes';
import { checkRequiredChoice } from './options';

/** The dtypes that `decodeRaw` reads. */
export type RawDType = Exclude<TensorDType, ParsedOnlyDType | 'bytes' | 'uint32' | 'uint64'>;

const RAW_DTYPES: readonly RawDType[] = [
  ...(['float16', 'bfloat16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64'] as const),
  ...(['uint8', 'uint16', 'bool', 'complex64', 'complex128'] as const),
];

/** Options of {@link decodeRaw}. */
export interface DecodeRawOptions<D extends RawDType> {
  /** What the bytes are. */
  readonly outType: D;
  /** Byte order of the numbers; of both parts of a complex number. Default: true. */
  readonly littleEndian?: boolean | undefined;
}

/**
 * Reads the bytes of strings as numbers: tf.io.decode_raw without fixed_length (the op DecodeRaw). The strings of a list
 * must be of one size.
 *
 * @param input - One byte string, or a list of them.
 * @returns Shape `[values a string]` for one string, `[strings, values a string]` for a list (`[n, 0]` for n empty
 *   strings). `data` is a fresh copy. A bool is 1 for every byte but zero.
 * @throws TFRecordError TFR_DECODE, with `record`, for a string of another size than the first, or a size that is no
 *   multiple of the size of `outType`. TypeError for wrong arguments.
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

/** `strings`, each cut or filled with zeros to `bytes`, as the numbers of `dtype`. */
export function gather<D extends RawDType>(
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
