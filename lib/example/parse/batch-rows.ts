/** The rows of batches whose spec is not known: what batching gave, taken apart. */
import { TFRecordError } from '../../errors';
import { RecordBatch } from '../../record';
import { BytesArray, DenseTensor, RaggedTensor, sizeOf, SparseTensor, valueAt, type Column } from '../../tensor';
import type { AnyDense } from './assemble-dense';
import type { AnyRagged } from './assemble-ragged';
import type { AnySparse } from './assemble-sparse';
import { newRow, setFeature } from './row-object';
import { newDense, paddedRow, partRow, plainRow, raggedRow, sparseRow } from './row-readers';
import { stepsOf } from './step-counts';

/** Number of rows of a batch; undefined for what is none. @throws TFRecordError TFR_FEATURE where columns differ in it */
export function countRows(batch: unknown): number | undefined {
  if (Array.isArray(batch) || batch instanceof RecordBatch || batch instanceof BytesArray) return batch.length;
  if (typeof batch !== 'object' || batch === null) return undefined;
  if (ArrayBuffer.isView(batch)) return (batch as Column).length;
  if (batch instanceof DenseTensor) return (batch as AnyDense).shape[0];
  if (batch instanceof SparseTensor) return (batch as AnySparse).denseShape[0];
  if (batch instanceof RaggedTensor) return (batch as AnyRagged).shape[0] ?? undefined;
  let rows: number | undefined;
  let first = '';
  for (const name in batch) {
    const count = countRows((batch as Record<string, unknown>)[name]);
    if (count === undefined) return undefined;
    if (rows !== undefined && count !== rows) throw differ(first, rows, name, count);
    rows = count;
    first ||= name;
  }
  return rows;
}

/**
 * Row `row` of `batch`, over the same memory: of columns an object, of one column a value. Padding of what was parsed is
 * left out.
 */
export function batchRow(batch: unknown, row: number): unknown {
  if (Array.isArray(batch) || batch instanceof RecordBatch) return batch.at(row);
  if (batch instanceof BytesArray || ArrayBuffer.isView(batch)) return valueAt(batch as Column, row);
  if (batch instanceof DenseTensor) return denseRow(batch as AnyDense, row);
  if (batch instanceof SparseTensor) {
    const tensor = batch as AnySparse;
    return tensor.rowSplits?.length === 1 ? partRow(tensor, row) : sparseRow(tensor, row);
  }
  if (batch instanceof RaggedTensor) {
    const tensor = batch as AnyRagged;
    const flat = tensor.rowSplits.length === 1 && tensor.values.shape.length === 1;
    return flat ? plainRow(tensor, row) : raggedRow(tensor, row);
  }
  const values = newRow();
  for (const name in batch as Record<string, unknown>) {
    setFeature(values, name, batchRow((batch as Record<string, unknown>)[name], row));
  }
  return values;
}

function denseRow(tensor: AnyDense, row: number): unknown {
  const [, ...inner] = tensor.shape;
  if (inner.length === 0) return valueAt(tensor.data, row);
  if (stepsOf(tensor, row) === undefined) {
    const size = sizeOf(inner);
    return newDense(tensor.dtype, inner, tensor.data.subarray(row * size, (row + 1) * size));
  }
  const [, ...step] = inner;
  const size = sizeOf(step);
  const data = paddedRow(tensor, size, row);
  return step.length === 0 ? data : newDense(tensor.dtype, [data.length / size, ...step], data);
}

function differ(first: string, rows: number, name: string, count: number): TFRecordError {
  return new TFRecordError(
    'TFR_FEATURE',
    `The columns of a batch differ in length: ${JSON.stringify(first)} has ${rows} rows, ${JSON.stringify(name)} ${count}`,
    { feature: name, expected: `${rows} rows`, found: `${count} rows` },
  );
}
