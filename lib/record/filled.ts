import type { FillResult } from '../native';
import type { Bytes } from './origin';

/** A slab with what native found in it. The outcome is More, End or Halt. */
export interface Filled {
  readonly slab: Bytes;
  readonly result: FillResult;
}
