/** Rows of several batches as one batch of the same kind. */
import { TFRecordError } from '../../errors';
import {
  BytesArray,
  DenseTensor,
  longestRow,
  RaggedTensor,
  sizeOf,
  SparseTensor,
  type Column,
  type DType,
  type Int64As,
  type RowSplits,
  type Shape,
} from '../../tensor';
import type { AnyDense } from './assemble-dense';
import type { AnyRagged } from './assemble-ragged';
import type { AnySparse } from './assemble-sparse';
import { setFeature, withJSON } from './row-object';
import { newDense } from './row-readers';

/** Rows `begin` to `end` of a batch. */
export interface BatchPart {
  readonly batch: unknown;
  readonly begin: number;
  readonly end: number;
}

/**
 * The rows of `parts`, of which there is one or more, behind one another: of columns columns, of arrays an array.
 * @throws TFRecordError TFR_FEATURE where they are of different kinds or shapes. Not for RecordBatches.
 */
export function joinBatches(parts: readonly BatchPart[], name = ''): unknown {
  const [{ batch: first }] = parts as readonly [BatchPart];
  const all = <T>(kind: new (...given: never[]) => T): readonly Part<T>[] => {
    if (parts.every(({ batch }) => batch instanceof kind)) return parts as readonly Part<T>[];
    throw differ(name, kind.name, parts);
  };
  if (Array.isArray(first)) {
    return all(Array).flatMap(({ batch, begin, end }) => batch.slice(begin, end));
  }
  if (first instanceof BytesArray || ArrayBuffer.isView(first)) {
    return joinColumns(all(first.constructor as new () => Column));
  }
  if (first instanceof DenseTensor) return joinDense(all<AnyDense>(DenseTensor), name);
  if (first instanceof SparseTensor) return joinSparse(all<AnySparse>(SparseTensor), name);
  if (first instanceof RaggedTensor) return joinRagged(all<AnyRagged>(RaggedTensor), name);
  const joined: Record<string, unknown> = {};
  for (const key in first as Record<string, unknown>) {
    const columns = parts.map(({ batch, begin, end }) => ({
      batch: (batch as Record<string, unknown>)[key],
      begin,
      end,
    }));
    const value = joinBatches(columns, name === '' ? key : `${name}.${key}`);
    setFeature(joined, key, value);
  }
  return withJSON(joined);
}

interface Part<T> {
  readonly batch: T;
  readonly begin: number;
  readonly end: number;
}

function joinColumns(parts: readonly Part<Column>[]): Column {
  const columns = parts.map(({ batch, begin, end }) => batch.subarray(begin, end));
  const [first] = columns as [Column];
  if (columns.length === 1) return first;
  if (first instanceof BytesArray)
    return BytesArray.from(columns.flatMap((column) => (column as BytesArray).toArray()));
  const made = new (first.constructor as new (length: number) => Float32Array)(
    columns.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const column of columns) {
    made.set(column as Float32Array, at);
    at += column.length;
  }
  return made as unknown as Column;
}

function joinDense(parts: readonly Part<AnyDense>[], name: string): AnyDense {
  const [{ batch }] = parts as readonly [Part<AnyDense>];
  const [, ...inner] = batch.shape;
  for (const { batch: other } of parts) {
    const [, ...found] = other.shape;
    if (other.dtype !== batch.dtype || found.join() !== inner.join()) {
      throw differ(name, `${batch.dtype} of shape [rows, ${inner.join(', ')}]`, parts);
    }
  }
  const size = sizeOf(inner);
  const data = joinColumns(
    parts.map(({ batch: tensor, begin, end }) => ({ batch: tensor.data, begin: begin * size, end: end * size })),
  );
  return newDense(batch.dtype, [rowsOf(parts), ...inner], data);
}

