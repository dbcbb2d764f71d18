/** Joins several batches of a table. */
import { arrayClass } from '../base';
import { isSet, newBits, setBit, sizeOf } from '../tensor';
import type { TableBatch, Vector } from './vectors';

/**
 * Joins the rows of `batches`, in order. A column may have up to 2^31 - 1 values, and as many bytes, in all batches
 * together.
 */
export function joinTables(batches: readonly TableBatch[]): TableBatch {
  const [first] = batches;
  if (batches.length === 1) return first!;
  let rows = 0;
  for (const batch of batches) rows += batch.rows;
  return { rows, vectors: first!.vectors.map((_, i) => joined(batches.map(({ vectors }) => vectors[i]!))) };
}

/** The arrays of a batch, which has others besides. */
interface SizedBatch {
  readonly vectors: readonly (Pick<Vector, 'offsets' | 'splits' | 'steps'> & {
    readonly values: NodeJS.ArrayBufferView;
  })[];
}

/** Approximate size of `batch` in bytes. */
export function tableBytes({ vectors }: SizedBatch): number {
  let bytes = 0;
  for (const { values, offsets, splits, steps } of vectors) {
    bytes += values.byteLength + (offsets?.byteLength ?? 0) + (splits?.byteLength ?? 0) + (steps?.byteLength ?? 0);
  }
  return bytes;
}

function joined(parts: readonly Vector[]): Vector {
  const { column, steps, splits, offsets } = parts[0]!;
  const counts = parts.map(countsOf);
  const sum = (name: keyof Counts): number => counts.reduce((all, each) => all + each[name], 0);
  const positions = (name: 'steps' | 'splits' | 'offsets', count: keyof Counts): Int32Array<ArrayBuffer> =>
    joinedPositions(
      parts.map((part) => part[name]!),
      counts.map((each) => each[count]),
    );
  const nulls = parts.reduce((all, part) => all + part.nulls, 0);
  const rows = sum('rows');
  return {
    column,
    rows,
    validity: nulls === 0 ? undefined : joinedBits(parts, rows),
    nulls,
    steps: steps === undefined ? undefined : positions('steps', 'rows'),
    splits: splits === undefined ? undefined : positions('splits', 'lists'),
    offsets: offsets === undefined ? undefined : positions('offsets', 'values'),
    values: joinedValues(parts, counts, sum('items')),
  };
}

/** Numbers of rows, steps and values of a vector. `items`: number of elements in its array. */
interface Counts {
  readonly rows: number;
  readonly lists: number;
  readonly values: number;
  readonly items: number;
}

function countsOf({ column, rows, steps, splits, offsets }: Vector): Counts {
  const lists = steps === undefined ? rows : steps[rows]!;
  const values = splits === undefined ? lists * sizeOf(column.shape!) : splits[lists]!;
  return { rows, lists, values, items: offsets === undefined ? values : offsets[values]! };
}

function joinedPositions(parts: readonly Int32Array[], counts: readonly number[]): Int32Array<ArrayBuffer> {
  const all = new Int32Array(counts.reduce((sum, count) => sum + count, 0) + 1);
  let at = 0;
  let base = 0;
  parts.forEach((part, i) => {
    const count = counts[i]!;
    for (let j = 1; j <= count; j++) all[at + j] = base + part[j]!;
    at += count;
    base = all[at]!;
  });
  return all;
}

function joinedValues(parts: readonly Vector[], counts: readonly Counts[], items: number): Vector['values'] {
  const all = new (arrayClass<Vector['values']>(parts[0]!.values))(items);
  // Copied as bytes, so that NaNs keep their bits.
  const target = new Uint8Array(all.buffer);
  let at = 0;
  parts.forEach(({ values }, i) => {
    const bytes = counts[i]!.items * values.BYTES_PER_ELEMENT;
    target.set(new Uint8Array(values.buffer, values.byteOffset, bytes), at);
    at += bytes;
  });
  return all;
}

function joinedBits(parts: readonly Vector[], rows: number): Uint8Array<ArrayBuffer> {
  const all = newBits(rows);
  let at = 0;
  for (const { rows: count, validity } of parts) {
    for (let row = 0; row < count; row++, at++) {
      if (isSet(validity, row)) setBit(all, at);
    }
  }
  return all;
}
