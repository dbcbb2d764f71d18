/** Sparse features: values of one column, their coordinates in others, record by record. */
import { coordinatesIn, quoted, type SparseDetails } from '../spec';
import { gather, SparseTensor, wordsOf, type AnySparse, type Column, type DType, type Int64As } from '../../tensor';
import { numbersOf } from './column-numbers';
import { valuesOf, type ColumnData } from './columns';
import { FeatureFault } from './feature-fault';

/** Entries of a row up to which insertion sorts faster than a call of `sort`. */
const SHORT = 24;

interface SparseColumns {
  readonly name: string;
  readonly details: SparseDetails;
  readonly values: ColumnData;
  /** One a dimension of the record's tensor. */
  readonly indices: readonly ColumnData[];
}

/** `[rows] + size`: the first coordinate is the record. */
export function batchSparse(columns: SparseColumns, rows: number): AnySparse {
  return composeSparse(columns, rows, true);
}

/** `size`, of the one record that there is. */
export function elementSparse(columns: SparseColumns): AnySparse {
  return composeSparse(columns, 1, false);
}

function composeSparse(columns: SparseColumns, rows: number, batch: boolean): AnySparse {
  const { details, values } = columns;
  const splits = values.splits as Int32Array;
  checkLengths(columns, splits);
  const coordinates = columns.indices.map(numbersOf);
  checkBounds(columns, coordinates, splits);
  const order = details.alreadySorted ? undefined : sortedOrder(coordinates, splits);
  const column = valuesOf(values);
  return new SparseTensor<DType, Int64As>(details.dtype, {
    values: order === undefined ? column : gather<Column>(column, order, 0),
    denseShape: batch ? [rows, ...details.size] : details.size,
    indices: matrixOf(coordinates, order, batch ? splits : undefined),
  });
}

/** In every record there are as many coordinates as values. */
function checkLengths({ name, details, indices }: SparseColumns, splits: Int32Array): void {
  let fault: FeatureFault | undefined;
  indices.forEach(({ splits: own }, k) => {
    const end = fault?.row ?? splits.length - 1;
    for (let row = 0; row < end; row++) {
      const wanted = splits[row + 1]! - splits[row]!;
      const found = (own as Int32Array)[row + 1]! - (own as Int32Array)[row]!;
      if (wanted === found) continue;
      const key = quoted(details.indexKeys[k]!);
      const expected = `as many coordinates in ${key} as values in ${quoted(details.valueKey)}: ${wanted}`;
      fault = new FeatureFault(row, name, expected, String(found));
      return;
    }
  });
  if (fault !== undefined) throw fault;
}

/** Every coordinate lies inside the size of its dimension. */
function checkBounds(
  { name, details, indices }: SparseColumns,
  coordinates: readonly Float64Array[],
  splits: Int32Array,
): void {
  let first = Infinity;
  let dimension = 0;
  coordinates.forEach((numbers, k) => {
    const size = details.size[k]!;
    const end = Math.min(first, numbers.length);
    for (let i = 0; i < end; i++) {
      const coordinate = numbers[i]!;
      if (coordinate >= 0 && coordinate < size) continue;
      first = i;
      dimension = k;
      return;
    }
  });
  if (first === Infinity) return;
  const row = rowOf(splits, first);
  const size = details.size[dimension]!;
  const key = quoted(details.indexKeys[dimension]!);
  const expected = coordinatesIn(key, size);
  throw new FeatureFault(row, name, expected, String(indices[dimension]!.values[first]));
}

/** The row in which value `position` lies. */
export function rowOf(splits: Int32Array, position: number): number {
  let [low, high] = [0, splits.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (splits[middle]! <= position) low = middle;
    else high = middle;
  }
  return low;
}

/** The values of each row by ascending coordinates, equal ones as they came; undefined when they are all in order. */
function sortedOrder(coordinates: readonly Float64Array[], splits: Int32Array): Int32Array | undefined {
  const compare = (a: number, b: number): number => {
    for (const numbers of coordinates) {
      const difference = numbers[a]! - numbers[b]!;
      if (difference !== 0) return difference;
    }
    return 0;
  };
  let order: Int32Array | undefined;
  for (let row = 1; row < splits.length; row++) {
    const end = splits[row]!;
    for (let i = splits[row - 1]! + 1; i < end; i++) {
      if (compare(i - 1, i) <= 0) continue;
      order ??= Int32Array.from({ length: splits[splits.length - 1]! }, (_, position) => position);
      sortRange(order, splits[row - 1]!, end, compare);
      break;
    }
  }
  return order;
}

/** Sorts `order[begin]` to `order[end]`; equal ones stay in their order. */
function sortRange(order: Int32Array, begin: number, end: number, compare: (a: number, b: number) => number): void {
  if (end - begin > SHORT) {
    order.subarray(begin, end).sort(compare);
    return;
  }
  for (let i = begin + 1; i < end; i++) {
    const entry = order[i]!;
    let to = i;
    for (; to > begin && compare(order[to - 1]!, entry) > 0; to--) order[to] = order[to - 1]!;
    order[to] = entry;
  }
}

/** Row-major coordinates in `order`; those of `rows` first where they are given. */
function matrixOf(
  coordinates: readonly Float64Array[],
  order: Int32Array | undefined,
  rows: Int32Array | undefined,
): BigInt64Array<ArrayBuffer> {
  const [first] = coordinates as readonly [Float64Array, ...Float64Array[]];
  const lead = rows === undefined ? 0 : 1;
  const rank = coordinates.length + lead;
  const matrix = new BigInt64Array(first.length * rank);
  const words = wordsOf(matrix);
  coordinates.forEach((numbers, k) => {
    for (let i = 0, at = 2 * (k + lead); i < numbers.length; i++, at += 2 * rank) {
      const coordinate = numbers[order === undefined ? i : order[i]!]!;
      words[at] = coordinate;
      words[at + 1] = Math.floor(coordinate / 2 ** 32);
    }
  });
  if (rows !== undefined) {
    for (let row = 1; row < rows.length; row++) {
      const end = rows[row]!;
      for (let i = rows[row - 1]!; i < end; i++) words[2 * rank * i] = row - 1;
    }
  }
  return matrix;
}
