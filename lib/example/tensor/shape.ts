/** Arithmetic of shapes. */
import { invalidArgType, invalidArgValue } from '../../errors';
import type { Shape } from './dtype';

/** Number of values in a tensor of `shape`: 1 for a scalar. */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (const dimension of shape) size *= dimension;
  return size;
}

/** A frozen copy of `shape`. @throws TypeError unless it holds sizes: integers from 0 on. */
export function checkShape(name: string, shape: unknown): Shape {
  if (!Array.isArray(shape)) throw invalidArgType(name, 'an array of sizes', shape);
  for (const size of shape as unknown[]) {
    if (!Number.isSafeInteger(size) || (size as number) < 0) {
      throw invalidArgValue(name, 'sizes: integers from 0 on', size);
    }
  }
  return Object.freeze([...(shape as number[])]);
}

/** Nested arrays of `shape` (a value alone for a scalar), made of the values `leaf(0)`, `leaf(1)` …, in row-major order. */
export function nest(shape: Shape, leaf: (index: number) => unknown): unknown {
  let next = 0;
  const level = (depth: number): unknown =>
    depth === shape.length ? leaf(next++) : Array.from({ length: shape[depth]! }, () => level(depth + 1));
  return level(0);
}
