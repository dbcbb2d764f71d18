import { endianness } from 'node:os';

import type { BytesArray } from '../tensor';

/** The array type of each dtype. Values for which JavaScript has no number type are represented as bits or as pairs. */
export interface TensorArrays {
  /** Single precision. */
  float32: Float32Array<ArrayBuffer>;
  /** Double precision. */
  float64: Float64Array<ArrayBuffer>;
  /** The 16 bits of IEEE's half precision. */
  float16: Uint16Array<ArrayBuffer>;
  /** The upper 16 bits of a float32. */
  bfloat16: Uint16Array<ArrayBuffer>;
  /** Signed, 8 bits. */
  int8: Int8Array<ArrayBuffer>;
  /** Signed, 16 bits. */
  int16: Int16Array<ArrayBuffer>;
  /** Signed, 32 bits. */
  int32: Int32Array<ArrayBuffer>;
  /** Signed, 64 bits. */
  int64: BigInt64Array<ArrayBuffer>;
  /** Unsigned, 8 bits. */
  uint8: Uint8Array<ArrayBuffer>;
  /** Unsigned, 16 bits. */
  uint16: Uint16Array<ArrayBuffer>;
  /** Unsigned, 32 bits. */
  uint32: Uint32Array<ArrayBuffer>;
  /** Unsigned, 64 bits. */
  uint64: BigUint64Array<ArrayBuffer>;
  /** 0 or 1. */
  bool: Uint8Array<ArrayBuffer>;
  /** Pairs (real, imaginary) of single precision. */
  complex64: Float32Array<ArrayBuffer>;
  /** Pairs (real, imaginary) of double precision. */
  complex128: Float64Array<ArrayBuffer>;
  /** Byte strings: tf.string. */
  bytes: BytesArray;
  /** Quantized, 8 bits: the stored integers. Scale and zero point are not part of a tensor. */
  qint8: Int8Array<ArrayBuffer>;
  /** Quantized, 8 bits, unsigned. */
  quint8: Uint8Array<ArrayBuffer>;
  /** Quantized, 16 bits. */
  qint16: Int16Array<ArrayBuffer>;
  /** Quantized, 16 bits, unsigned. */
  quint16: Uint16Array<ArrayBuffer>;
  /** Quantized, 32 bits. */
  qint32: Int32Array<ArrayBuffer>;
  /** The 8 bits of a float with 5 exponent bits. */
  float8_e5m2: Uint8Array<ArrayBuffer>;
  /** The 8 bits of a float with 4 exponent bits. */
  float8_e4m3fn: Uint8Array<ArrayBuffer>;
  /** The 8 bits of a float with 4 exponent bits, bias 8, without infinities and negative zero. */
  float8_e4m3fnuz: Uint8Array<ArrayBuffer>;
  /** The 8 bits of a float with 4 exponent bits, bias 11, without infinities and negative zero. */
  float8_e4m3b11fnuz: Uint8Array<ArrayBuffer>;
  /** The 8 bits of a float with 5 exponent bits, bias 16, without infinities and negative zero. */
  float8_e5m2fnuz: Uint8Array<ArrayBuffer>;
  /** The 4 bits of a float with 2 exponent bits; one value in each byte. */
  float4_e2m1fn: Uint8Array<ArrayBuffer>;
  /** Integers from −8 to 7; one value in each byte. */
  int4: Int8Array<ArrayBuffer>;
  /** Integers from 0 to 15; one value in each byte. */
  uint4: Uint8Array<ArrayBuffer>;
  /** Integers from −2 to 1; one value in each byte. */
  int2: Int8Array<ArrayBuffer>;
  /** Integers from 0 to 3; one value in each byte. */
  uint2: Uint8Array<ArrayBuffer>;
}

/** The names of dtypes in TensorFlow (`tf.half.name` is float16), except tf.string, which is bytes here. */
export type TensorDType = keyof TensorArrays;

/** The dtypes whose values all have the same size: all except bytes. */
export type FixedSizeDType = Exclude<TensorDType, 'bytes'>;

/**
 * Dtypes that `parseTensor` supports, but `serializeTensor` does not. TensorFlow 2.21 does not serialize them, either.
 */
