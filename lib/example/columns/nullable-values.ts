/** Converts single values that records may lack: parsing returns only existing values. */
import { ABSENT_ROW } from '../../native';
import {
  BytesArray,
  gather,
  isSet,
  newBits,
  newBytesArray,
  ownBits,
  setBit,
  type Column,
  type Scalar,
} from '../../tensor';
import { allocated } from './encode-faults';
import { evenRows, type RowRanges } from './column-values';

/** Returns validity bits: 1 for each row that has an item. */
export function bitsOf(present: Int32Array): Uint8Array<ArrayBuffer> {
  const rows = present.length - 1;
  const bits = newBits(rows);
  for (let row = 0; row < rows; row++) {
    if (present[row + 1]! > present[row]!) setBit(bits, row);
  }
  return bits;
}

/**
 * Returns `items`, one for each row that has an item, with `empty` inserted for other rows; `items` itself if all rows
 * have one.
 */
export function spreadItems(items: Column, present: Int32Array, empty: Scalar): Column {
  const rows = present.length - 1;
  if (present[rows] === rows) return items;
  if (items instanceof BytesArray) {
    // Over the same bytes: a row without an item ends where the row before it ends.
    const { data, offsets } = items;
    return newBytesArray(
      data,
      present.map((item) => offsets[item]!),
    );
  }
  const sources = new Int32Array(rows);
  for (let row = 0; row < rows; row++) sources[row] = present[row]! < present[row + 1]! ? present[row]! : -1;
  return gather(items, sources, empty);
}

/**
 * Returns ranges in which row r has value r if its bit in `given`, which a caller made, is set, else no value. @throws
 * TypeError
 */
export function presentRows(name: string, given: unknown, rows: number): RowRanges {
  const validity = ownBits(`${name}.validity`, given, rows);
  const starts = allocated(4 * rows, () => new Int32Array(rows));
  const ends = allocated(4 * rows, () => new Int32Array(rows));
  let nulls = 0;
  for (let row = 0; row < rows; row++) {
    const there = isSet(validity, row);
    starts[row] = there ? row : ABSENT_ROW;
    ends[row] = row + 1;
    if (!there) nulls++;
  }
  return nulls === 0 ? evenRows(1) : { starts, ends, count: 1 };
}