function joinSparse(parts: readonly Part<AnySparse>[], name: string): AnySparse {
  const [{ batch }] = parts as readonly [Part<AnySparse>];
  const rank = batch.denseShape.length;
  const inner = batch.denseShape.slice(1);
  const indices: bigint[] = [];
  const columns: Part<Column>[] = [];
  let before = 0;
  for (const { batch: tensor, begin, end } of parts) {
    if (tensor.dtype !== batch.dtype || tensor.denseShape.length !== rank) throw differ(name, batch.dtype, parts);
    tensor.denseShape.slice(1).forEach((size, k) => (inner[k] = Math.max(inner[k]!, size)));
    let first = -1;
    let last = -1;
    for (let i = 0; i < tensor.values.length; i++) {
      const row = Number(tensor.indices[i * rank]);
      if (row < begin || row >= end) continue;
      if (first < 0) first = i;
      last = i;
      indices.push(BigInt(row - begin + before));
      for (let k = 1; k < rank; k++) indices.push(tensor.indices[i * rank + k]!);
    }
    columns.push({ batch: tensor.values, begin: Math.max(first, 0), end: last + 1 });
    before += end - begin;
  }
  const values = joinColumns(columns);
  if (rank !== 2 || batch.rowSplits === undefined) {
    const denseShape = [before, ...inner];
    return new SparseTensor<DType, Int64As>(batch.dtype, { values, denseShape, indices: BigInt64Array.from(indices) });
  }
  // Of lists, as wide as the longest of these rows.
  const splits = splitsOf(indices, before);
  const denseShape = [before, longestRow(splits)];
  return new SparseTensor<DType, Int64As>(batch.dtype, { values, denseShape, rowSplits: [splits] });
}

/** Of entries of two coordinates, in the order of their rows. */
function splitsOf(indices: readonly bigint[], rows: number): Int32Array {
  const splits = new Int32Array(rows + 1);
  for (let i = 0; i < indices.length; i += 2) splits[Number(indices[i]) + 1] = i / 2 + 1;
  for (let row = 1; row <= rows; row++) splits[row] = Math.max(splits[row]!, splits[row - 1]!);
  return splits;
}

function joinRagged(parts: readonly Part<AnyRagged>[], name: string): AnyRagged {
  const [{ batch }] = parts as readonly [Part<AnyRagged>];
  if (parts.some((part) => part.batch.rowSplits.length !== batch.rowSplits.length)) throw differ(name, 'ragged', parts);
  let level = parts.map(({ begin, end }) => ({ begin, end }));
  const rowSplits = batch.rowSplits.map((like, k): RowSplits => {
    const lengths: number[] = [];
    level = level.map(({ begin, end }, i) => {
      const splits = parts[i]!.batch.rowSplits[k]!;
      for (let row = begin; row < end; row++) lengths.push(Number(splits[row + 1]) - Number(splits[row]));
      return { begin: Number(splits[begin]), end: Number(splits[end]) };
    });
    const joined = [0];
    for (const length of lengths) joined.push(joined.at(-1)! + length);
    return like instanceof BigInt64Array ? BigInt64Array.from(joined, BigInt) : Int32Array.from(joined);
  });
  const values = joinDense(
    parts.map((part, i) => ({ batch: part.batch.values, ...(level[i] as { begin: number; end: number }) })),
    name,
  );
  return new RaggedTensor<DType, Shape, Int64As>(values, rowSplits);
}

function rowsOf(parts: readonly Part<unknown>[]): number {
  return parts.reduce((sum, { begin, end }) => sum + end - begin, 0);
}

function differ(name: string, expected: string, parts: readonly Part<unknown>[]): TFRecordError {
  const found = [...new Set(parts.map(({ batch }) => kindOf(batch)))].join(' and ');
  const feature = name === '' ? 'The batches' : `Feature ${JSON.stringify(name)} of the batches`;
  return new TFRecordError(
    'TFR_FEATURE',
    `${feature} cannot be joined: expected ${expected}, found ${found}. Records can be batched anew before they are parsed.`,
    { feature: name === '' ? undefined : name, expected, found },
  );
}

function kindOf(batch: unknown): string {
  if (batch instanceof DenseTensor)
    return `${batch.dtype as string} of shape [${(batch as AnyDense).shape.join(', ')}]`;
  return typeof batch === 'object' && batch !== null ? batch.constructor.name : typeof batch;
}
