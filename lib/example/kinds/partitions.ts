/**
 * Partitions: an int64 feature of a record divides values into rows. Parsing checks the feature for each unit (record
 * or step) separately; encoding computes it.
 */
import { valuesOrRows, wordsOf } from '../../tensor';
import { allocated, columnError, columnOf, MAX_POSITION, numbers, splitRows, type ColumnValues } from '../columns';
import { rowError } from '../feature';

/** A way to divide values, or the rows of the next partition, into rows. */
export type Partition =
  | {
      /**
       * The form of the feature at `key`, by example of the rows `[a][][b c d]`: `rowSplits` 0 1 1 4, `rowLengths` 1 0
       * 3, `rowStarts` 0 1 1, `rowLimits` 1 1 4, `valueRowIds` 0 2 2 2.
       */
      readonly by: 'rowSplits' | 'rowLengths' | 'rowStarts' | 'rowLimits' | 'valueRowIds';
      /** Name of an int64 feature. */
      readonly key: string;
    }
  | {
      /** Rows of one length; they need no feature. */
      readonly by: 'uniformRowLength';
      /** Length of every row, 1 or more. */
      readonly length: number;
    };

/** The forms of partitions that a feature of the record contains. */
export const KEYED_PARTITIONS = ['rowSplits', 'rowLengths', 'rowStarts', 'rowLimits', 'valueRowIds'] as const;

/** The form of a partition that a feature of the record contains. */
type KeyedPartition = (typeof KEYED_PARTITIONS)[number];

/** Maximum number of empty rows by row ids, in one record and in a batch: a few bytes must not require all memory. */
export const MAX_EMPTY_ROWS = 2 ** 26;

/** The reason why the partition of a unit is invalid. */
export interface PartitionFault {
  readonly unit: number;
  readonly expected: string;
  readonly found: string;
}

/** The result if no unit is invalid, but together they leave more than {@link MAX_EMPTY_ROWS} rows empty. */
interface TooManyEmptyRows {
  readonly empty: number;
}

/**
 * A partition and the level that it divides: unit → rows of the level below (or values), and unit → values of the
 * partition.
 */
interface Cut {
  readonly by: Partition['by'];
  /** The length of rows, for a uniform partition. */
  readonly length: number;
  /** Unit → rows or values to divide. */
  readonly bounds: Int32Array;
  readonly values: Float64Array;
  /** Unit → values of the partition. */
  readonly splits: Int32Array;
  /** Record → units; undefined if each unit is a record. */
  readonly records: Int32Array | undefined;
}

/** The rows that a partition makes: their `splits` over the level below, and unit → rows. */
interface CutRows {
  readonly splits: Int32Array<ArrayBuffer>;
  readonly bounds: Int32Array<ArrayBuffer>;
}

/** Returns the rows of `cut`, or the first invalid unit. */
export function cutRows(cut: Cut): CutRows | PartitionFault | TooManyEmptyRows {
  const bounds = countRows(cut);
  if (!(bounds instanceof Int32Array)) return bounds;
  const units = bounds.length - 1;
  const splits = new Int32Array(bounds[units]! + 1);
  for (let unit = 0; unit < units; unit++) {
    const first = cut.bounds[unit]!;
    const size = cut.bounds[unit + 1]! - first;
    const fault = fillEnds(cut, unit, size, splits, bounds[unit]!, bounds[unit + 1]!);
    if (fault !== undefined) return { unit, ...fault };
    for (let row = bounds[unit]! + 1; row <= bounds[unit + 1]!; row++) {
      splits[row] = splits[row]! + first;
    }
  }
  return { splits, bounds };
}

