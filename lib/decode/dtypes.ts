import type { BytesArray } from '../example';

/** The memory of each dtype. What JavaScript has no number for is handed out as its bits, or as pairs. */
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
}

/** TensorFlow's names of dtypes (`tf.half.name` is float16), but for bytes, which is tf.string. */
export type TensorDType = keyof TensorArrays;

/** Every dtype whose values have one size: all but bytes. */
export type FixedSizeDType = Exclude<TensorDType, 'bytes'>;

/** A tensor as plain data. */
export interface TensorValue<D extends TensorDType = TensorDType> {
  /** What the values are. */
  readonly dtype: D;
  /** Sizes from the outermost dimension to the innermost; `[]` is a scalar. */
  readonly shape: readonly number[];
  /** The values, row-major: as many as the product of `shape`. */
  readonly data: TensorArrays[D];
}

/** A tensor of any dtype: `dtype` tells which array `data` is. */
export type AnyTensorValue = { [D in TensorDType]: TensorValue<D> }[TensorDType];

type FixedSizeArrays = TensorArrays[FixedSizeDType];

/** How the values of a dtype lie in memory. */
export interface Layout<A extends FixedSizeArrays = FixedSizeArrays> {
  readonly array: { new (length: number): A; readonly BYTES_PER_ELEMENT: number };
  /** Array elements a value: 2 for complex numbers. */
  readonly parts: 1 | 2;
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
};

/** The layout of `dtype`. */
export function layoutOf<D extends FixedSizeDType>(dtype: D): Layout<TensorArrays[D]> {
  return LAYOUTS[dtype];
}

/** Bytes of one value. */
export function sizeOf(dtype: FixedSizeDType): number {
  const { array, parts } = LAYOUTS[dtype];
  return array.BYTES_PER_ELEMENT * parts;
}
