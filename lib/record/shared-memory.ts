import { orNoMemory } from './faults';

/** Memory of `size` bytes that all threads see, zeroed. @throws TFRecordError ENOMEM, naming `file`. */
export function sharedMemory(size: number, file: string): SharedArrayBuffer {
  return orNoMemory(file, () => new SharedArrayBuffer(size));
}
