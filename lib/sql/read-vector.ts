/** Copies the values of DuckDB's vectors into the vectors of a table. */
import type { Vector as Stored } from '@duckdb/node-bindings';

import { counted, TFRecordError } from '../base';
import type { TableColumn, Vector } from '../table';
import { bytesOfBits, countSet, isSet } from '../tensor';
import { levelsOf } from './column-types';
import type { Bindings } from './peers';

const BYTES_PER_STRING = 16;
const INLINE_BYTES = 12;
const WORDS_PER_ENTRY = 4;
/** Stands for the missing item of a row that is null, in lists of items. */
const NOTHING = -1;

/**
 * The values of `rows` rows of `stored` from `start`, a multiple of 64. @throws TFRecordError TFR_FEATURE for nulls in
 * lists, and for lists of a wrong length
 */
export function readVector(db: Bindings, stored: Stored, column: TableColumn, start: number, rows: number): Vector {
  const bits = validityOf(db, stored, start + rows)?.slice(start / 8);
  const nulls = bits === undefined ? 0 : rows - countSet(bits, rows);
  let items: Int32Array = Int32Array.from({ length: rows }, (_, i) => (isSet(bits, i) ? start + i : NOTHING));
  const lists: Int32Array<ArrayBuffer>[] = [];
  let vector = stored;
  let length = start + rows;
  for (const level of levelsOf(column)) {
    const entries = new Uint32Array(db.vector_get_data(vector, 4 * WORDS_PER_ENTRY * length).slice().buffer);
    const size = level.kind === 'list' ? undefined : level.size;
    const { splits, below } = size === undefined ? listed(entries, items) : fixed(column, entries, items, size);
    if (splits !== undefined) lists.push(splits);
    items = below;
    length = db.list_vector_get_size(vector);
    vector = db.list_vector_get_child(vector);
    checkNoNulls(column, validityOf(db, vector, length), items);
  }
  const [steps, splits] = column.section === 1 ? lists : [undefined, lists[0]];
  const values = valuesOf(db, vector, column, items, length);
  return { column, rows, validity: nulls === 0 ? undefined : bits, nulls, steps, splits, ...values };
}

/** A bit for each of `count` items; undefined if none is null. */
function validityOf(db: Bindings, vector: Stored, count: number): Uint8Array<ArrayBuffer> | undefined {
  const bytes = bytesOfBits(count);
  if (bytes === 0) return undefined;
  const bits = db.vector_get_validity(vector, bytes) as Uint8Array | null;
  return bits === null ? undefined : new Uint8Array(bits);
}

interface Below {
  readonly splits: Int32Array<ArrayBuffer> | undefined;
  /** The items one level below. */
  readonly below: Int32Array;
}

function listed(entries: Uint32Array, items: Int32Array): Below {
  const splits = new Int32Array(items.length + 1);
  let total = 0;
  items.forEach((item, i) => {
    if (item !== NOTHING) total += entries[WORDS_PER_ENTRY * item + 2]!;
    splits[i + 1] = total;
  });
  const below = new Int32Array(total);
  items.forEach((item, i) => {
    const from = item === NOTHING ? 0 : entries[WORDS_PER_ENTRY * item]!;
    for (let to = splits[i]!, end = splits[i + 1]!, at = from; to < end; to++) below[to] = at++;
  });
  return { splits, below };
}

function fixed(column: TableColumn, entries: Uint32Array, items: Int32Array, size: number): Below {
  const below = new Int32Array(size * items.length).fill(NOTHING);
  items.forEach((item, i) => {
    if (item === NOTHING) return;
    const length = entries[WORDS_PER_ENTRY * item + 2]!;
    if (length !== size) throw misfit(column, `lists of ${counted(size, 'value')}`, `one of ${length}`);
    const from = entries[WORDS_PER_ENTRY * item]!;
    for (let j = 0; j < size; j++) below[i * size + j] = from + j;
  });
  return { splits: undefined, below };
}

function checkNoNulls(column: TableColumn, bits: Uint8Array | undefined, items: Int32Array): void {
  if (bits === undefined) return;
  for (const item of items) {
    if (item !== NOTHING && !isSet(bits, item)) throw misfit(column, 'values in its lists', 'NULL in one');
  }
}

function misfit({ name, key }: TableColumn, expected: string, found: string): TFRecordError {
  const message = `Column ${JSON.stringify(name)}: expected ${expected}, found ${found}`;
  return new TFRecordError('TFR_FEATURE', message, { feature: key, expected, found });
}

function valuesOf(
  db: Bindings,
  vector: Stored,
  { dtype }: TableColumn,
  items: Int32Array,
  length: number,
): Pick<Vector, 'offsets' | 'values'> {
  if (dtype === 'text' || dtype === 'bytes') return stringsOf(db, vector, items, length);
  const Class = dtype === 'int64' ? BigInt64Array : Float32Array;
  const unit = Class.BYTES_PER_ELEMENT;
  const stored = db.vector_get_data(vector, unit * length);
  const made = new Uint8Array(unit * items.length);
  // Consecutive items are copied together.
  for (let i = 0; i < items.length;) {
    const from = items[i]!;
    let end = i + 1;
    if (from === NOTHING) {
      i = end;
      continue;
    }
    while (end < items.length && items[end] === from + (end - i)) end++;
    made.set(stored.subarray(unit * from, unit * (from + end - i)), unit * i);
    i = end;
  }
  return { offsets: undefined, values: new Class(made.buffer) };
}

function stringsOf(
  db: Bindings,
  vector: Stored,
  items: Int32Array,
  length: number,
): Pick<Vector, 'offsets' | 'values'> {
  const data = db.vector_get_data(vector, BYTES_PER_STRING * length);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const offsets = new Int32Array(items.length + 1);
  let total = 0;
  items.forEach((item, i) => {
    if (item !== NOTHING) total += view.getUint32(BYTES_PER_STRING * item, true);
    offsets[i + 1] = total;
  });
  const values = new Uint8Array(total);
  items.forEach((item, i) => {
    const size = offsets[i + 1]! - offsets[i]!;
    if (size === 0) return;
    const at = data.byteOffset + BYTES_PER_STRING * item;
    const string =
      size <= INLINE_BYTES
        ? new Uint8Array(data.buffer, at + 4, size)
        : db.get_data_from_pointer(data.buffer as ArrayBuffer, at + 8, size);
    values.set(string, offsets[i]);
  });
  return { offsets, values };
}
