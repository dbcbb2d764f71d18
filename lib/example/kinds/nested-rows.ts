/** Reads the value of a ragged feature in a row to encode: a tensor, or nested lists. */
import { types } from 'node:util';

import { invalidArgType, outOfRange, isList } from '../../base';

import { checkRowSplits, isDense, isRagged, ownSplits, type AnyDense, type AnyRagged } from '../../tensor';
import { presentLength } from '../feature';

/** Maximum number of rows in one record; parsing has the same limit for empty rows. */
const MAX_ROWS = 2 ** 26;
/** Maximum number of elements in the nested lists of one level. */
const MAX_ELEMENTS = 2 ** 24;
/** Maximum number of nested lists of one level. */
const MAX_LISTS = 2 ** 20;
const WANTED = 'nested lists, one level a partition';

/** Rows of rows of values. */
interface NestedRows {
  /** Lengths of the rows, the outermost first. */
  readonly levels: readonly (readonly number[])[];
  readonly values: unknown;
}

/** Returns the `depth` levels of rows in `value`, feature `name` of a row. @throws TypeError, RangeError */
export function nestedRows(name: string, depth: number, value: unknown): NestedRows {
  const nested = isRagged(value) || isDense(value) ? tensorLevels(name, value) : listLevels(name, depth, value);
  if (nested.levels.length !== depth) throw invalidArgType(`row.${name}`, WANTED, value);
  return nested;
}

/** Returns the rows of a tensor. Its values are not changed, not even payloads of NaN. */
function tensorLevels(name: string, tensor: AnyRagged | AnyDense): NestedRows {
  const { values, rowSplits } = isRagged(tensor) ? tensor : { values: tensor, rowSplits: [] };
  const [outer = 0, ...inner] = values.shape;
  // Callers have access to the splits, and may have changed them.
  const own = rowSplits.map((splits, k) => ownSplits(`row.${name}.rowSplits[${k}]`, splits));
  const levels = own.map((splits, k): number[] => {
    checkRowSplits(`row.${name}.rowSplits[${k}]`, splits, (own[k + 1]?.length ?? outer + 1) - 1);
    return Array.from({ length: splits.length - 1 }, (_, row) => Number(splits[row + 1]) - Number(splits[row]));
  });
  let rows = outer;
  for (const size of inner) {
    // Empty rows need almost no memory in the tensor, so their number needs a limit.
    if (rows > MAX_ROWS) throw outOfRange(`row.${name}`, `a tensor of at most ${MAX_ROWS} rows`, rows);
    levels.push(Array<number>(rows).fill(size));
    rows *= size;
  }
  return { levels, values: values.data };
}

/** Returns the rows of `depth` levels of nested lists. */
function listLevels(name: string, depth: number, value: unknown): NestedRows {
  const levels: number[][] = [];
  let rows = value;
  for (let level = 0; level < depth; level++) {
    if (!isList(rows)) throw invalidArgType(`row.${name}`, WANTED, rows);
    if (rows.length > MAX_LISTS) throw outOfRange(`row.${name}`, `at most ${MAX_LISTS} lists`, rows.length);
    const lists: unknown[] = Array.from<unknown>(rows);
    const lengths = lists.map((row) => lengthOf(name, row));
    // Checked before elements are read, because a list may contain another one many times.
    const elements = lengths.reduce((sum, length) => sum + length, 0);
    if (elements > MAX_ELEMENTS) throw outOfRange(`row.${name}`, `lists of at most ${MAX_ELEMENTS} elements`, elements);
    levels.push(lengths);
    rows = joined(lists as ArrayLike<unknown>[], lengths);
  }
  if (isList(rows) && rows.some(isList)) throw invalidArgType(`row.${name}`, WANTED, value);
  return { levels, values: rows };
}

function lengthOf(name: string, row: unknown): number {
  if (isList(row)) return row.length;
  if (!types.isTypedArray(row)) throw invalidArgType(`row.${name}`, WANTED, row);
  return presentLength(`row.${name}`, row);
}

/** Concatenates the first `lengths[i]` elements of each list, with undefined for holes. */
function joined(lists: readonly ArrayLike<unknown>[], lengths: readonly number[]): unknown[] {
  const all: unknown[] = [];
  for (const [i, row] of lists.entries()) {
    for (let k = 0; k < lengths[i]!; k++) all.push(row[k]);
  }
  return all;
}
