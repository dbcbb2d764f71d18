/** Converts values of Arrow's types to those of features. */
import { types } from 'node:util';

import { arrayClass, counted, viewOf, named, worded } from '../base';
import { unsharedBytes } from '../io';
import { isoTexts, microsecondsOf, type RefuseDate } from '../table';
import type { Data } from 'apache-arrow';

import { isSet, wordsOf, type StoredDType } from '../tensor';
import { dateNumbers, dateTypeOf } from './dates';
import {
  columnRefusal,
  isType,
  malformed,
  positionsOf,
  rebased,
  typeId,
  typeName,
  TYPES,
  type ValuesPlace,
} from './read-place';

/** Values of a feature's type. */
export interface FeatureValues {
  readonly dtype: StoredDType;
  readonly length: number;
  readonly values: Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
  /** For bytes: the start of each value's data. */
  readonly offsets: Int32Array<ArrayBuffer> | undefined;
}

/**
 * The values of `data`, whose type a feature can hold. @throws TFRecordError TFR_FEATURE for values that no feature can
 * hold, TFR_DECODE
 */
export function leafValues(at: ValuesPlace, data: Data): FeatureValues {
  const { type } = data;
  switch (typeId(type)) {
    case TYPES.Int:
      return integers(at, data);
    case TYPES.Float:
      return floats(at, data);
    case TYPES.Bool:
      return booleans(at, data);
    case TYPES.FixedSizeBinary:
      return fixedBytes(at, data);
    case TYPES.Dictionary:
      return decoded(at, data);
    case TYPES.Date:
    case TYPES.Time:
    case TYPES.Timestamp:
      return dates(at, data);
  }
  return byteStrings(at, data);
}

/** The first `count` elements of the memory of `data`; a copy when other threads may change it. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the type of Arrow says the class
function valuesOf<T extends NodeJS.TypedArray>(at: ValuesPlace, data: Data, count: number): T {
  const values = data.values as T | undefined;
  if (values === undefined || values.length < count) {
    throw malformed(at, `${values?.length ?? 0} of ${counted(count, 'value')}`);
  }
  const { buffer, byteOffset } = unsharedBytes(viewOf(values, 0, count * values.BYTES_PER_ELEMENT));
  return new (arrayClass(values))(buffer, byteOffset, count);
}

function numbers(values: FeatureValues['values'], dtype: StoredDType): FeatureValues {
  return { dtype, length: values.length, values, offsets: undefined };
}

function integers(at: ValuesPlace, data: Data): FeatureValues {
  const { length } = data;
  const given = valuesOf<Int32Array | BigInt64Array | BigUint64Array>(at, data, length);
  if (given instanceof BigInt64Array) return numbers(given as BigInt64Array<ArrayBuffer>, 'int64');
  const values = new BigInt64Array(length);
  if (given instanceof BigUint64Array) {
    values.set(given);
    for (let i = 0; i < length; i++) {
      if (values[i]! >= 0n) continue;
      at.refuse(i, 'an int64', String(given[i]), 'Features hold integers up to 2^63 - 1: store larger ones as text');
    }
    return numbers(values, 'int64');
  }
  const words = wordsOf(values);
  for (let i = 0; i < length; i++) {
    const value = given[i]!;
    words[2 * i] = value;
    words[2 * i + 1] = value < 0 ? -1 : 0;
  }
  return numbers(values, 'int64');
}

const PRECISIONS = { single: 1, double: 2 } as const;

function floats(at: ValuesPlace, data: Data): FeatureValues {
  const { length } = data;
  const precision = isType(data.type, 'Float') ? data.type.precision : undefined;
  if (precision === PRECISIONS.single) return numbers(valuesOf<Float32Array<ArrayBuffer>>(at, data, length), 'float32');
  if (precision !== PRECISIONS.double) {
    throw columnRefusal(at, 'Float32 or Float64', typeName(data.type), 'Cast it to float32 first');
  }
  const given = valuesOf<Float64Array<ArrayBuffer>>(at, data, length);
  const values = new Float32Array(length);
  const words = wordsOf(values);
  const doubles = wordsOf(given);
  for (let i = 0; i < length; i++) {
    const value = given[i]!;
    if (Number.isNaN(value)) {
      words[i] = narrowNaN(doubles[2 * i]!, doubles[2 * i + 1]!);
      continue;
    }
    values[i] = value;
    if (values[i] === value || (at.rounding && Number.isFinite(values[i]))) continue;
    const cure = at.rounding
      ? 'A finite number must not become infinite'
      : worded`Features hold float32: ${named(at.roundingOption, '"rounding" (of convert: round)', true)} takes the nearest`;
    at.refuse(i, 'a float32', String(value), cure);
  }
  return numbers(values, 'float32');
}

/** The float32 NaN for a float64 one, with its sign and the upper bits of its payload. */
function narrowNaN(low: number, high: number): number {
  const payload = ((high & 0xf_ffff) << 3) | (low >>> 29);
  return (high & 0x8000_0000) | 0x7f80_0000 | (payload === 0 ? 0x40_0000 : payload);
}

