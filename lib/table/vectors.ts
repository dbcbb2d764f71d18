/** The values of a table's columns in some records, in Arrow's layout. */
import { arrayClass } from '../base';
import { isAscii, isUtf8 } from 'node:buffer';

import {
  bitsOf,
  FeatureFault,
  rowOf,
  rowOfValue,
  type ColumnData,
  type Composer,
  type ParsedColumns,
} from '../example';
import { sizeOf } from '../tensor';
import type { Table, TableColumn } from './table';

/** The values of one column. Arrays of positions ascend from 0, and have one element more than there are items. */
export interface Vector {
  readonly column: TableColumn;
  /** Number of records. */
  readonly rows: number;
  /**
   * A bit for each row, lowest first: 1 if the row has a value. A multiple of 8 bytes. Undefined if all rows have one.
   */
  readonly validity: Uint8Array<ArrayBuffer> | undefined;
  /** Number of rows without a value. */
  readonly nulls: number;
  /** For feature lists: the start of each row's steps. */
  readonly steps: Int32Array<ArrayBuffer> | undefined;
  /**
   * For lists of any length: the start of each row's (or step's) values. Otherwise each row, even if null, has as many
   * values as the shape.
   */
  readonly splits: Int32Array<ArrayBuffer> | undefined;
  /** For bytes and text: the start of each value's data. */
  readonly offsets: Int32Array<ArrayBuffer> | undefined;
  /** The numbers, or the data of all bytes. */
  readonly values: ColumnData['values'];
}

/** Some records of a table. */
export interface TableBatch {
  readonly rows: number;
  /** One for each column of the table. */
  readonly vectors: readonly Vector[];
}

/** The composer of a table's records. It cannot compose rows. */
export function tableComposer({ columns, plan }: Table): Composer {
  const batch = (piece: ParsedColumns): TableBatch => ({
    rows: piece.rows,
    vectors: columns.map((column, i) => vectorOf(column, piece.columns[i]!, piece.rows)),
  });
  return {
    plan,
    mayFail: columns.some(({ dtype }) => dtype === 'text'),
    batch,
    compose: (piece) => {
      const made = batch(piece);
      return {
        at: () => {
          throw new TypeError('a table has no rows');
        },
        batch: () => made,
      };
    },
  };
}

/** @throws FeatureFault for the first text that is not UTF-8 */
function vectorOf(column: TableColumn, data: ColumnData, rows: number): Vector {
  if (column.dtype === 'text') checkText(column, data);
  const { present } = data;
  const nulls = present === undefined ? 0 : rows - present[rows]!;
  if (present === undefined || nulls === 0) return { column, rows, validity: undefined, nulls: 0, ...positions(data) };
  const validity = bitsOf(present);
  const placed =
    column.section === 1 || column.shape === undefined ? atRows(data, present) : filledUp(column, data, present);
  return { column, rows, validity, nulls, ...placed };
}

type Positions = Pick<Vector, 'steps' | 'splits' | 'offsets' | 'values'>;

function positions({ steps, splits, offsets, values }: ColumnData): Positions {
  return { steps, splits, offsets, values };
}

/** Expands the outermost positions from items to rows: a row without an item is empty. */
function atRows(data: ColumnData, present: Int32Array): Positions {
  const { steps, splits } = data;
  const byItem = (steps ?? splits)!;
  const byRow = new Int32Array(present.length);
  for (let row = 0; row < byRow.length; row++) byRow[row] = byItem[present[row]!]!;
  return steps === undefined ? { ...positions(data), splits: byRow } : { ...positions(data), steps: byRow };
}

/** Expands values of a fixed number per row: a row without an item gets zeros, or empty bytes. */
function filledUp({ shape }: TableColumn, { offsets, values }: ColumnData, present: Int32Array): Positions {
  const rows = present.length - 1;
  const size = sizeOf(shape!);
  if (offsets !== undefined) {
    const spread = new Int32Array(rows * size + 1);
    for (let row = 0, at = 0; row < rows; row++) {
      const item = present[row]!;
      const there = item < present[row + 1]!;
      for (let i = 1; i <= size; i++) spread[++at] = offsets[item * size + (there ? i : 0)]!;
    }
    return { steps: undefined, splits: undefined, offsets: spread, values };
  }
  const spread = new (arrayClass(values))(rows * size);
  // Copied as words, so that NaNs keep their bits.
  const unit = (size * values.BYTES_PER_ELEMENT) / 4;
  const from = new Int32Array(values.buffer, values.byteOffset, values.byteLength / 4);
  const to = new Int32Array(spread.buffer, spread.byteOffset, spread.byteLength / 4);
  for (let row = 0; row < rows; row++) {
    const item = present[row]!;
    if (item >= present[row + 1]!) continue;
    for (let i = 0; i < unit; i++) to[row * unit + i] = from[item * unit + i]!;
  }
  return { steps: undefined, splits: undefined, offsets: undefined, values: spread };
}

/** @throws FeatureFault for the first value that is not UTF-8 */
function checkText(column: TableColumn, data: ColumnData): void {
  const bytes = data.values as Uint8Array;
  const offsets = data.offsets!;
  if (isAscii(bytes) || (isUtf8(bytes) && startsWhole(bytes, offsets))) return;
  for (let i = 0; i + 1 < offsets.length; i++) {
    if (isUtf8(bytes.subarray(offsets[i], offsets[i + 1]))) continue;
    throw textFault(column, recordOf(column, data, i), offsets[i + 1]! - offsets[i]!);
  }
}

/** The fault of a text of `size` bytes in row `row` that is not UTF-8. */
export function textFault({ key }: Pick<TableColumn, 'key'>, row: number, size: number): FeatureFault {
  const found = `${size} ${size === 1 ? 'byte that is' : 'bytes that are'} not`;
  return new FeatureFault(row, key, 'UTF-8', found, "dtype 'bytes' accepts any bytes");
}

/** True if no value begins within a character. */
function startsWhole(bytes: Uint8Array, offsets: Int32Array): boolean {
  for (const offset of offsets) if (offset < bytes.length && (bytes[offset]! & 0xc0) === 0x80) return false;
  return true;
}

/** The record of value `index`. */
function recordOf({ shape }: TableColumn, data: ColumnData, index: number): number {
  const { present } = data;
  const item = rowOfValue(data, shape === undefined ? 0 : sizeOf(shape), index);
  return present === undefined ? item : rowOf(present, item);
}
