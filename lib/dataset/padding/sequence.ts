/** Classifies values that can be padded, and reads their values and sizes. */
import { isTypedArray } from 'node:util/types';

import { classOf, type BytesArray } from '../../tensor';

/** Numbers in a typed array. */
export type Numbers = Float32Array | Float64Array | BigInt64Array | Int32Array;

/** Values in row-major order, and the sizes of their dimensions. */
export interface Sequence {
  /**
   * The kind, which must be the same throughout a batch: `array`, `float32`, `int64`, `bytes`, or the name of a typed
   * array.
   */
  readonly kind: string;
  readonly shape: readonly number[];
  readonly data: Numbers | BytesArray | readonly unknown[];
}

/** Classifies `value`: a sequence, one value that stays as it is, an object of these, or a value that cannot be padded. */
export function sequenceOf(value: unknown): Sequence | 'scalar' | 'object' | { readonly refused: string } {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 'scalar';
  if (Array.isArray(value)) return arraySequence(value);
  const known = classOf(value);
  if (known !== undefined) {
    const dense = known.dense(value);
    return dense === undefined ? { refused: known.name } : { kind: dense.dtype, shape: dense.shape, data: dense.data };
  }
  if (isTypedArray(value)) {
    const data = value as Numbers;
    const kind =
      data instanceof Float32Array ? 'float32' : data instanceof BigInt64Array ? 'int64' : data.constructor.name;
    return { kind, shape: [data.length], data };
  }
  for (const _ in value) return 'object';
  return 'scalar';
}

/** Returns the sequence of nested arrays, or the reason why they cannot be padded. */
function arraySequence(value: readonly unknown[]): Sequence | { readonly refused: string } {
  const shape: number[] = [];
  /** The first array of each level: one that contains itself is found again. */
  const firsts = new Set<unknown>();
  let data: readonly unknown[] = [value];
  while (data.length > 0 && data.every((item) => Array.isArray(item))) {
    const level = data as readonly (readonly unknown[])[];
    const first = level[0]!;
    if (firsts.has(first)) return { refused: 'an array that holds itself' };
    firsts.add(first);
    if (level.some((row) => row.length !== first.length)) return { refused: 'nested arrays of different lengths' };
    shape.push(first.length);
    // Spread instead of `flat`, which drops holes of arrays.
    data = level.flatMap((row) => [...row]);
  }
  return { kind: 'array', shape, data };
}
