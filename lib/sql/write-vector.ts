/** Copies the values of columns into DuckDB's vectors, a column at a time. */
import type { Vector as Target } from '@duckdb/node-bindings';

import { bytesOfBits, isSet, newBits, setBit } from '../tensor';
import { levelsOf, type Level, type WrittenVector } from './column-types';
import type { Bindings } from './peers';

/** Maximum length of a string that DuckDB stores in the string's own 16 bytes: 4 bytes of length, then its bytes. */
const INLINE_BYTES = 12;
const WORDS_PER_STRING = 4;
const WORDS_PER_ENTRY = 4;

/** The items `begin` to `end` of a level. */
interface Items {
  readonly begin: number;
  readonly end: number;
  /** A bit for each item; undefined if all have values. */
  readonly validity: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Writes `count` rows of `vector`, from `row`, a multiple of 8, to the start of `target`. `levels`: the levels of the
 * type of `target`.
 */
export function writeVector(
  db: Bindings,
  target: Target,
  vector: WrittenVector,
  row: number,
  count: number,
  levels: readonly Level[] = levelsOf(vector.column),
): void {
  const { validity, splits, steps } = vector;
  const bits = validity?.subarray(row >>> 3, (row >>> 3) + bytesOfBits(count));
  // Copied in whole units, as in DuckDB's vectors.
  const whole = bits && newBits(count);
  if (bits !== undefined) whole!.set(bits);
  writeLevel(db, target, vector, levels, [steps, splits], { begin: row, end: row + count, validity: whole });
}

/** `positions`: one array for each list of any length among `levels`; undefined for levels without positions. */
function writeLevel(
  db: Bindings,
  target: Target,
  vector: WrittenVector,
  levels: readonly Level[],
  positions: readonly (Int32Array | undefined)[],
  { begin, end, validity }: Items,
): void {
  if (validity !== undefined) {
    db.vector_ensure_validity_writable(target);
    db.copy_data_to_vector_validity(target, 0, validity.buffer, validity.byteOffset, validity.byteLength);
  }
  const [level, ...inner] = levels;
  if (level === undefined) {
    writeValues(db, target, vector, begin, end);
    return;
  }
  if (level.kind === 'array') {
    const { size } = level;
    // If an array is null, its items are null, too.
    const repeated = validity && repeatedBits(validity, end - begin, size);
    const items = { begin: begin * size, end: end * size, validity: repeated };
    writeLevel(db, db.array_vector_get_child(target), vector, inner, positions, items);
    return;
  }
  const [splits, ...rest] = positions.filter((each) => each !== undefined);
  const entries = new Uint32Array(WORDS_PER_ENTRY * (end - begin));
  const at = level.kind === 'fixed' ? (i: number): number => i * level.size : (i: number): number => splits![i]!;
  const first = at(begin);
  for (let i = begin, word = 0, offset = 0; i < end; i++, word += WORDS_PER_ENTRY) {
    const next = at(i + 1) - first;
    entries[word] = offset;
    entries[word + 2] = next - offset;
    offset = next;
  }
  copy(db, target, entries);
  const count = at(end) - first;
  db.list_vector_reserve(target, count);
  db.list_vector_set_size(target, count);
  const below = level.kind === 'fixed' ? positions : rest;
  const items = { begin: first, end: first + count, validity: undefined };
  writeLevel(db, db.list_vector_get_child(target), vector, inner, below, items);
}

/** Repeats each of `count` bits `size` times. */
function repeatedBits(bits: Uint8Array, count: number, size: number): Uint8Array<ArrayBuffer> {
  const repeated = newBits(count * size);
  for (let i = 0, to = 0; i < count; i++, to += size) {
    if (isSet(bits, i)) for (let j = to; j < to + size; j++) setBit(repeated, j);
  }
  return repeated;
}

function writeValues(
  db: Bindings,
  target: Target,
  { values, offsets }: WrittenVector,
  begin: number,
  end: number,
): void {
  if (offsets === undefined) copy(db, target, values.subarray(begin, end));
  else writeStrings(db, target, values as Uint8Array, offsets.subarray(begin, end + 1));
}

function copy(db: Bindings, target: Target, values: NodeJS.TypedArray): void {
  const { buffer, byteOffset, byteLength } = values;
  if (byteLength > 0) db.copy_data_to_vector(target, 0, buffer as ArrayBuffer, byteOffset, byteLength);
}

/**
 * Writes strings: `offsets` has the start of each in `data`, and the end of the last. The vector gets all data at once,
 * as one long string in the memory of its first string; then each string that is too long to be inline gets a pointer
 * into that memory.
 */
function writeStrings(db: Bindings, target: Target, data: Uint8Array, offsets: Int32Array): void {
  const count = offsets.length - 1;
  const start = offsets[0]!;
  const { low, high } = someAreLong(offsets)
    ? addressOf(db, target, data.subarray(start, offsets[count]))
    : { low: 0, high: 0 };
  const words = new Uint32Array(WORDS_PER_STRING * count);
  const bytes = new Uint8Array(words.buffer);
  for (let i = 0, word = 0; i < count; i++, word += WORDS_PER_STRING) {
    const from = offsets[i]!;
    const length = offsets[i + 1]! - from;
    words[word] = length;
    const inline = 4 * (word + 1);
    const shown = length <= INLINE_BYTES ? length : 4;
    for (let j = 0; j < shown; j++) bytes[inline + j] = data[from + j]!;
    if (length <= INLINE_BYTES) continue;
    const address = low + (from - start);
    words[word + 2] = address;
    words[word + 3] = address > 0xffff_ffff ? high + 1 : high;
  }
  copy(db, target, words);
}

function someAreLong(offsets: Int32Array): boolean {
  for (let i = 1; i < offsets.length; i++) if (offsets[i]! - offsets[i - 1]! > INLINE_BYTES) return true;
  return false;
}

/** Copies `data`, longer than 12 bytes, into memory of `target`. Returns the address of the copy. */
function addressOf(db: Bindings, target: Target, data: Uint8Array): { low: number; high: number } {
  db.vector_assign_string_element_len(target, 0, data);
  const string = new Uint32Array(db.vector_get_data(target, 4 * WORDS_PER_STRING).slice().buffer);
  return { low: string[2]!, high: string[3]! };
}
