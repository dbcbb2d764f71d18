/**
 * Counts the files whose descriptors become free, or can be freed, for each thread alone: each has its own modules. A
 * reader that finds no descriptor left waits for the files that are being closed. If there are none, it closes the files
 * that are only open ahead of their turn.
 */
import { setImmediate } from 'node:timers/promises';

/** Something that opens files ahead of their turn, and can open them later. */
export interface OpensAhead {
  /** Starts to close them; each opens again at its turn. False if none was open. */
  closeAhead(): boolean;
}

const closing = new Set<Promise<unknown>>();
const opensAhead = new Set<OpensAhead>();
let ended = 0;

/** Counts `close`, which frees a descriptor and waits for no user code. Returns `close`. */
export function closingFile<T>(close: Promise<T>): Promise<T> {
  const end = (): void => {
    ended++;
    closing.delete(settled);
  };
  const settled = close.then(end, end);
  closing.add(settled);
  return close;
}

/** The number of files closed so far. Read it before you open a file, and pass it to {@link freeDescriptors}. */
export function filesClosed(): number {
  return ended;
}

/** `opener` has files open ahead, until `forgetAhead`. */
export function noteAhead(opener: OpensAhead): void {
  opensAhead.add(opener);
}

export function forgetAhead(opener: OpensAhead): void {
  opensAhead.delete(opener);
}

/**
 * Call it if no descriptor was left at the turn of a file; `before` is `filesClosed()` from before the attempt. Closes
 * everything that is open ahead, unless another file was closed since or is being closed. True if a descriptor was freed.
 */
export async function freeDescriptors(before: number): Promise<boolean> {
  if (ended > before) return true;
  let freed = closing.size > 0;
  if (!freed) {
    for (const opener of opensAhead) if (opener.closeAhead()) freed = true;
    // Some streams are closed behind a promise.
    if (freed) await setImmediate();
  }
  await Promise.all(closing);
  return freed;
}
