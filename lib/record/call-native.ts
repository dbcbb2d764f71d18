import { fromNodeError } from './faults';

const THREADS = 'The system lets no thread start: raise its limit of processes or of memory.';

/**
 * Returns what `call` returns, which calls native code for `file`. @throws TFRecordError ENOMEM or EAGAIN, where memory or
 * threads ran out
 */
export function callNative<T>(file: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const threads = (error as NodeJS.ErrnoException | undefined)?.code === 'EAGAIN';
    throw fromNodeError(error, file, undefined, threads ? THREADS : '');
  }
}

/** The same for a promise: it also rejects with what native code throws at once. */
export async function startNative<T>(file: string, call: () => Promise<T>): Promise<T> {
  return callNative(file, call);
}
