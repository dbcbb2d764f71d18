/** Maps of names: entries with the name as field 1 and a message as field 2, in the byte order of the names. */
import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import { compareUtf8 } from '../message';
import { hasLoneSurrogate } from '../../tensor';
import { memberNames } from './members';
import { utf8Length, writeUtf8 } from './utf8';
import { fieldSize, type WireWriter } from './wire-writer';

const ENTRY_TAG = 0x0a;
const NAME_TAG = 0x0a;
const VALUE_TAG = 0x12;

/**
 * The members of a caller's map. All maps of a record are taken before the first is measured: taking them may run code of
 * the caller, which may change what was measured.
 */
export interface TakenMap<T> {
  readonly entries: readonly TakenEntry<T>[];
}

interface TakenEntry<T> {
  readonly name: string;
  /** The name that errors call the value. */
  readonly where: string;
  readonly value: T;
}

/** A map that is about to be written. */
export interface MeasuredMap<V> {
  readonly entries: readonly MeasuredEntry<V>[];
  /** Bytes of the message that holds the map. */
  readonly size: number;
}

interface MeasuredEntry<V> {
  readonly name: string;
  readonly nameSize: number;
  readonly value: V;
  readonly size: number;
}

/**
 * `where` is what errors call the map; `take` gets what errors call the value.
 * @throws TypeError ERR_INVALID_ARG_TYPE when `map` is no object, ERR_INVALID_ARG_VALUE for a name with half a surrogate pair.
 */
export function takeMap<T>(where: string, map: unknown, take: (name: string, value: unknown) => T): TakenMap<T> {
  if (typeof map !== 'object' || map === null || Array.isArray(map) || ArrayBuffer.isView(map) || types.isMap(map)) {
    throw invalidArgType(where, 'an object with a member a name', map);
  }
  let names = memberNames(map);
  if (!isSorted(names)) names = names.toSorted(compareUtf8);
  const entries = names.map((name): TakenEntry<T> => {
    if (hasLoneSurrogate(name)) {
      throw invalidArgValue(`a name in ${where}`, 'whole characters: half a surrogate pair is none', name);
    }
    const place = `${where}.${name}`;
    return { name, where: place, value: take(place, (map as Record<string, unknown>)[name]) };
  });
  return { entries };
}

/** `measure` gets what errors call the value. */
export function measureMap<T, V extends { readonly size: number }>(
  map: TakenMap<T>,
  measure: (name: string, value: T) => V,
): MeasuredMap<V> {
  let size = 0;
  const entries = map.entries.map(({ name, where, value: taken }): MeasuredEntry<V> => {
    const nameSize = utf8Length(name);
    const value = measure(where, taken);
    const entry = fieldSize(nameSize) + fieldSize(value.size);
    size += fieldSize(entry);
    return { name, nameSize, value, size: entry };
  });
  return { entries, size };
}

/** Writes the message that holds the map, without a head. */
export function writeMap<V extends { readonly size: number }>(
  writer: WireWriter,
  map: MeasuredMap<V>,
  write: (writer: WireWriter, value: V) => void,
): void {
  for (const { name, nameSize, value, size } of map.entries) {
    writer.head(ENTRY_TAG, size);
    writer.head(NAME_TAG, nameSize);
    writeUtf8(writer.bytes, name, writer.position);
    writer.position += nameSize;
    writer.head(VALUE_TAG, value.size);
    write(writer, value);
  }
}

function isSorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) {
    if (compareUtf8(names[i - 1]!, names[i]!) > 0) return false;
  }
  return true;
}