function dates(at: ValuesPlace, data: Data): FeatureValues {
  const { length } = data;
  const type = dateTypeOf(data.type)!;
  const stored = dateNumbers(at, data);
  const refuse: RefuseDate = (item, expected, found, cure) => {
    at.refuse(item, expected, found, cure);
  };
  if (at.dates === 'int64') return numbers(microsecondsOf(stored, type, refuse), 'int64');
  return { dtype: 'bytes', length, ...isoTexts(stored, type, refuse) };
}

function booleans(at: ValuesPlace, data: Data): FeatureValues {
  const { length, offset } = data;
  const bits = valuesOf<Uint8Array>(at, data, length === 0 ? 0 : Math.ceil((offset + length) / 8));
  const values = new BigInt64Array(length);
  for (let i = 0; i < length; i++) {
    if (isSet(bits, offset + i)) values[i] = 1n;
  }
  return numbers(values, 'int64');
}

function byteStrings(at: ValuesPlace, data: Data): FeatureValues {
  const { length } = data;
  const stored: unknown = data.values;
  const bytes = types.isUint8Array(stored) ? stored : new Uint8Array(0);
  const positions = positionsOf(at, data, bytes.length);
  const { first, level: offsets } = rebased(positions);
  const end = first + offsets[length]!;
  const values = unsharedBytes(viewOf(bytes, first, end)) as Uint8Array<ArrayBuffer>;
  return { dtype: 'bytes', length, values, offsets: offsets as Int32Array<ArrayBuffer> };
}

function fixedBytes(at: ValuesPlace, data: Data): FeatureValues {
  const { length } = data;
  const byteWidth = isType(data.type, 'FixedSizeBinary') ? data.type.byteWidth : 0;
  const values = valuesOf<Uint8Array<ArrayBuffer>>(at, data, length * byteWidth);
  const { level: offsets } = rebased(Float64Array.from({ length: length + 1 }, (_, i) => i * byteWidth));
  return { dtype: 'bytes', length, values, offsets: offsets as Int32Array<ArrayBuffer> };
}

/** Byte strings in a dictionary. The values are indices of its entries. */
function decoded(at: ValuesPlace, data: Data): FeatureValues {
  const { length } = data;
  if (!isType(data.type, 'Dictionary') || !BYTE_STRINGS.includes(typeId(data.type.dictionary))) {
    throw columnRefusal(at, 'a dictionary of text or bytes', typeName(data.type), 'Decode the column first');
  }
  const views = entriesOf(at, (data.dictionary?.data ?? []) as Data[]);
  const indices = valuesOf<Int32Array | BigInt64Array>(at, data, length);
  const positions = new Float64Array(length + 1);
  const found: (Uint8Array | undefined)[] = [];
  for (let i = 0; i < length; i++) {
    const view = data.getValid(i) ? views[Number(indices[i])] : undefined;
    if (view === undefined && data.getValid(i)) {
      at.refuse(
        i,
        `one of ${counted(views.length, 'entry', undefined, 'entries')}`,
        `entry ${indices[i]}`,
        'The Arrow data is malformed',
      );
    }
    found.push(view);
    positions[i + 1] = positions[i]! + (view?.length ?? 0);
  }
  const { level: offsets } = rebased(positions);
  const values = new Uint8Array(offsets[length]!);
  found.forEach((view, i) => {
    if (view !== undefined) values.set(view, offsets[i]);
  });
  return { dtype: 'bytes', length, values, offsets: offsets as Int32Array<ArrayBuffer> };
}

/** The entries of dictionaries, which the slices of a batch share. */
const known = new WeakMap<Data, readonly Uint8Array[]>();

function entriesOf(at: ValuesPlace, parts: readonly Data[]): readonly Uint8Array[] {
  const all = parts.map((part) => {
    const views = known.get(part) ?? entriesIn(at, part);
    known.set(part, views);
    return views;
  });
  return all.length === 1 ? all[0]! : all.flat();
}

function entriesIn(at: ValuesPlace, part: Data): readonly Uint8Array[] {
  if (part.nullCount > 0) throw columnRefusal(at, 'values', 'a null in the dictionary', 'Decode the column first');
  const { values, offsets } = byteStrings(at, part);
  return Array.from({ length: part.length }, (_, i) => (values as Uint8Array).subarray(offsets![i], offsets![i + 1]));
}

const BYTE_STRINGS: readonly number[] = [TYPES.Binary, TYPES.Utf8, TYPES.LargeBinary, TYPES.LargeUtf8];
