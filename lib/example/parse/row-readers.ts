/** How a feature of one row is read out of a batch. */
import { invalidArgType, invalidArgValue } from '../../errors';
import type { FeatureDetails } from '../spec';
import {
  BytesArray,
  DenseTensor,
  partOf,
  RaggedTensor,
  sizeOf,
  SparseTensor,
  valueAt,
  type Column,
  type DType,
  type Int64As,
  type RowSplits,
  type Shape,
} from '../tensor';
import type { AnyDense } from './assemble-dense';
import type { AnyRagged } from './assemble-ragged';
import type { AnySparse } from './assemble-sparse';
import type { RowsValue } from './assemble';
import type { ElementValue } from './element';
import { stepsOf } from './step-counts';
import { UnpaddedSteps } from './unpadded-steps';

/** Row `row` of what a feature is in a batch, or unpadded, over the same memory. */
export type RowReader = (value: RowsValue, row: number) => ElementValue;

/** The reader of a feature. */
export function rowReader(details: FeatureDetails): RowReader {
  const { kind, dtype } = details;
  switch (kind) {
    case 'fixedLen': {
      const { shape } = details;
      if (shape.length === 0) return (value, row) => valueAt(value as Column, row);
      const size = sizeOf(shape);
      return (value, row) => {
        const data: Column = (value as AnyDense).data;
        return newDense(dtype, shape, partOf<Column>(data, row * size, (row + 1) * size));
      };
    }
    case 'varLen':
      return (value, row) => partRow(value as AnySparse, row);
    case 'fixedLenSequence': {
      const { shape } = details;
      const size = sizeOf(shape);
      return (value, row) => {
        const data = value instanceof UnpaddedSteps ? unpaddedRow(value, row) : paddedRow(value as AnyDense, size, row);
        return shape.length === 0 ? data : newDense(dtype, [data.length / size, ...shape], data);
      };
    }
    case 'sparse':
      return (value, row) => sparseRow(value as AnySparse, row);
    case 'ragged':
      return details.partitions.length === 0 ? plainRow : raggedRow;
  }
}

/** Number of rows of a feature in a batch. @throws TypeError for what is none */
export function rowsIn(name: string, details: FeatureDetails, value: unknown): number {
  const wrong = (expected: string): TypeError => invalidArgType(`batch[${JSON.stringify(name)}]`, expected, value);
  switch (details.kind) {
    case 'fixedLen':
      if (details.shape.length > 0) return denseRows(value, details.shape, 1, wrong);
      if (value instanceof BytesArray || ArrayBuffer.isView(value)) return (value as Column).length;
      throw wrong('a column');
    case 'fixedLenSequence':
      return denseRows(value, details.shape, 2, wrong);
    case 'varLen':
    case 'sparse':
      if (value instanceof SparseTensor) return (value as AnySparse).denseShape[0] ?? 0;
      throw wrong('a SparseTensor');
    case 'ragged':
      if (value instanceof RaggedTensor && value.rowSplits.length > 0) {
        return ((value as AnyRagged).rowSplits[0] as RowSplits).length - 1;
      }
      throw wrong('a RaggedTensor');
  }
}

function denseRows(value: unknown, shape: Shape, outer: number, wrong: (expected: string) => TypeError): number {
  if (!(value instanceof DenseTensor)) throw wrong('a DenseTensor');
  const { shape: found } = value as AnyDense;
  if (found.length !== outer + shape.length || shape.some((size, k) => size !== found[outer + k])) {
    throw wrong(`a DenseTensor with the dimensions [${shape.join(', ')}] at the end of its shape`);
  }
  return found[0] as number;
}

export function newDense(dtype: DType, shape: Shape, data: Column): AnyDense {
  return new DenseTensor<DType, Shape, Int64As>(dtype, shape, data);
}

function unpaddedRow({ values, splits }: UnpaddedSteps, row: number): Column {
  return partOf<Column>(values, splits[row] as number, splits[row + 1] as number);
}

/** The steps of row `row`, of `size` values each, without the padding behind them. */
export function paddedRow(tensor: AnyDense, size: number, row: number): Column {
  const width = tensor.shape[1] as number;
  const steps = stepsOf(tensor, row) ?? width;
  const begin = row * width * size;
  return partOf<Column>(tensor.data, begin, begin + steps * size);
}

/** The values of row `row` of a tensor whose entries are in the order of their rows. */
export function partRow(tensor: AnySparse, row: number): Column {
  const starts = startsOf(tensor);
  return partOf<Column>(tensor.values, starts[row] as number, starts[row + 1] as number);
}

export function plainRow(value: RowsValue, row: number): Column {
  const tensor = value as AnyRagged;
  const splits = tensor.rowSplits[0] as RowSplits;
  return partOf<Column>(tensor.values.data, Number(splits[row]), Number(splits[row + 1]));
}

export function raggedRow(value: RowsValue, row: number): AnyRagged {
  const rows = (value as AnyRagged).row(row);
  return rows instanceof RaggedTensor ? rows : new RaggedTensor<DType, Shape, Int64As>(rows, []);
}

export function sparseRow(tensor: AnySparse, row: number): AnySparse {
  const starts = startsOf(tensor);
  const [begin, end] = [starts[row] as number, starts[row + 1] as number];
  const [, ...denseShape] = tensor.denseShape;
  const rank = tensor.denseShape.length;
  const indices = new BigInt64Array((end - begin) * (rank - 1));
  for (let i = begin, to = 0; i < end; i++) {
    for (let k = 1; k < rank; k++) indices[to++] = tensor.indices[i * rank + k] as bigint;
  }
  return new SparseTensor<DType, Int64As>(tensor.dtype, {
    values: partOf<Column>(tensor.values, begin, end),
    denseShape,
    indices,
  });
}

const starts = new WeakMap<object, Int32Array>();

/** Row → entries of a sparse batch, whose entries are in the order of their rows. */
function startsOf(tensor: AnySparse): Int32Array {
  const { rowSplits } = tensor;
  if (rowSplits?.length === 1) return rowSplits[0] as Int32Array;
  let found = starts.get(tensor);
  if (found === undefined) starts.set(tensor, (found = countStarts(tensor)));
  return found;
}

function countStarts({ denseShape, indices, values }: AnySparse): Int32Array {
  const rows = denseShape[0] as number;
  const counted = new Int32Array(rows + 1);
  let row = 0;
  for (let i = 0; i < values.length; i++) {
    const next = Number(indices[i * denseShape.length]);
    if (next < row || next >= rows) {
      throw invalidArgValue('batch', 'of sparse tensors whose entries are in the order of their rows', next);
    }
    for (; row < next; row++) counted[row + 1] = i;
  }
  counted.fill(values.length, row + 1);
  return counted;
}
