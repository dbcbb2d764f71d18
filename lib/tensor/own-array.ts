/** Prepares arrays of callers for native code: uses their actual memory and length, ignoring overridden properties. */
import { types } from 'node:util';

import { counted, invalidArgType, invalidArgValue, viewOf, type Bytes } from '../base';
import { givenLength, unsharedBytes } from '../io';
import type { RowSplits } from './row-splits';

interface ArrayClass<T> {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

/**
 * Returns the elements of `array`, a typed array of class `Class`, over the same memory; a copy if other threads may
 * change it. @throws TypeError if its memory was transferred
 */
function own<T>(name: string, Class: ArrayClass<T>, array: NodeJS.TypedArray): T {
  // Calls methods and getters of all typed arrays, not those of the object.
  const length = givenLength(name, array);
  const bytes = unsharedBytes(viewOf(array, 0, length * Class.BYTES_PER_ELEMENT)) as Bytes;
  return new Class(bytes.buffer, bytes.byteOffset, length);
}

/** @throws TypeError */
export function ownBytes(name: string, array: unknown): Uint8Array {
  if (!types.isUint8Array(array)) throw invalidArgType(name, 'a Uint8Array', array);
  return own(name, Uint8Array, array);
}

/** Returns the bits of `rows` rows, eight in a byte. @throws TypeError */
export function ownBits(name: string, array: unknown, rows: number): Uint8Array {
  const bits = ownBytes(name, array);
  if (8 * bits.length >= rows) return bits;
  throw invalidArgValue(name, `of a bit for each of ${counted(rows, 'row')}`, bits.length);
}

/** @throws TypeError */
export function ownFloats(name: string, array: unknown): Float32Array {
  if (!types.isFloat32Array(array)) throw invalidArgType(name, 'a Float32Array', array);
  return own(name, Float32Array, array);
}

/** @throws TypeError */
export function ownInt64s(name: string, array: unknown): BigInt64Array<ArrayBuffer> {
  if (!types.isBigInt64Array(array)) throw invalidArgType(name, 'a BigInt64Array', array);
  return own(name, BigInt64Array<ArrayBuffer>, array);
}

/** @throws TypeError */
export function ownNumbers(name: string, array: unknown): Float64Array {
  if (!types.isFloat64Array(array)) throw invalidArgType(name, 'a Float64Array', array);
  return own(name, Float64Array, array);
}

/** Returns int32 positions, at least one. @throws TypeError */
export function ownPositions(name: string, array: unknown): Int32Array {
  if (!types.isInt32Array(array)) throw invalidArgType(name, 'an Int32Array', array);
  const positions = own(name, Int32Array, array);
  if (positions.length === 0) throw invalidArgValue(name, 'one longer than what it is about', array);
  return positions;
}

/** @throws TypeError */
export function ownSplits(name: string, array: unknown): RowSplits {
  return types.isBigInt64Array(array) ? ownInt64s(name, array) : ownPositions(name, array);
}
