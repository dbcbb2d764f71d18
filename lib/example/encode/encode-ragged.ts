/** Ragged tensors, taken apart into values and partitions, which count from 0 in every row. */
import { invalidArgValue } from '../../errors';
import type { Partition, RaggedDetails } from '../spec';
import { sizeOf, wordsOf, type DType, type RaggedTensor } from '../../tensor';
import { columnOf, numbers, splitRows, splitsOf, valuesOf, type ColumnValues } from './column-values';
import { allocated, columnError } from './encode-faults';
import type { GivenColumn } from './feature-columns';

/** The values, then the partitions that have a key, the outermost first. */
export function encodeRagged(given: GivenColumn, details: RaggedDetails): readonly ColumnValues[] {
  const { name, feature, rows } = given;
  const { values: dense, rowSplits } = given.value as RaggedTensor<DType>;
  const { partitions } = details;
  // Innermost uniform partitions are dimensions of the values.
  const cut = partitions.findLastIndex(({ by }) => by !== 'uniformRowLength') + 1;
  const inner = partitions.slice(cut).map((partition) => (partition as { length: number }).length);
  const [units, ...sizes] = dense.shape;
  if (rowSplits.length !== 1 + cut || sizes.join() !== inner.join()) {
    const wanted = `of ${1 + cut} rowSplits over values of shape [${['any', ...inner].join(', ')}]`;
    throw invalidArgValue(name, wanted, `${rowSplits.length} over [${dense.shape.join(', ')}]`);
  }
  const values = valuesOf(`${name}.values`, feature, details.dtype, dense.data);
  const size = sizeOf(inner);
  if (values.length !== units! * size) {
    throw invalidArgValue(`${name}.values`, `of ${units! * size} values`, values.length);
  }
  // The innermost first: each says how many rows the one before it makes.
  let total = units!;
  const levels = rowSplits
    .map((splits, k) => ({ splits, where: `${name}.rowSplits[${k}]` }))
    .reverse()
    .map(({ splits, where }) => {
      const level = splitsOf(where, splits, total);
      total = level.length - 1;
      return level;
    })
    .reverse();
  let bounds = levels[0] as Int32Array;
  if (bounds.length - 1 !== rows) throw invalidArgValue(`${name}.rowSplits[0]`, `of ${rows} rows`, bounds.length - 1);
  const written: ColumnValues[] = [];
  for (const [k, partition] of partitions.slice(0, cut).entries()) {
    const level = { feature, bounds, splits: levels[k + 1] as Int32Array };
    if (partition.by === 'uniformRowLength') checkUniform(level, partition.length);
    else written.push(encodePartition(level, partition.by));
    bounds = below(level);
  }
  return [columnOf(values, splitRows(size === 1 ? bounds : bounds.map((unit) => unit * size))), ...written];
}

/** A partition of all rows. */
interface Level {
  readonly feature: string;
  /** Row → rows of the partition. */
  readonly bounds: Int32Array;
  /** Row of the partition → what it cuts. */
  readonly splits: Int32Array;
}

/** Row → what the partition cuts. */
function below({ bounds, splits }: Level): Int32Array {
  return bounds.map((row) => splits[row]!);
}

function checkUniform({ feature, bounds, splits }: Level, length: number): void {
  for (let row = 0; row + 1 < bounds.length; row++) {
    for (let i = bounds[row]!; i < bounds[row + 1]!; i++) {
      const found = splits[i + 1]! - splits[i]!;
      if (found !== length) throw columnError(row, feature, `rows of ${length}`, `a row of ${found}`);
    }
  }
}

/** What the partition's feature holds. */
function encodePartition(level: Level, by: Exclude<Partition['by'], 'uniformRowLength'>): ColumnValues {
  const { bounds, splits } = level;
  if (by === 'valueRowIds') return encodeRowIds(level);
  // Splits have one more than rows, in every row of the batch.
  const more = by === 'rowSplits' ? 1 : 0;
  const rows = bounds.length - 1;
  const ranges = splitRows(more === 0 ? bounds : bounds.map((bound, row) => bound + row));
  const column = newColumn(splits.length - 1 + more * rows);
  for (let row = 0, to = 0; row < rows; row++) {
    const end = bounds[row + 1]!;
    const first = splits[bounds[row]!]!;
    // The first split is 0, as it was when the memory was made.
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

/** int64 zeros, and their words, of which the low ones come first. */
function newColumn(length: number): { values: BigInt64Array; words: Int32Array } {
  const values = allocated(() => new BigInt64Array(length));
  return { values, words: wordsOf(values) };
}