/** Returns unit → rows, as determined by the length of the partition. */
function countRows(cut: Cut): Int32Array<ArrayBuffer> | PartitionFault | TooManyEmptyRows {
  const { by, length, bounds, values, splits, records } = cut;
  const counted = new Int32Array(bounds.length);
  let empty = 0;
  // Empty rows of the current record, and the first unit of the next record.
  let ofRecord = 0;
  let record = 0;
  let next = 0;
  for (let unit = 0; unit + 1 < bounds.length; unit++) {
    const size = bounds[unit + 1]! - bounds[unit]!;
    const end = splits[unit + 1]!;
    const count = end - splits[unit]!;
    let rows = count;
    if (by === 'rowSplits') rows = Math.max(0, count - 1);
    else if (by === 'uniformRowLength') rows = Math.floor(size / length);
    else if (by === 'valueRowIds') {
      rows = count === 0 ? 0 : values[end - 1]! + 1;
      if (unit >= next) {
        ofRecord = 0;
        do next = records === undefined ? unit + 1 : records[++record]!;
        while (unit >= next);
      }
      if (rows > count) {
        ofRecord += rows - count;
        empty += rows - count;
      }
      if (ofRecord > MAX_EMPTY_ROWS || rows > MAX_POSITION) {
        return { unit, expected: `row ids that leave at most ${MAX_EMPTY_ROWS} rows empty`, found: String(rows - 1) };
      }
    }
    counted[unit + 1] = counted[unit]! + Math.max(0, rows);
  }
  return empty > MAX_EMPTY_ROWS ? { empty } : counted;
}

type Wrong = Omit<PartitionFault, 'unit'> | undefined;

/** Writes the end of each row, counted from 0 in its unit of `size` values, to `splits[begin + 1]` to `splits[end]`. */
function fillEnds(cut: Cut, unit: number, size: number, splits: Int32Array, begin: number, end: number): Wrong {
  const { by, length, values } = cut;
  const from = cut.splits[unit]!;
  const count = cut.splits[unit + 1]! - from;
  switch (by) {
    case 'uniformRowLength':
      if (size % length !== 0) return { expected: `a multiple of ${length} values or rows`, found: String(size) };
      for (let row = begin + 1; row <= end; row++) splits[row] = (row - begin) * length;
      return undefined;
    case 'rowSplits':
      if (count > 0 && values[from] !== 0) return { expected: 'splits that start with 0', found: String(values[from]) };
      return copyEnds(values, from + 1, size, splits, begin, end, true);
    case 'rowLimits':
      return copyEnds(values, from, size, splits, begin, end, true);
    case 'rowStarts': {
      if (count > 0 && values[from] !== 0) return { expected: 'starts that begin with 0', found: String(values[from]) };
      const wrong = copyEnds(values, from + 1, size, splits, begin, Math.max(begin, end - 1), false);
      if (wrong === undefined && end > begin) splits[end] = size;
      return wrong ?? (end === begin ? unreached(0, size) : undefined);
    }
    case 'rowLengths':
      return addLengths(values, from, size, splits, begin, end);
    case 'valueRowIds':
      return countIds(values, from, count, size, splits, begin, end);
  }
}

function copyEnds(
  values: Float64Array,
  from: number,
  size: number,
  splits: Int32Array,
  begin: number,
  end: number,
  whole: boolean,
): Wrong {
  let last = 0;
  for (let row = begin + 1, i = from; row <= end; row++, i++) {
    const limit = values[i]!;
    if (!(limit >= last)) return { expected: `an ascending list from 0 to ${size}`, found: `${limit} after ${last}` };
    if (limit > size)
      return {
        expected: `rows of ${valuesOrRows(size)}`,
        found: `a row that ends at ${limit}`,
      };
    last = splits[row] = limit;
  }
  return whole ? unreached(last, size) : undefined;
}

function addLengths(
  values: Float64Array,
  from: number,
  size: number,
  splits: Int32Array,
  begin: number,
  end: number,
): Wrong {
  let last = 0;
  for (let row = begin + 1, i = from; row <= end; row++, i++) {
    const length = values[i]!;
    if (!(length >= 0)) return { expected: 'lengths from 0 on', found: String(length) };
    last += length;
    if (last > size)
      return {
        expected: `lengths of ${valuesOrRows(size)} together`,
        found: `${last} or more`,
      };
    splits[row] = last;
  }
  return unreached(last, size);
}

function countIds(
  values: Float64Array,
  from: number,
  count: number,
  size: number,
  splits: Int32Array,
  begin: number,
  end: number,
): Wrong {
  if (count !== size)
    return {
      expected: `a row id for each of ${valuesOrRows(size)}`,
      found: `${count} row ids`,
    };
  // The last id determined the number of rows. So all ids are checked before rows are filled: a larger id before it
  // would be out of bounds.
  let last = 0;
  for (let i = 0; i < count; i++) {
    const id = values[from + i]!;
    if (!(id >= last)) return { expected: 'row ids that ascend from 0 on', found: `${id} after ${last}` };
    last = id;
  }
  let row = 0;
  for (let i = 0; i < count; i++) {
    for (const id = values[from + i]!; row < id; row++) splits[begin + row + 1] = i;
  }
  if (end > begin) splits[end] = size;
  return undefined;
}

