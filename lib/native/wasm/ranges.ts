/** Readers that JavaScript feeds by ranges: what `readers.ts` and `pieces.ts` share. */
import type { NativeObject } from './handles';
import type { Instance } from './instance';
import { Report } from './report';

/** How JavaScript feeds the source of a reader, if at all. */
export type Feeding = 'none' | 'stream' | 'ranges';

/** Returns the pointer of a reader. @throws TypeError if it is not fed by ranges */
export function rangesPointer({ pointer, fed }: NativeObject & { readonly fed: Feeding }): number {
  if (fed !== 'ranges') throw new TypeError('tfrecord: not fed by ranges');
  return pointer;
}

/** Reads the wanted ranges that the module reported at `result`: position and size of each. */
export function readWants(instance: Instance, result: number): Float64Array {
  const report = new Report(instance, result);
  return report.numbers(2 * report.number());
}
