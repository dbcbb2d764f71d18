/** Checks and converts coordinates of sparse tensors: of columns of records, and of callers. */
import { invalidArgType, invalidArgValue, counted } from '../../base';
import { isSparse, ownInt64s, wordsOf, type AnySparse, type DType, type Shape } from '../../tensor';
import {
  allocated,
  columnError,
  FeatureFault,
  MAX_POSITION,
  rowOf,
  type ColumnData,
  type ColumnValues,
} from '../columns';
import { quoted } from '../feature';
import type { GivenColumn } from './definition';
import { checkGivenDType } from './dense-columns';

/** Maximum number of entries in a row for which insertion sort is faster than a call of `sort`. */
const SHORT = 24;

/** The columns of coordinates, and their feature. */
interface SparseColumns {
  readonly name: string;
  readonly definition: {
    /** One key for each dimension of `size`. */
    readonly indexKeys: readonly string[];
    readonly valueKey: string;
    readonly size: Shape;
  };
  /** One column for each dimension of a record's tensor. */
  readonly indices: readonly ColumnData[];
}

/** Returns the text for errors that describes valid coordinates in `where`, a dimension of `size` or its key. */
export function coordinatesIn(where: string, size: number): string {
  return size === 0 ? `no coordinates in ${where}, for the size is 0` : `coordinates from 0 to ${size - 1} in ${where}`;
}

/** Returns the number of rows of a sparse tensor. @throws the error that `wrong` returns for other values */
export function sparseRows(value: unknown, wrong: (expected: string) => TypeError): number {
  if (!isSparse(value)) throw wrong('a SparseTensor');
  const [rows = 0] = value.denseShape;
  if (rows > MAX_POSITION) throw wrong(`a SparseTensor of at most ${MAX_POSITION} rows`);
  return rows;
}

/**
 * Returns the number of rows of a sparse tensor to encode. `size` is that of a record's tensor, undefined for lists.
 * @throws TypeError
 */
export function givenSparseRows(name: string, value: unknown, dtype: DType, size: Shape | undefined): number {
  if (!isSparse(value)) throw invalidArgType(name, 'a SparseTensor', value);
  const { dtype: found, denseShape } = value;
  checkGivenDType(name, found, dtype);
  const inner = size ?? [denseShape[1] ?? 0];
  if (denseShape.length !== 1 + inner.length || inner.some((each, k) => each !== denseShape[k + 1])) {
    const wanted = size?.join(', ') ?? 'longest row';
    throw invalidArgValue(name, `of shape [rows, ${wanted}]`, `[${denseShape.join(', ')}]`);
  }
  return denseShape[0]!;
}

/** Checks that every record has as many coordinates as values. */
export function checkLengths({ name, definition, indices }: SparseColumns, splits: Int32Array): void {
  let fault: FeatureFault | undefined;
  indices.forEach(({ splits: own }, k) => {
    const end = fault?.row ?? splits.length - 1;
    for (let row = 0; row < end; row++) {
      const wanted = splits[row + 1]! - splits[row]!;
      const found = own![row + 1]! - own![row]!;
      if (wanted === found) continue;
      const key = quoted(definition.indexKeys[k]!);
      const expected = `as many coordinates in ${key} as values in ${quoted(definition.valueKey)}: ${wanted}`;
      fault = new FeatureFault(row, name, expected, String(found));
      return;
    }
  });
  if (fault !== undefined) throw fault;
}

/** Checks that every coordinate is inside the size of its dimension. */
export function checkBounds(
  { name, definition, indices }: SparseColumns,
  coordinates: readonly Float64Array[],
  splits: Int32Array,
): void {
  let first = Infinity;
  let dimension = 0;
  coordinates.forEach((numbers, k) => {
    const size = definition.size[k]!;
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
  const size = definition.size[dimension]!;
  const key = quoted(definition.indexKeys[dimension]!);
  const expected = coordinatesIn(key, size);
  throw new FeatureFault(row, name, expected, String(indices[dimension]!.values[first]));
}

/**
 * Returns the order of the values by rows and ascending coordinates, stable for equal ones; undefined if all are in
 * order.
 */
export function sortedOrder(coordinates: readonly Float64Array[], splits: Int32Array): Int32Array | undefined {
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

/** Sorts `order[begin]` to `order[end]`, stable for equal ones. */
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

/** Returns row-major coordinates in `order`; with the row first if `rows` is given. */
export function matrixOf(
  coordinates: readonly Float64Array[],
  order: Int32Array | undefined,
  rows: Int32Array | undefined,
): BigInt64Array<ArrayBuffer> {
  const lead = rows === undefined ? 0 : 1;
  const rank = coordinates.length + lead;
  const matrix = new BigInt64Array(coordinates[0]!.length * rank);
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

/** Returns row → entries, and the coordinates as 32-bit words, the low one first. */
export function givenEntries(
  { name, value, rows }: GivenColumn<AnySparse>,
  rank: number,
  { length }: Pick<ColumnValues, 'length'>,
): { splits: Int32Array; words: Int32Array } {
  const indices = ownInt64s(`${name}.indices`, value.indices);
  if (indices.length !== length * rank) {
    throw invalidArgValue(
      `${name}.indices`,
      `${counted(rank, 'coordinate')} for each of ${counted(length, 'value')}`,
      indices.length,
    );
  }
  const words = wordsOf(indices);
  const splits = allocated(4 * (rows + 1), () => new Int32Array(rows + 1));
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

/** Checks that every coordinate is inside the size of its dimension. */
export function checkCoordinates(
  { feature, rows }: GivenColumn,
  splits: Int32Array,
  words: Int32Array,
  dimension: number,
  size: number,
): void {
  for (let row = 0; row < rows; row++) {
    for (let i = splits[row]!; i < splits[row + 1]!; i++) {
      const found = coordinateAt(words, i);
      if (found >= 0 && found < size) continue;
      throw columnError(row, feature, coordinatesIn(`dimension ${dimension}`, size), String(found));
    }
  }
}

/** Returns int64 `i` of the words; rounded beyond ±2^53. */
export function coordinateAt(words: Int32Array, i: number): number {
  return words[2 * i + 1]! * 2 ** 32 + (words[2 * i]! >>> 0);
}
