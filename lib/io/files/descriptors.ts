/**
 * Keeps track of the files whose descriptors become free, or can be freed. Each thread has its own count, as it has its own
 * modules. A reader that finds no free descriptor waits for files that are being closed. If there are none, it closes the
 * files that are only open ahead of their turn.
 */
import { setImmediate } from 'node:timers/promises';

/** An object that opens files ahead of their turn, but could open them later. */
export interface OpensAhead {
  /** Starts to close these files; each opens again at its turn. Returns false if none was open. */
  closeAhead(): boolean;
}

const closing = new Set<Promise<unknown>>();
const opensAhead = new Set<OpensAhead>();
let ended = 0;

/** Keeps track of `close`, which frees a descriptor and must not wait for user code. Returns `close`. */
export function closingFile<T>(close: Promise<T>): Promise<T> {
  const end = (): void => {
    ended++;
    closing.delete(settled);
  };
  const settled = close.then(end, end);
  closing.add(settled);
  return close;
}

/** Returns the number of files closed so far. Read it before opening a file, and pass it to {@link freeDescriptors}. */
export function filesClosed(): number {
  return ended;
}

/** Notes that `opener` has files open ahead, until {@link forgetAhead}. */
export function noteAhead(opener: OpensAhead): void {
  opensAhead.add(opener);
}

export function forgetAhead(opener: OpensAhead): void {
  opensAhead.delete(opener);
}

/**
 * Waits for a free descriptor. Call it if a file could not be opened at its turn; `before` is the result of `filesClosed()`
 * before the attempt. Closes everything that is open ahead, unless another file was closed since then or is being closed.
 * Resolves with true if a descriptor was freed.
 */
export async function freeDescriptors(before: number): Promise<boolean> {
  if (ended > before) return true;
  let freed = closing.size > 0;
  if (!freed) {
    for (const opener of opensAhead) if (opener.closeAhead()) freed = true;
    // Some streams are closed only after a promise.
    if (freed) await setImmediate();
  }
  await Promise.all(closing);
  return freed;
}
