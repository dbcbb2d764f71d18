import type { TensorDType } from '../dtypes';
import { DELIMITED, FIXED32, FIXED64, VARINT } from './wire';

/** The numbers of a dtype in a TensorProto. */
interface ProtoType {
  /** Its number in the enum DataType. */
  readonly number: number;
  /** Number of the field that holds its typed values. */
  readonly field: number;
}

/** The field float8_val: one byte per value, all in one field of bytes. */
export const BYTE_VALUES = 18;

export const PROTO_TYPES: Readonly<Record<TensorDType, ProtoType>> = {
  float32: { number: 1, field: 5 },
  float64: { number: 2, field: 6 },
  int32: { number: 3, field: 7 },
  uint8: { number: 4, field: 7 },
  int16: { number: 5, field: 7 },
  int8: { number: 6, field: 7 },
  bytes: { number: 7, field: 8 },
  complex64: { number: 8, field: 9 },
  int64: { number: 9, field: 10 },
  bool: { number: 10, field: 11 },
  bfloat16: { number: 14, field: 13 },
  uint16: { number: 17, field: 7 },
  complex128: { number: 18, field: 12 },
  float16: { number: 19, field: 13 },
  uint32: { number: 22, field: 16 },
  uint64: { number: 23, field: 17 },
  qint8: { number: 11, field: 7 },
  quint8: { number: 12, field: 7 },
  qint32: { number: 13, field: 7 },
  qint16: { number: 15, field: 7 },
  quint16: { number: 16, field: 7 },
  float8_e5m2: { number: 24, field: BYTE_VALUES },
  float8_e4m3fn: { number: 25, field: BYTE_VALUES },
  float8_e4m3fnuz: { number: 26, field: BYTE_VALUES },
  float8_e4m3b11fnuz: { number: 27, field: BYTE_VALUES },
  float8_e5m2fnuz: { number: 28, field: BYTE_VALUES },
  int4: { number: 29, field: 7 },
  uint4: { number: 30, field: 7 },
  int2: { number: 31, field: 7 },
  uint2: { number: 32, field: 7 },
  float4_e2m1fn: { number: 33, field: BYTE_VALUES },
};

/** The wire type of a single value, by field of typed values. */
export const VALUE_WIRE_TYPES: ReadonlyMap<number, number> = new Map([
  [5, FIXED32],
  [6, FIXED64],
  [7, VARINT],
  [8, DELIMITED],
  [9, FIXED32],
  [10, VARINT],
  [11, VARINT],
  [12, FIXED64],
  [13, VARINT],
  [16, VARINT],
  [17, VARINT],
]);

const NAMES = new Map(Object.entries(PROTO_TYPES).map(([name, { number }]) => [number, name as TensorDType]));

/** Returns the dtype of a number in the enum DataType; undefined if it has no JavaScript form here. */
export function dtypeOfNumber(number: number): TensorDType | undefined {
  return NAMES.get(number);
}

/** TensorFlow's names of other numbers, for messages. */
const OTHERS: Readonly<Record<number, string>> = {
  0: 'no dtype',
  20: 'resource',
  21: 'variant',
};

/** Describes a number of the enum DataType, for messages. */
export function describeNumber(number: number): string {
  const name = dtypeOfNumber(number) ?? OTHERS[number] ?? (number > 100 ? 'a reference' : 'unknown');
  return `${name} (${number})`;
}
