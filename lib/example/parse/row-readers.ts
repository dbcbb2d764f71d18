/** How a feature of one row is read out of a batch. */
import { invalidArgType } from '../../errors';
import type { Bytes } from '../../record';
import type { FeatureDetails } from '../spec';
import {
  BytesArray,
  checkedDense,
  DenseTensor,
  entriesOf,
  newDenseTensor,
  paddedRow,
  partOf,
  plainRow,
  raggedRow,
  RaggedTensor,
  sizeOf,
  sparseRow,
  SparseTensor,
  type AnyDense,
  type AnyRagged,
  type AnySparse,
  type Column,
  type Shape,
} from '../../tensor';
import type { RowsValue } from './assemble';
import type { ElementValue } from './element';
import { MAX_POSITION } from './too-large';
import { UnpaddedSteps } from './unpadded-steps';

/** The source of a feature's values: a column of numbers, or a function that reads the value of a row. */
export type RowSource = Exclude<Column, BytesArray> | ((row: number) => ElementValue | undefined);

/** The source of a feature's values in a batch or an unpadded column. Arrays are views into the memory of `value`. */
export function rowSource(details: FeatureDetails, value: RowsValue): RowSource {
  const { kind, dtype } = details;
  switch (kind) {
    case 'fixedLen': {
      const { shape } = details;
      if (shape.length === 0) return value instanceof BytesArray ? bytesAt(value) : (value as RowSource);
      const size = sizeOf(shape);
      const { data } = value as AnyDense;
      const part = partsOf(data);
      return (row) => newDenseTensor(dtype, shape, part(row * size, (row + 1) * size));
    }
    case 'varLen':
      return partsAt(value as AnySparse);
    case 'fixedLenSequence': {
      const { shape } = details;
      const size = sizeOf(shape);
      return (row) => {
        const data = value instanceof UnpaddedSteps ? unpaddedRow(value, row) : paddedRow(value as AnyDense, size, row);
        return shape.length === 0 ? data : checkedDense(dtype, [data.length / size, ...shape], data);
      };
    }
    case 'sparse':
      return (row) => sparseRow(value as AnySparse, row);
    case 'ragged': {
      const read = details.partitions.length === 0 ? plainRow : raggedRow;
      return (row) => read(value as AnyRagged, row);
    }
  }
}

/** Reads values of a column of bytes as `BytesArray.at` does, with fewer calls. */
function bytesAt(column: BytesArray): (row: number) => Bytes | undefined {
  const { data, offsets } = column;
  return (row) => {
    const begin = offsets[row]!;
    const end = offsets[row + 1]!;
    // Offsets can be overwritten, and memory can be transferred.
    if (!(begin >= 0 && begin <= end && end <= data.length) || data.length === 0) return column.at(row);
    return new Uint8Array(data.buffer, data.byteOffset + begin, end - begin);
  };
}

/** Does the same as `partOf` for many parts of one column, with fewer calls. */
function partsOf(column: Column): (begin: number, end: number) => Column {
  if (column instanceof BytesArray) return (begin, end) => column.subarray(begin, end);
  const { buffer, byteOffset, BYTES_PER_ELEMENT: size } = column;
  const of: NumbersClass =
    column instanceof Float32Array ? Float32Array : column instanceof BigInt64Array ? BigInt64Array : Float64Array;
  return (begin, end) => {
    // Splits can be overwritten, and memory can be transferred.
    if (!(begin >= 0 && begin <= end && end <= column.length)) return column.subarray(begin, end);
    return new of(buffer, byteOffset + begin * size, end - begin);
  };
}

type NumbersClass = new (buffer: ArrayBuffer, byteOffset: number, length: number) => Exclude<Column, BytesArray>;

/** Reads the values of a row of a tensor whose entries are in row order. */
function partsAt(tensor: AnySparse): (row: number) => Column {
  const part = partsOf(tensor.values);
  const { rowSplits } = tensor;
  if (rowSplits?.length !== 1) return (row) => part(...entriesOf(tensor, row));
  const [splits] = rowSplits as readonly [Int32Array];
  return (row) => part(splits[row]!, splits[row + 1]!);
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
      if (value instanceof SparseTensor) return sparseRows(value as AnySparse, wrong);
      throw wrong('a SparseTensor');
    case 'ragged':
      if (value instanceof RaggedTensor && value.rowSplits.length > 0) {
        return (value as AnyRagged).rowSplits[0]!.length - 1;
      }
      throw wrong('a RaggedTensor');
  }
}

function sparseRows({ denseShape: [rows = 0] }: AnySparse, wrong: (expected: string) => TypeError): number {
  if (rows > MAX_POSITION) throw wrong(`a SparseTensor of at most ${MAX_POSITION} rows`);
  return rows;
}

function denseRows(value: unknown, shape: Shape, outer: number, wrong: (expected: string) => TypeError): number {
  if (!(value instanceof DenseTensor)) throw wrong('a DenseTensor');
  const { shape: found } = value as AnyDense;
  if (found.length !== outer + shape.length || shape.some((size, k) => size !== found[outer + k])) {
    throw wrong(`a DenseTensor with the dimensions [${shape.join(', ')}] at the end of its shape`);
  }
  return found[0]!;
}

function unpaddedRow({ values, splits }: UnpaddedSteps, row: number): Column {
  return partOf<Column>(values, splits[row]!, splits[row + 1]!);
}
