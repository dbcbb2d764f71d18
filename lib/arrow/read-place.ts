/** Positions in Arrow's data: for errors, and checked, because Arrow's reader does not check them. */
import { types } from 'node:util';

import type { Data, DataType } from 'apache-arrow';

import { counted, TFRecordError, tfrecordError, advice, worded, type Text } from '../base';
import type { StoredDType } from '../tensor';

/** Numbers of Arrow's types, the same in all versions of its package. */
export const TYPES = {
  Null: 1,
  Int: 2,
  Float: 3,
  Binary: 4,
  Utf8: 5,
  Bool: 6,
  Date: 8,
  Time: 9,
  Timestamp: 10,
  List: 12,
  Struct: 13,
  FixedSizeBinary: 15,
  FixedSizeList: 16,
  LargeBinary: 19,
  LargeUtf8: 20,
  LargeList: 21,
  Dictionary: -1,
} as const;

/** The number of a type. Its enum belongs to a package that may not be installed. */
export function typeId(type: { readonly typeId: number }): number {
  return type.typeId;
}

/** The members of Arrow's types that are read. */
interface TypeMembers {
  readonly Float: { readonly precision: number };
  readonly Date: { readonly unit: number };
  readonly Time: { readonly unit: number; readonly bitWidth: number };
  readonly Timestamp: { readonly unit: number; readonly timezone?: string | null };
  readonly List: { readonly valueType: DataType };
  readonly LargeList: { readonly valueType: DataType };
  readonly FixedSizeList: { readonly valueType: DataType; readonly listSize: number };
  readonly FixedSizeBinary: { readonly byteWidth: number };
  readonly Dictionary: { readonly dictionary: DataType };
}

/** True for a type of this kind, which has its members. */
export function isType<K extends keyof TypeMembers>(type: DataType, kind: K): type is DataType & TypeMembers[K] {
  return typeId(type) === TYPES[kind];
}

/** The type of the items of lists; undefined for other types. */
export function itemsOf(type: DataType): DataType | undefined {
  const isList = isType(type, 'List') || isType(type, 'LargeList') || isType(type, 'FixedSizeList');
  return isList ? type.valueType : undefined;
}

/** True for text, also in a dictionary. */
export function isText(type: DataType): boolean {
  const id = typeId(isType(type, 'Dictionary') ? type.dictionary : type);
  return id === TYPES.Utf8 || id === TYPES.LargeUtf8;
}

/** The name of a type (`Int64`, `Decimal[10e+2]`, …), for errors. */
export function typeName(type: { toString(): string }): string {
  return type.toString();
}

/** The option that allows to round numbers: of `fromArrow`, and of `convert`. */
export type RoundingOption = 'rounding' | 'round';

/** The column that is being read, for errors. */
export interface ReadPlace {
  /** Name of the column. */
  readonly name: string;
  /** Number of the first row in the table. */
  readonly firstRow: number;
  /** True if numbers may be rounded to float32. */
  readonly rounding: boolean;
  /** The option that allows it. */
  readonly roundingOption: RoundingOption;
  /** The type to which dates and times are converted. */
  readonly dates?: 'int64' | 'text' | undefined;
}

/** The position of values. Values of null rows may be invalid. */
export interface ValuesPlace extends ReadPlace {
  /** @throws TFRecordError TFR_FEATURE unless the row of value `item` is null */
  refuse(item: number, expected: string, found: string, cure: Text): void;
}

/** The error for row `row` of a batch. */
export function refusal(
  at: ReadPlace,
  row: number,
  expected: string,
  found: string,
  cure: Text,
  Fault = TFRecordError,
): TFRecordError {
  const record = at.firstRow + row;
  return tfrecordError(
    'TFR_FEATURE',
    worded`Column ${JSON.stringify(at.name)}, row ${record}: expected ${expected}, found ${found}.${advice` ${cure}.`}`,
    { feature: at.name, record, expected, found },
    Fault,
  );
}

