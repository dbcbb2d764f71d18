import { orNoMemory } from './faults';
import type { Bytes } from './origin';

/**
 * Fresh memory of `size` bytes that no user code has seen, not zeroed. Native threads fill it, then its records are
 * handed out. After that only a SlabPool, or `encodeExamples` with `reuse`, fills it again. @throws TFRecordError ENOMEM,
 * naming `file`.
 */
export function newSlab(size: number, file: string): Bytes {
  return orNoMemory(file, () => new Uint8Array(Buffer.allocUnsafeSlow(size).buffer));
}
