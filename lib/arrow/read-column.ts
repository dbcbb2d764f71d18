/** Reads columns of Arrow: nulls, levels of lists, and values converted to those of features. */
import type { Data } from 'apache-arrow';

import { counted } from '../base';
import { rowOf } from '../example';
import { countSet, isSet, newBits, setBit } from '../tensor';
import type { Level } from './nested';
import {
  isType,
  itemsOf,
  malformed,
  positionsOf,
  rebased,
  refusal,
  typeId,
  TYPES,
  type ReadPlace,
  type ValuesPlace,
} from './read-place';
import { leafValues, type FeatureValues } from './read-values';

/** A column of Arrow as nested lists of features' values. */
export interface ReadColumn {
  readonly rows: number;
  /** A bit for each row, lowest first. Undefined: no nulls. */
  readonly validity: Uint8Array<ArrayBuffer> | undefined;
  readonly nulls: number;
  /** The splits count from 0. */
  readonly levels: readonly Level[];
  /** Undefined: all values are null, and have no type. */
  readonly leaf: FeatureValues | undefined;
}

/**
 * Reads `data`; of structs, the nested fields with the indices `fields`, outermost first. A struct that is null has
 * null fields. @throws TFRecordError TFR_FEATURE for values that no feature can hold, TFR_DECODE for malformed data
 */
export function readColumn(at: ReadPlace, data: Data, fields: readonly number[] = []): ReadColumn {
  const rows = data.length;
  let { validity, nulls } = typeId(data.type) === TYPES.Null ? allNull(rows) : nullsOf(at, data);
  const levels: Level[] = [];
  const rowAt = (item: number): number =>
    levels.reduceRight<number>(
      (i, level) => (typeof level === 'number' ? Math.floor(i / level) : rowOf(level, i)),
      item,
    );
  /** Null rows may contain anything. */
  const place: ValuesPlace = {
    ...at,
    refuse: (item, expected, found, advice) => {
      const row = rowAt(item);
      if (isSet(validity, row)) throw refusal(at, row, expected, found, advice);
    },
  };
  let current = data;
  const path = [...fields];
  for (;;) {
    if (typeId(current.type) === TYPES.Struct) {
      current = fieldOf(at, current, path.shift()!);
      const isNull = typeId(current.type) === TYPES.Null;
      if (levels.length > 0 && !isNull && current.nullCount > 0) refuseNulls(place, current);
      if (levels.length === 0)
        ({ validity, nulls } = both(validity, isNull ? allNull(rows) : nullsOf(at, current), rows));
      continue;
    }
    const list = listLevel(at, current);
    if (list === undefined) break;
    levels.push(list.level);
    current = list.items;
    if (typeId(current.type) !== TYPES.Null && current.nullCount > 0) refuseNulls(place, current);
  }
  const leaf = typeId(current.type) === TYPES.Null ? undefined : leafValues(place, current);
  if (leaf === undefined && levels.length > 0) for (let i = 0; i < current.length; i++) refuseNull(place, i);
  return { rows, validity, nulls, levels, leaf };
}

/** Field `i` of a struct. */
function fieldOf(at: ReadPlace, { children, length }: Data, i: number): Data {
  const child = children.at(i);
  if (child === undefined || child.length < length) {
    throw malformed(at, `${child?.length ?? 0} of ${counted(length, 'value')} of a field`);
  }
  return child.length === length ? child : child.slice(0, length);
}

/** Combines the nulls of rows that are null if either is. */
function both(
  outer: ReadColumn['validity'],
  inner: Pick<ReadColumn, 'validity' | 'nulls'>,
  rows: number,
): Pick<ReadColumn, 'validity' | 'nulls'> {
  if (outer === undefined || inner.validity === undefined) {
    return outer === undefined ? inner : { validity: outer, nulls: rows - countSet(outer, rows) };
  }
  const bits = inner.validity;
  const validity = outer.map((byte, i) => byte & bits[i]!);
  return { validity, nulls: rows - countSet(validity, rows) };
}

function allNull(rows: number): Pick<ReadColumn, 'validity' | 'nulls'> {
  return { validity: newBits(rows), nulls: rows };
}

/** The nulls of `data`, counted from bit 0. */
function nullsOf(at: ReadPlace, data: Data): Pick<ReadColumn, 'validity' | 'nulls'> {
  const { length, nullCount, nullBitmap, offset } = data;
  if (nullCount === 0) return { validity: undefined, nulls: 0 };
  const bits = 8 * (nullBitmap ?? NO_BITS).length;
  if (bits < offset + length) throw malformed(at, `${bits} validity bits for ${counted(length, 'row')}`);
  const validity = newBits(length);
  // The stored count may be wrong.
  let nulls = length;
  for (let row = 0; row < length; row++) {
    if (!data.getValid(row)) continue;
    setBit(validity, row);
    nulls--;
  }
  return { validity, nulls };
}

const NO_BITS = new Uint8Array(0);

function refuseNulls(place: ValuesPlace, data: Data): void {
  for (let i = 0; i < data.length; i++) if (!data.getValid(i)) refuseNull(place, i);
}

function refuseNull(place: ValuesPlace, item: number): void {
  place.refuse(
    item,
    'values',
    'a null inside a list',
    'Lists of features have no nulls: fill them in, or drop them, first',
  );
}

/** The outermost level of lists in `data`, and the items; undefined if there are no lists. */
function listLevel(at: ReadPlace, data: Data): { level: Level; items: Data } | undefined {
  const { type, length } = data;
  if (itemsOf(type) === undefined) return undefined;
  const child = data.children.at(0);
  if (isType(type, 'FixedSizeList')) {
    const size = type.listSize;
    if (child === undefined || child.length < length * size) throw malformed(at, 'lists without items');
    return { level: size, items: child.length === length * size ? child : child.slice(0, length * size) };
  }
  if (child === undefined) throw malformed(at, 'lists without items');
  const { first, level } = rebased(positionsOf(at, data, child.length));
  return { level, items: child.slice(first, level[length]!) };
}
