import { SparseTensor, type DType } from '../../tensor';
import { ArrayColumn, valuesOf, type Column } from './elements';
import { RecordsColumn } from './records';

/** Bytes that the elements of a column hold, as far as that can be seen: of records, buffers and text. */
export function bytesOf(column: Column): number {
  let sum = 0;
  if (column instanceof RecordsColumn) {
    for (let i = 0; i < column.length; i++) sum += column.bytes(i);
    return sum;
  }
  for (const value of valuesOf(column)) sum += bytesIn(value);
  return sum;
}

/** Elements that are looked at to know about all. */
const SAMPLES = 4;

/** Bytes of an element of `column`, of which there is one or more, about: of records, buffers and text. */
export function meanBytesOf(column: Column): number {
  const { length } = column;
  const step = Math.ceil(length / SAMPLES);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < length; i += step) {
    sum += bytesAt(column, i);
    count++;
  }
  return sum / count;
}

/** Bytes of element `index`. Nothing is made to know it. */
export function bytesAt(column: Column, index: number): number {
  if (column instanceof RecordsColumn) return column.bytes(index);
  return column instanceof ArrayColumn ? bytesIn(column.values[index]) : 0;
}

/** Bytes of one element. What cannot be looked at counts little. */
export function bytesIn(value: unknown): number {
  try {
    return bytesInside(value, 2);
  } catch {
    return 8;
  }
}

/** @param depth levels of objects and arrays to look into */
function bytesInside(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
  if ('byteLength' in value && typeof value.byteLength === 'number') return value.byteLength;
  // Indices are computed only when somebody reads them.
  if (value instanceof SparseTensor) return bytesInside((value as SparseTensor<DType>).values, depth);
  if (depth === 0) return 8;
  let sum = 0;
  for (const part of Object.values(value) as unknown[]) sum += bytesInside(part, depth - 1);
  return sum;
}
