import { types } from 'node:util';

import { invalidArgType, outOfRange } from '../../errors';
import type { Partition } from '../spec';
import { checkRowSplits, DenseTensor, ownSplits, RaggedTensor, type DType } from '../../tensor';
import { presentLength } from './present';
import { rowError } from './row-error';

/** What is written of a ragged feature. */
export interface RaggedParts {
  readonly values: unknown;
  /** By key, what the partition's feature holds. */
  readonly partitions: readonly (readonly [key: string, rows: readonly number[]])[];
}

/** Most rows of one record; parsing has the same limit for empty rows. */
const MAX_ROWS = 2 ** 26;
/** Most elements in the nested lists of one level. */
const MAX_ELEMENTS = 2 ** 24;
/** Most nested lists of one level. */
const MAX_LISTS = 2 ** 20;
const WANTED = 'nested lists, one level a partition';

/** Rows of rows of values. */
interface Nested {
  /** Lengths of the rows, the outermost first. */
  readonly levels: readonly (readonly number[])[];
  readonly values: unknown;
}

/**
 * Takes tensors or nested lists apart by `partitions`, the outermost first.
 * @throws TypeError where they have another depth, TFRecordError TFR_FEATURE where a partition cannot say what the rows are.
 */
export function raggedParts(name: string, partitions: readonly Partition[], value: unknown): RaggedParts {
  const isTensor = value instanceof RaggedTensor || value instanceof DenseTensor;
  const { levels, values } = isTensor ? tensorLevels(name, value) : listLevels(name, partitions.length, value);
  if (levels.length !== partitions.length) throw invalidArgType(`row.${name}`, WANTED, value);
  const written: [string, readonly number[]][] = [];
  for (const [k, partition] of partitions.entries()) {
    const lengths = levels[k]!;
    if (partition.by === 'uniformRowLength') checkUniform(name, lengths, partition.length);
    else written.push([partition.key, rowsBy(name, partition.by, lengths)]);
  }
  return { values, partitions: written };
}

/** The values as they are, bit by bit. */
function tensorLevels(name: string, tensor: RaggedTensor<DType> | DenseTensor<DType>): Nested {
  const { values, rowSplits } = tensor instanceof RaggedTensor ? tensor : { values: tensor, rowSplits: [] };
  const [outer = 0, ...inner] = values.shape;
  // Callers have them, too, and may have changed them.
  const own = rowSplits.map((splits, k) => ownSplits(`row.${name}.rowSplits[${k}]`, splits));
  const levels = own.map((splits, k): number[] => {
    checkRowSplits(`row.${name}.rowSplits[${k}]`, splits, (own[k + 1]?.length ?? outer + 1) - 1);
    return Array.from({ length: splits.length - 1 }, (_, row) => Number(splits[row + 1]) - Number(splits[row]));
  });
  let rows = outer;
  for (const size of inner) {
    // Empty rows cost the tensor no memory, however many there are.
    if (rows > MAX_ROWS) throw outOfRange(`row.${name}`, `a tensor of at most ${MAX_ROWS} rows`, rows);
    levels.push(Array<number>(rows).fill(size));
    rows *= size;
  }
  return { levels, values: values.data };
}

function listLevels(name: string, depth: number, value: unknown): Nested {
  const levels: number[][] = [];
  let rows = value;
  for (let level = 0; level < depth; level++) {
    if (!Array.isArray(rows)) throw invalidArgType(`row.${name}`, WANTED, rows);
    if (rows.length > MAX_LISTS) throw outOfRange(`row.${name}`, `at most ${MAX_LISTS} lists`, rows.length);
    const lists: unknown[] = Array.from(rows as unknown[]);
    const lengths = lists.map((row) => lengthOf(name, row));
    // Before any element is taken: a list may hold another one many times over.
    const elements = lengths.reduce((sum, length) => sum + length, 0);
    if (elements > MAX_ELEMENTS) throw outOfRange(`row.${name}`, `lists of at most ${MAX_ELEMENTS} elements`, elements);
    levels.push(lengths);
    rows = joined(lists as ArrayLike<unknown>[], lengths);
  }
  if (Array.isArray(rows) && rows.some(Array.isArray)) throw invalidArgType(`row.${name}`, WANTED, value);
  return { levels, values: rows };
}

function lengthOf(name: string, row: unknown): number {
  if (Array.isArray(row)) return row.length;
  if (!types.isTypedArray(row)) throw invalidArgType(`row.${name}`, WANTED, row);
  return presentLength(`row.${name}`, row);
}

/** The first `lengths[i]` elements of each list, holes as undefined. */
function joined(lists: readonly ArrayLike<unknown>[], lengths: readonly number[]): unknown[] {
  const all: unknown[] = [];
  for (const [i, row] of lists.entries()) {
    for (let k = 0; k < lengths[i]!; k++) all.push(row[k]);
  }
  return all;
}

function rowsBy(name: string, by: Exclude<Partition['by'], 'uniformRowLength'>, lengths: readonly number[]): number[] {
  if (by === 'rowLengths') return [...lengths];
  if (by === 'valueRowIds') {
    if (lengths.at(-1) === 0) throw rowError(name, 'a last row with values: valueRowIds cannot say an empty one');
    return lengths.flatMap((length, row) => Array<number>(length).fill(row));
  }
  const splits = [0];
  for (const length of lengths) splits.push(splits.at(-1)! + length);
  return by === 'rowSplits' ? splits : by === 'rowStarts' ? splits.slice(0, -1) : splits.slice(1);
}

function checkUniform(name: string, lengths: readonly number[], length: number): void {
  const other = lengths.find((each) => each !== length);
  if (other !== undefined) throw rowError(name, `rows of ${length}`, `a row of ${other}`);
}
