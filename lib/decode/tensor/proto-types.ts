import type { TensorDType } from '../dtypes';
import { DELIMITED, FIXED32, FIXED64, VARINT } from './wire';

/** How a dtype stands in a TensorProto. */
export interface ProtoType {
  /** Its number in the enum DataType. */
  readonly number: number;
  /** The field of its typed values. */
  readonly field: number;
}

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
};

/** The wire type of one value in each field of typed values. */
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

/** The dtype of a number in the enum DataType; undefined for those that have no JavaScript form here. */
export function dtypeOfNumber(number: number): TensorDType | undefined {
  return NAMES.get(number);
}

/** TensorFlow's names of the other numbers, for messages. */
const OTHERS: Readonly<Record<number, string>> = {
  0: 'no dtype',
  11: 'qint8',
  12: 'quint8',
  13: 'qint32',
  15: 'qint16',
  16: 'quint16',
  20: 'resource',
  21: 'variant',
  24: 'float8_e5m2',
  25: 'float8_e4m3fn',
  29: 'int4',
  30: 'uint4',
};

/** What a message calls a number of the enum DataType. */
export function describeNumber(number: number): string {
  const name = dtypeOfNumber(number) ?? OTHERS[number] ?? (number > 100 ? 'a reference' : 'unknown');
  return `${name} (${number})`;
}
