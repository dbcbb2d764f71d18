/** Reads the rows of results whose columns are numbers, booleans and texts. */
import { TextDecoder } from 'node:util';

import type { DataChunk, Result, Type, Vector } from '@duckdb/node-bindings';

import { bytesOfBits, isSet } from '../tensor';
import type { Bindings } from './peers';

/** HUGEINT and the types of 64 bits are bigints. */
export type PlainValue = bigint | number | boolean | string | null;

/** Reads the value at an offset. */
interface Reader {
  readonly bytes: number;
  readonly read: (view: DataView, at: number) => Exclude<PlainValue, string | null>;
}

/** By the names of types. Other numbers are read as they are; texts are read by {@link textAt}. */
const READERS = {
  BOOLEAN: { bytes: 1, read: (view, at) => view.getUint8(at) !== 0 },
  TINYINT: { bytes: 1, read: (view, at) => view.getInt8(at) },
  UTINYINT: { bytes: 1, read: (view, at) => view.getUint8(at) },
  SMALLINT: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  USMALLINT: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  INTEGER: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  UINTEGER: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  BIGINT: { bytes: 8, read: (view, at) => view.getBigInt64(at, true) },
  UBIGINT: { bytes: 8, read: (view, at) => view.getBigUint64(at, true) },
  HUGEINT: { bytes: 16, read: (view, at) => (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true) },
  FLOAT: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  DOUBLE: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
} as const satisfies Partial<Record<keyof Bindings['Type'], Reader>>;

const BYTES_PER_STRING = 16;
const INLINE_BYTES = 12;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** True if `plainRows` reads columns of the type. */
export function isPlain(db: Bindings, typeId: Type): boolean {
  return typeId === db.Type.VARCHAR || readerOf(db, typeId) !== undefined;
}

/** The rows of `result`, whose columns have these types, in chunks. */
export async function* plainRows(
  db: Bindings,
  result: Result,
  typeIds: readonly Type[],
): AsyncGenerator<PlainValue[][], void, undefined> {
  const readers = typeIds.map((typeId) => readerOf(db, typeId));
  for (;;) {
    const chunk = await db.fetch_chunk(result);
    if (chunk === null) return;
    const count = db.data_chunk_get_size(chunk);
    if (count === 0) return;
    yield rowsIn(db, chunk, count, readers);
  }
}

function rowsIn(
  db: Bindings,
  chunk: DataChunk,
  count: number,
  readers: readonly (Reader | undefined)[],
): PlainValue[][] {
  const rows = Array.from({ length: count }, (): PlainValue[] => []);
  for (const [column, reader] of readers.entries()) {
    const vector = db.data_chunk_get_vector(chunk, column);
    const valueAt = accessTo(db, vector, count, reader);
    const validity = db.vector_get_validity(vector, bytesOfBits(count)) as Uint8Array | null;
    for (const [i, row] of rows.entries()) row.push(validity === null || isSet(validity, i) ? valueAt(i) : null);
  }
  return rows;
}

/** A function that returns the value of a row. */
function accessTo(
  db: Bindings,
  vector: Vector,
  count: number,
  reader: Reader | undefined,
): (row: number) => PlainValue {
  const bytes = reader?.bytes ?? BYTES_PER_STRING;
  const data = db.vector_get_data(vector, bytes * count);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (reader === undefined) return (row) => textAt(db, view, bytes * row);
  return (row) => reader.read(view, bytes * row);
}

/** The text at `at`, where its length is, then itself or, if it is long, its address. */
function textAt(db: Bindings, view: DataView, at: number): string {
  const length = view.getUint32(at, true);
  const start = view.byteOffset + at;
  return utf8.decode(
    length <= INLINE_BYTES
      ? new Uint8Array(view.buffer, start + 4, length)
      : db.get_data_from_pointer(view.buffer as ArrayBuffer, start + 8, length),
  );
}

function readerOf(db: Bindings, typeId: Type): Reader | undefined {
  const name = db.Type[typeId];
  return Object.hasOwn(READERS, name) ? READERS[name as keyof typeof READERS] : undefined;
}