export type ParsedOnlyDType = Extract<
  TensorDType,
  `qint${string}` | `quint${string}` | `float8${string}` | `float4${string}` | `int${2 | 4}` | `uint${2 | 4}`
>;

/** A tensor as plain data. */
export interface TensorValue<D extends TensorDType = TensorDType> {
  /** The type of the values. */
  readonly dtype: D;
  /** Sizes from the outermost dimension to the innermost; `[]` is a scalar. */
  readonly shape: readonly number[];
  /** The values, row-major. Their number is the product of `shape`. */
  readonly data: TensorArrays[D];
}

/** A tensor of any dtype. `dtype` determines the type of `data`. */
export type AnyTensorValue = { [D in TensorDType]: TensorValue<D> }[TensorDType];

type FixedSizeArrays = TensorArrays[FixedSizeDType];

/** The memory layout of a dtype's values. */
interface Layout<A extends FixedSizeArrays = FixedSizeArrays> {
  readonly array: { new (length: number): A; readonly BYTES_PER_ELEMENT: number };
  /** Number of array elements per value: 2 for complex numbers. */
  readonly parts: 1 | 2;
  /** Number of bits of a value, if it is smaller than the array element. */
  readonly bits?: 2 | 4;
}

const LAYOUTS: { readonly [D in FixedSizeDType]: Layout<TensorArrays[D]> } = {
  float32: { array: Float32Array, parts: 1 },
  float64: { array: Float64Array, parts: 1 },
  float16: { array: Uint16Array, parts: 1 },
  bfloat16: { array: Uint16Array, parts: 1 },
  int8: { array: Int8Array, parts: 1 },
  int16: { array: Int16Array, parts: 1 },
  int32: { array: Int32Array, parts: 1 },
  int64: { array: BigInt64Array, parts: 1 },
  uint8: { array: Uint8Array, parts: 1 },
  uint16: { array: Uint16Array, parts: 1 },
  uint32: { array: Uint32Array, parts: 1 },
  uint64: { array: BigUint64Array, parts: 1 },
  bool: { array: Uint8Array, parts: 1 },
  complex64: { array: Float32Array, parts: 2 },
  complex128: { array: Float64Array, parts: 2 },
  qint8: { array: Int8Array, parts: 1 },
  quint8: { array: Uint8Array, parts: 1 },
  qint16: { array: Int16Array, parts: 1 },
  quint16: { array: Uint16Array, parts: 1 },
  qint32: { array: Int32Array, parts: 1 },
  float8_e5m2: { array: Uint8Array, parts: 1 },
  float8_e4m3fn: { array: Uint8Array, parts: 1 },
  float8_e4m3fnuz: { array: Uint8Array, parts: 1 },
  float8_e4m3b11fnuz: { array: Uint8Array, parts: 1 },
  float8_e5m2fnuz: { array: Uint8Array, parts: 1 },
  float4_e2m1fn: { array: Uint8Array, parts: 1, bits: 4 },
  int4: { array: Int8Array, parts: 1, bits: 4 },
  uint4: { array: Uint8Array, parts: 1, bits: 4 },
  int2: { array: Int8Array, parts: 1, bits: 2 },
  uint2: { array: Uint8Array, parts: 1, bits: 2 },
};

/** Returns the layout of `dtype`. */
export function layoutOf<D extends FixedSizeDType>(dtype: D): Layout<TensorArrays[D]> {
  return LAYOUTS[dtype];
}

/** Returns the size of one value, in bytes. */
export function sizeOf(dtype: FixedSizeDType): number {
  const { array, parts } = LAYOUTS[dtype];
  return array.BYTES_PER_ELEMENT * parts;
}

/** True if this machine is little-endian. */
export const HOST_IS_LITTLE_ENDIAN = endianness() === 'LE';

/** Reverses each group of `width` (1, 2, 4 or 8) bytes in place. `bytes` has whole groups only. */
export function swapBytes(bytes: Uint8Array, width: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (width === 2) buffer.swap16();
  else if (width === 4) buffer.swap32();
  else if (width === 8) buffer.swap64();
}
