/** Features that are dense in a batch: as they are parsed, or padded to the longest record. */
import type { FixedLenDetails, FixedLenSequenceDetails } from '../spec';
import {
  BytesArray,
  DenseTensor,
  newBytesArray,
  noteSteps,
  sizeOf,
  zeroOf,
  type AnyDense,
  type Column,
  type DType,
  type Int64As,
  type Scalar,
  type Shape,
} from '../../tensor';
import { valuesOf, type ColumnData, type Piece } from './columns';
import { FeatureFault } from './feature-fault';
import { longestOf, padNumbers, type Rows } from './row-loops';
import { allocate } from './too-large';
import type { TransientMemory } from './transient-memory';
import { UnpaddedSteps } from './unpadded-steps';

/** `[rows] + shape`; a column for scalars. */
export function batchFixedLen({ dtype, shape }: FixedLenDetails, data: ColumnData, rows: number): Column | AnyDense {
  const values = valuesOf(data);
  return shape.length === 0 ? values : new DenseTensor<DType, Shape, Int64As>(dtype, [rows, ...shape], values);
}

/** `[rows, most steps] + shape`, of a feature whose values are cut into steps, or of a list of steps. */
export function batchSequence(
  name: string,
  details: FixedLenSequenceDetails,
  data: ColumnData,
  { rows, memory }: Piece,
): AnyDense {
  const { dtype, shape } = details;
  const size = sizeOf(shape);
  const splits = data.steps ?? data.splits!;
  // Values, or steps of so many values, that lie between two splits.
  const unit = data.steps === undefined ? 1 : size;
  if (unit === 1) checkSteps(name, splits, size);
  const longest = longestOf(splits);
  const width = longest * unit;
  const column = valuesOf(data);
  const padding = details.default ?? zeroOf(dtype);
  const padded = allocate(name, rows, rows * width, 'values', () =>
    padRows(name, column, { splits, unit, rows, width }, toKind(column, padding), memory),
  );
  const tensor = new DenseTensor<DType, Shape, Int64As>(dtype, [rows, width / size, ...shape], padded);
  noteSteps(tensor, splits, size / unit);
  return tensor;
}

/** The same of Examples, for rows: nothing is padded. */
export function unpaddedSequence(name: string, { shape }: FixedLenSequenceDetails, data: ColumnData): UnpaddedSteps {
  const splits = data.splits!;
  checkSteps(name, splits, sizeOf(shape));
  return new UnpaddedSteps(valuesOf(data), splits);
}

/** The steps of the one record of `data`: `[steps] + shape`; a column for scalars. */
export function elementSequence(name: string, details: FixedLenSequenceDetails, data: ColumnData): Column | AnyDense {
  const { dtype, shape } = details;
  const size = sizeOf(shape);
  if (data.splits !== undefined) checkSteps(name, data.splits, size);
  const values = valuesOf(data);
  if (shape.length === 0) return values;
  return new DenseTensor<DType, Shape, Int64As>(dtype, [values.length / size, ...shape], values);
}

/** Every record has a whole number of steps of `size` values. */
function checkSteps(name: string, splits: Int32Array, size: number): void {
  if (size === 1) return;
  for (let row = 1; row < splits.length; row++) {
    const found = splits[row]! - splits[row - 1]!;
    if (found % size === 0) continue;
    throw new FeatureFault(row - 1, name, `a multiple of ${size} values, the size of a step`, String(found));
  }
}

/** int64 as a column of numbers has it. */
function toKind(column: Column, value: Scalar): Scalar {
  return column instanceof Float64Array ? Number(value) : value;
}

/** The rows, one behind the other, each filled up to `width` values. */
function padRows(
  name: string,
  column: Column,
  layout: Rows,
  padding: Scalar,
  memory: TransientMemory | undefined,
): Column {
  if (column.length === layout.rows * layout.width) return column;
  if (column instanceof BytesArray) return padBytes(name, column, layout, padding as Uint8Array);
  return padNumbers(column, layout, padding, memory);
}

function padBytes(name: string, column: BytesArray, layout: Rows, padding: Uint8Array): BytesArray {
  const { splits, unit, rows, width } = layout;
  const { data, offsets } = column;
  const size = data.length + padding.length * (rows * width - column.length);
  const padded = allocate(name, rows, size, 'bytes', () => (padding.length === 0 ? data : new Uint8Array(size)));
  const places = new Int32Array(rows * width + 1);
  let [at, place] = [0, 0];
  for (let row = 0; row < rows; row++) {
    const begin = splits[row]! * unit;
    const end = splits[row + 1]! * unit;
    const first = offsets[begin]!;
    if (padded !== data) padded.set(data.subarray(first, offsets[end]), at);
    for (let i = begin + 1; i <= end; i++) places[++place] = at + offsets[i]! - first;
    at = places[place]!;
    for (let i = end - begin; i < width; i++) {
      if (padding.length > 0) padded.set(padding, at);
      at += padding.length;
      places[++place] = at;
    }
  }
  return newBytesArray(padded, places);
}
