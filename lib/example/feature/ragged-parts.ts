import { invalidArgType, TFRecordError } from '../../errors';
import { quoted, type Partition } from '../spec';
import { DenseTensor, RaggedTensor } from '../tensor';

/** What is written of a ragged feature. */
export interface RaggedParts {
  readonly values: unknown;
  /** By key, what the partition's feature holds. */
  readonly partitions: readonly (readonly [key: string, rows: readonly number[]])[];
}

/**
 * Takes nested lists apart by `partitions`, the outermost first.
 * @throws TypeError where a row is no list, TFRecordError TFR_FEATURE where a partition cannot say what the rows are.
 */
export function raggedParts(name: string, partitions: readonly Partition[], value: unknown): RaggedParts {
  const isTensor = value instanceof RaggedTensor || value instanceof DenseTensor;
  let rows: unknown = isTensor ? value.toArray() : value;
  const written: [string, readonly number[]][] = [];
  for (const partition of partitions) {
    if (!Array.isArray(rows)) throw invalidArgType(`row.${name}`, 'nested lists, one level a partition', rows);
    const lengths = rows.map((row: unknown) => lengthOf(name, row));
    if (partition.by === 'uniformRowLength') checkUniform(name, lengths, partition.length);
    else written.push([partition.key, rowsBy(name, partition.by, lengths)]);
    rows = rows.flatMap((row: Iterable<unknown>) => [...row]);
  }
  return { values: rows, partitions: written };
}

function lengthOf(name: string, row: unknown): number {
  if (Array.isArray(row)) return row.length;
  if (ArrayBuffer.isView(row) && 'length' in row) return (row as { length: number }).length;
  throw invalidArgType(`row.${name}`, 'nested lists, one level a partition', row);
}

function rowsBy(name: string, by: Exclude<Partition['by'], 'uniformRowLength'>, lengths: readonly number[]): number[] {
  if (by === 'rowLengths') return [...lengths];
  if (by === 'valueRowIds') {
    if (lengths.at(-1) === 0) throw raggedError(name, 'a last row with values: valueRowIds cannot say an empty one');
    return lengths.flatMap((length, row) => Array<number>(length).fill(row));
  }
  const splits = [0];
  for (const length of lengths) splits.push((splits.at(-1) as number) + length);
  return by === 'rowSplits' ? splits : by === 'rowStarts' ? splits.slice(0, -1) : splits.slice(1);
}

function checkUniform(name: string, lengths: readonly number[], length: number): void {
  const other = lengths.find((each) => each !== length);
  if (other !== undefined) throw raggedError(name, `rows of ${length}`, `a row of ${other}`);
}

function raggedError(feature: string, expected: string, found = 'none'): TFRecordError {
  return new TFRecordError('TFR_FEATURE', `Feature ${quoted(feature)} must have ${expected}; it has ${found}`, {
    feature,
    expected,
    found,
  });
}
