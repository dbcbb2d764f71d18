/** Makes TensorProtos by hand. */
import type { SerializableTensor, TensorArrays, TensorDType } from '../../../lib';

export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export function varint(value: bigint): number[] {
  const rest = BigInt.asUintN(64, value);
  return rest < 0x80n ? [Number(rest)] : [Number(rest & 0x7fn) | 0x80, ...varint(rest >> 7n)];
}
export const delimited = (field: number, content: readonly number[]): number[] => [
  ...varint(BigInt(field * 8 + 2)),
  ...varint(BigInt(content.length)),
  ...content,
];
export const integer = (field: number, value: bigint | number): number[] => [
  ...varint(BigInt(field * 8)),
  ...varint(BigInt(value)),
];
export const shapeField = (...sizes: (bigint | number)[]): number[] =>
  delimited(
    2,
    sizes.flatMap((size) => delimited(2, integer(1, size))),
  );
export const proto = (dtype: number, shape: number[], ...fields: number[][]): Uint8Array =>
  Uint8Array.from([...integer(1, dtype), ...shape, ...fields.flat()]);
export const floats = (...values: number[]): number[] => [...new Uint8Array(Float32Array.from(values).buffer)];
export const doubles = (...values: number[]): number[] => [...new Uint8Array(Float64Array.from(values).buffer)];

/** Tuples: dtype, its number, an array of two values, their bytes in tensor_content. */
export const DTYPES: [Exclude<TensorDType, 'bytes'>, number, SerializableTensor['data'] & ArrayBufferView][] = [
  ['float32', 1, Float32Array.of(1.5, -0)],
  ['float64', 2, Float64Array.of(1.5, -Infinity)],
  ['int32', 3, Int32Array.of(-1, 2)],
  ['uint8', 4, Uint8Array.of(1, 255)],
  ['int16', 5, Int16Array.of(1, -2)],
  ['int8', 6, Int8Array.of(1, -2)],
  ['complex64', 8, Float32Array.of(1, 2, 3, 4)],
  ['int64', 9, BigInt64Array.of(-1n, 2n ** 62n)],
  ['bool', 10, Uint8Array.of(0, 1)],
  ['bfloat16', 14, Uint16Array.of(0x3f80, 0xffff)],
  ['uint16', 17, Uint16Array.of(1, 65535)],
  ['complex128', 18, Float64Array.of(1, 2, 3, 4)],
  ['float16', 19, Uint16Array.of(0x3c00, 0xffff)],
  ['uint32', 22, Uint32Array.of(1, 2 ** 32 - 1)],
  ['uint64', 23, BigUint64Array.of(1n, 2n ** 64n - 1n)],
];

/** Returns `bytes` as the array of `dtype`; a Uint8Array for a dtype that is not in DTYPES. */
export function arrayOf(dtype: string, bytes: Uint8Array): TensorArrays[TensorDType] {
  const array = DTYPES.find(([name]) => name === dtype)?.[2].constructor ?? Uint8Array;
  return new (array as new (memory: ArrayBuffer) => TensorArrays[TensorDType])(new Uint8Array(bytes).buffer);
}