/** Returns the fault if there are values after the last row, which would be lost. */
function unreached(last: number, size: number): Wrong {
  return last === size
    ? undefined
    : {
        expected: `rows of ${valuesOrRows(size)} together`,
        found: String(last),
      };
}

/** A partition of all rows. */
export interface Level {
  readonly feature: string;
  /** Row → rows of the partition. */
  readonly bounds: Int32Array;
  /** Row of the partition → rows or values below. */
  readonly splits: Int32Array;
}

/** Returns row → rows or values that the partition divides. */
export function below({ bounds, splits }: Level): Int32Array {
  return bounds.map((row) => splits[row]!);
}

export function checkUniform({ feature, bounds, splits }: Level, length: number): void {
  for (let row = 0; row + 1 < bounds.length; row++) {
    for (let i = bounds[row]!; i < bounds[row + 1]!; i++) {
      const found = splits[i + 1]! - splits[i]!;
      if (found !== length) throw columnError(row, feature, `rows of ${length}`, `a row of ${found}`);
    }
  }
}

/** Returns the values of the feature of a partition. */
export function encodePartition(level: Level, by: KeyedPartition): ColumnValues {
  const { bounds, splits } = level;
  if (by === 'valueRowIds') return encodeRowIds(level);
  // In every row of the batch, there is one more split than rows.
  const more = by === 'rowSplits' ? 1 : 0;
  const rows = bounds.length - 1;
  const ranges = splitRows(more === 0 ? bounds : bounds.map((bound, row) => bound + row));
  const column = newColumn(splits.length - 1 + more * rows);
  for (let row = 0, to = 0; row < rows; row++) {
    const end = bounds[row + 1]!;
    const first = splits[bounds[row]!]!;
    // The first split is 0, like fresh memory.
    to += 2 * more;
    for (let i = bounds[row]!; i < end; i++, to += 2) {
      const from = splits[i]!;
      const limit = splits[i + 1]!;
      column.words[to] = by === 'rowLengths' ? limit - from : by === 'rowStarts' ? from - first : limit - first;
    }
  }
  return columnOf(numbers(column.values), ranges);
}

function encodeRowIds(level: Level): ColumnValues {
  const { feature, bounds, splits } = level;
  const ends = below(level);
  const column = newColumn(ends[ends.length - 1]!);
  for (let row = 0; row + 1 < bounds.length; row++) {
    const begin = bounds[row]!;
    const end = bounds[row + 1]!;
    if (end > begin && splits[end] === splits[end - 1]) {
      throw columnError(row, feature, 'a last row with values: valueRowIds cannot say an empty one', 'none');
    }
    for (let i = begin; i < end; i++) {
      for (let unit = splits[i]!; unit < splits[i + 1]!; unit++) column.words[2 * unit] = i - begin;
    }
  }
  return columnOf(numbers(column.values), splitRows(ends));
}

/** Returns int64 zeros, and their words, low words first. */
function newColumn(length: number): { values: BigInt64Array; words: Int32Array } {
  const values = allocated(8 * length, () => new BigInt64Array(length));
  return { values, words: wordsOf(values) };
}

/**
 * Returns the values of the partition's feature for rows of `lengths`. @throws TFRecordError TFR_FEATURE if the form
 * cannot represent them
 */
export function rowsBy(name: string, by: KeyedPartition, lengths: readonly number[]): number[] {
  if (by === 'rowLengths') return [...lengths];
  if (by === 'valueRowIds') {
    if (lengths.at(-1) === 0) throw rowError(name, 'a last row with values: valueRowIds cannot say an empty one');
    return lengths.flatMap((length, row) => Array<number>(length).fill(row));
  }
  const splits = [0];
  for (const length of lengths) splits.push(splits.at(-1)! + length);
  return by === 'rowSplits' ? splits : by === 'rowStarts' ? splits.slice(0, -1) : splits.slice(1);
}

/** @throws TFRecordError TFR_FEATURE unless all rows have `length` */
export function checkUniformRows(name: string, lengths: readonly number[], length: number): void {
  const other = lengths.find((each) => each !== length);
  if (other !== undefined) throw rowError(name, `rows of ${length}`, `a row of ${other}`);
}
