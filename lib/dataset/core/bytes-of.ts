import { valuesOf, type Column } from './column';
import { RecordsColumn } from './records-column';

/** Bytes that the elements of a column hold, as far as that can be seen: of records, buffers and text. */
export function bytesOf(column: Column): number {
  let sum = 0;
  if (column instanceof RecordsColumn) {
    for (let i = 0; i < column.length; i++) sum += column.slab(i).source.frames[2 * column.frame(i) + 1] as number;
    return sum;
  }
  for (const value of valuesOf(column)) sum += bytesIn(value, 2);
  return sum;
}

/** @param depth levels of objects and arrays to look into */
function bytesIn(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
  if ('byteLength' in value && typeof value.byteLength === 'number') return value.byteLength;
  if (depth === 0) return 8;
  let sum = 0;
  for (const part of Object.values(value) as unknown[]) sum += bytesIn(part, depth - 1);
  return sum;
}
