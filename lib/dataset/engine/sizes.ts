import { isSparse } from '../../tensor';
import { ArrayElements, valuesOf, type Elements } from './elements';
import { RecordElements } from './records';
import { UnmadeBatch } from './unmade-batch';

/** Estimates the bytes that `elements` hold: those of records, buffers and text. */
export function bytesOf(elements: Elements): number {
  let sum = 0;
  if (elements instanceof RecordElements) {
    for (let i = 0; i < elements.length; i++) sum += elements.bytes(i);
    return sum;
  }
  if (elements instanceof UnmadeBatch) return elements.bytes;
  for (const value of valuesOf(elements)) sum += bytesIn(value);
  return sum;
}

/** Number of elements that are sampled. */
const SAMPLES = 4;

/** Estimates the mean bytes of one or more `elements` from samples: those of records, buffers and text. */
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

/** Estimates the bytes of element `index`, without making elements of records. */
export function bytesAt(elements: Elements, index: number): number {
  if (elements instanceof RecordElements) return elements.bytes(index);
  if (elements instanceof UnmadeBatch) return elements.bytes;
  return elements instanceof ArrayElements ? bytesIn(elements.values[index]) : 0;
}

/** Estimates the bytes of one element. Values of unknown classes count little. */
export function bytesIn(value: unknown): number {
  try {
    return bytesInside(value, 2);
  } catch {
    return 8;
  }
}

/** @param depth maximum number of nested objects and arrays to enter */
function bytesInside(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
  if ('byteLength' in value && typeof value.byteLength === 'number') return value.byteLength;
  // Reading `indices` would compute them.
  if (isSparse(value)) return bytesInside(value.values, depth);
  if (depth === 0) return 8;
  let sum = 0;
  for (const part of Object.values(value) as unknown[]) sum += bytesInside(part, depth - 1);
  return sum;
}
