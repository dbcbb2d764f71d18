import { rangeOf, type ColumnValues } from '../columns';

/** The first row in which two columns of one dtype have other values; -1 when there is none. */
export function firstDifference(a: ColumnValues, b: ColumnValues, rows: number): number {
  for (let row = 0; row < rows; row++) {
    const [begin, end] = rangeOf(a, row);
    const [other, otherEnd] = rangeOf(b, row);
    if (end - begin !== otherEnd - other) return row;
    if (a.offsets === undefined) {
      if (!sameBytes(elements(a, begin, end), elements(b, other, otherEnd))) return row;
      continue;
    }
    for (let i = 0; i < end - begin; i++) if (!sameBytes(text(a, begin + i), text(b, other + i))) return row;
  }
  return -1;
}

/** Values `begin` to `end` of numbers, bit by bit: a NaN is equal to itself. */
function elements({ values }: ColumnValues, begin: number, end: number): Uint8Array {
  const part = values.subarray(begin, end);
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
}

function text({ values, offsets }: ColumnValues, i: number): Uint8Array {
  return (values as Uint8Array).subarray(offsets![i], offsets![i + 1]);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
