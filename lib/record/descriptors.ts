/**
 * The files of this environment whose descriptors become free, or can: each thread has its own modules, so each counts its
 * own. Whoever finds no descriptor left waits for the files that are being closed, then closes those that are open only
 * ahead of their turn.
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

/** Counts `close`, which gives back a descriptor and waits for nobody's code. Gives `close`. */
export function closingFile<T>(close: Promise<T>): Promise<T> {
  const end = (): void => {
    ended++;
    closing.delete(settled);
  };
  const settled = close.then(end, end);
  closing.add(settled);
  return close;
}

/** How many files were closed so far: to be asked before a file is opened, for {@link freeDescriptors}. */
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
 * For who found no descriptor left at the turn of a file, and began to open it when `filesClosed()` was `before`: whether
 * any was given back since. Where none was, or is about to be, all that is open ahead is closed.
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
