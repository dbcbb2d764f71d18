import { SparseTensor, type DType } from '../../tensor';
import { ArrayElements, valuesOf, type Elements } from './elements';
import { RecordElements } from './records';

/** Bytes that `elements` hold, as far as that can be seen: of records, buffers and text. */
export function bytesOf(elements: Elements): number {
  let sum = 0;
  if (elements instanceof RecordElements) {
    for (let i = 0; i < elements.length; i++) sum += elements.bytes(i);
    return sum;
  }
  for (const value of valuesOf(elements)) sum += bytesIn(value);
  return sum;
}

/** Elements that are looked at to know about all. */
const SAMPLES = 4;

/** Mean bytes of one of `elements`, of which there is one or more, about: of records, buffers and text. */
export function meanBytesOf(elements: Elements): number {
  const { length } = elements;
  const step = Math.ceil(length / SAMPLES);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < length; i += step) {
    sum += bytesAt(elements, i);
    count++;
  }
  return sum / count;
}

/** Bytes of element `index`. Nothing is made to know it. */
export function bytesAt(elements: Elements, index: number): number {
  if (elements instanceof RecordElements) return elements.bytes(index);
  return elements instanceof ArrayElements ? bytesIn(elements.values[index]) : 0;
}

/** Bytes of one element. Values of unknown classes count little. */
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