/** The error for a whole column. */
export function columnRefusal(
  { name }: { readonly name: string },
  expected: string,
  found: string,
  cure: Text,
  Fault = TFRecordError,
): TFRecordError {
  const message = worded`Column ${JSON.stringify(name)}: expected ${expected}, found ${found}.${advice` ${cure}.`}`;
  return tfrecordError('TFR_FEATURE', message, { feature: name, expected, found }, Fault);
}

/** The error for data that contradicts itself. Arrow's reader does not check that. */
export function malformed({ name }: { readonly name: string }, found: string): TFRecordError {
  const message = `Column ${JSON.stringify(name)}: the Arrow data is malformed: ${found}. It was cut, or changed in memory.`;
  return new TFRecordError('TFR_DECODE', message, { feature: name, expected: 'whole Arrow data', found });
}

/** Maximum number of values in a column: positions are int32. */
const MAX_SIZE = 0x7fff_ffff;

/**
 * The offsets of `data`, starting with `offsets[0]`. The last one is at most `size`. @throws TFRecordError TFR_DECODE
 */
export function positionsOf(at: { readonly name: string }, data: Data, size: number): Int32Array | Float64Array {
  const { length } = data;
  const stored: unknown = data.valueOffsets;
  const given = types.isInt32Array(stored) || types.isBigInt64Array(stored) ? stored : undefined;
  if (length === 0) return new Int32Array(1);
  if (given === undefined || given.length <= length)
    throw malformed(at, `${counted(given?.length ?? 0, 'offset')} for ${counted(length, 'row')}`);
  const offsets = given instanceof Int32Array ? given.subarray(0, length + 1) : new Float64Array(length + 1);
  if (!(given instanceof Int32Array)) for (let i = 0; i <= length; i++) offsets[i] = Number(given[i]);
  let before = 0;
  for (let i = 0; i <= length; i++) {
    const offset = offsets[i]!;
    if (!(offset >= before)) throw malformed(at, `offset ${offset} after ${before}`);
    before = offset;
  }
  if (before > size) throw malformed(at, `offset ${before} in ${counted(size, 'value')}`);
  return offsets;
}

/** Offsets that count from 0. @throws TFRecordError TFR_RECORD_TOO_LARGE */
export function rebased(offsets: Int32Array | Float64Array): { first: number; level: Int32Array } {
  const first = offsets[0]!;
  const size = offsets.at(-1)! - first;
  if (size > MAX_SIZE) {
    throw new TFRecordError(
      'TFR_RECORD_TOO_LARGE',
      `A column has ${counted(size, 'value')} or bytes; at most ${MAX_SIZE} fit: convert fewer rows at a time`,
      {
        expected: `at most ${MAX_SIZE}`,
        found: String(size),
      },
    );
  }
  if (first === 0 && offsets instanceof Int32Array) return { first, level: offsets };
  const level = new Int32Array(offsets.length);
  for (let i = 0; i < level.length; i++) level[i] = offsets[i]! - first;
  return { first, level };
}

/**
 * The type of features that can hold values of `type`. @throws TFRecordError TFR_FEATURE for types that no feature can
 * hold
 */
export function storedType(at: { readonly name: string }, type: DataType): StoredDType {
  switch (typeId(type)) {
    case TYPES.Int:
    case TYPES.Bool:
      return 'int64';
    case TYPES.Float:
      return 'float32';
    case TYPES.Binary:
    case TYPES.Utf8:
    case TYPES.LargeBinary:
    case TYPES.LargeUtf8:
    case TYPES.FixedSizeBinary:
    case TYPES.Dictionary:
      return 'bytes';
  }
  throw columnRefusal(
    at,
    'integers, floats, booleans, text, bytes, or lists of these',
    typeName(type),
    'Features cannot hold other types: cast the column first, for example to int64 or to text',
  );
}
