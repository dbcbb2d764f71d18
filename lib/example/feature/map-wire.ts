/** Maps of names: entries with the name as field 1 and a message as field 2, in the byte order of the names. */
import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import { compareUtf8 } from '../message';
import { hasLoneSurrogate } from '../tensor';
import { memberNames } from './members';
import { utf8Length, writeUtf8 } from './utf8';
import { fieldSize, type WireWriter } from './wire-writer';

const ENTRY_TAG = 0x0a;
const NAME_TAG = 0x0a;
const VALUE_TAG = 0x12;

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
 * `where` is what errors call the map; `measure` gets what errors call the value.
 * @throws TypeError ERR_INVALID_ARG_TYPE when `map` is no object, ERR_INVALID_ARG_VALUE for a name with half a surrogate pair.
 */
export function measureMap<V extends { readonly size: number }>(
  where: string,
  map: unknown,
  measure: (name: string, value: unknown) => V,
): MeasuredMap<V> {
  if (typeof map !== 'object' || map === null || Array.isArray(map) || ArrayBuffer.isView(map) || types.isMap(map)) {
    throw invalidArgType(where, 'an object with a member a name', map);
  }
  let size = 0;
  let names = memberNames(map);
  if (!isSorted(names)) names = names.toSorted(compareUtf8);
  const entries = names.map((name): MeasuredEntry<V> => {
    if (hasLoneSurrogate(name)) {
      throw invalidArgValue(`a name in ${where}`, 'whole characters: half a surrogate pair is none', name);
    }
    const nameSize = utf8Length(name);
    const value = measure(`${where}.${name}`, (map as Record<string, unknown>)[name]);
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
    if (compareUtf8(names[i - 1] as string, names[i] as string) > 0) return false;
  }
  return true;
}
