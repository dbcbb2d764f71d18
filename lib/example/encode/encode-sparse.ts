/** Sparse tensors, taken apart into values and coordinates, row by row. */
import { invalidArgValue } from '../../errors';
import { coordinatesIn, type SparseDetails, type VarLenDetails } from '../spec';
import { ownInt64s, wordsOf, type DType, type SparseTensor } from '../../tensor';
import { columnOf, numbers, splitRows, splitsOf, valuesOf, type ColumnValues, type Values } from './column-values';
import { allocated, columnError } from './encode-faults';
import type { GivenColumn } from './feature-columns';

/** The values of each row, which lie side by side from column 0 on. */
export function encodeVarLen(given: GivenColumn, details: VarLenDetails): ColumnValues {
  const { name, feature, rows } = given;
  const tensor = given.value as SparseTensor<DType>;
  const values = valuesOf(`${name}.values`, feature, details.dtype, tensor.values);
  const { rowSplits } = tensor;
  if (rowSplits !== undefined) {
    const splits = splitsOf(`${name}.rowSplits[0]`, rowSplits[0], values.length);
    if (splits.length - 1 !== rows)
      throw invalidArgValue(name, `of ${rows} rows, as its shape says`, splits.length - 1);
    return columnOf(values, splitRows(splits));
  }
  const { splits, words } = entriesOf(given, 2, values);
  for (let row = 0; row < rows; row++) {
    const start = splits[row]!;
    for (let i = start; i < splits[row + 1]!; i++) {
      if (words[4 * i + 2] === i - start && words[4 * i + 3] === 0) continue;
      const found = String(coordinate(words, 2 * i + 1));
      throw columnError(row, feature, `value ${i - start} at column ${i - start}, for a list has no gaps`, found);
    }
  }
  return columnOf(values, splitRows(splits));
}

/** The values, then the coordinates in each dimension of a record's tensor. */
export function encodeSparse(given: GivenColumn, details: SparseDetails): readonly ColumnValues[] {
  const { name, feature } = given;
  const { size, indexKeys } = details;
  const values = valuesOf(`${name}.values`, feature, details.dtype, (given.value as SparseTensor<DType>).values);
  const rank = 1 + size.length;
  const { splits, words } = entriesOf(given, rank, values);
  const ranges = splitRows(splits);
  return [
    columnOf(values, ranges),
    ...indexKeys.map((_, k): ColumnValues => {
      const coordinates = allocated(() => new BigInt64Array(values.length));
      const to = wordsOf(coordinates);
      for (let i = 0, from = 2 * (k + 1); i < values.length; i++, from += 2 * rank) {
        to[2 * i] = words[from]!;
        to[2 * i + 1] = words[from + 1]!;
      }
      checkCoordinates(given, splits, to, k, size[k]!);
      return columnOf(numbers(coordinates), ranges);
    }),
  ];
}

/** Row → entries, and the coordinates as 32-bit words, the low one first. */
function entriesOf(
  { name, value, rows }: GivenColumn,
  rank: number,
  { length }: Values,
): { splits: Int32Array; words: Int32Array } {
  const indices = ownInt64s(`${name}.indices`, (value as SparseTensor<DType>).indices);
  if (indices.length !== length * rank) {
    throw invalidArgValue(`${name}.indices`, `${rank} coordinates for each of ${length} values`, indices.length);
  }
  const words = wordsOf(indices);
  const splits = allocated(() => new Int32Array(rows + 1));
  let row = 0;
  for (let i = 0; i < length; i++) {
    const at = 2 * i * rank;
    const next = words[at]!;
    if (words[at + 1] !== 0 || next < row || next >= rows) {
      throw invalidArgValue(
        `${name}.indices`,
        `in the order of the rows, of which there are ${rows}`,
        indices[i * rank],
      );
    }
    for (; row < next; row++) splits[row + 1] = i;
  }
  splits.fill(length, row + 1);
  return { splits, words };
}

/** Every coordinate lies in the size of its dimension. */
function checkCoordinates(
  { feature, rows }: GivenColumn,
  splits: Int32Array,
  words: Int32Array,
  dimension: number,
  size: number,
): void {
  for (let row = 0; row < rows; row++) {
    for (let i = splits[row]!; i < splits[row + 1]!; i++) {
      const found = coordinate(words, i);
      if (found >= 0 && found < size) continue;
      throw columnError(row, feature, coordinatesIn(`dimension ${dimension}`, size), String(found));
    }
  }
}

/** Int64 `i` of the words; beyond ±2^53 not exact, but of the right sign and size. */
function coordinate(words: Int32Array, i: number): number {
  return words[2 * i + 1]! * 2 ** 32 + (words[2 * i]! >>> 0);
}
