import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Paths of temporary files and folders that this thread writes now, by their names. */
const inUse = new Map<string, string>();

/** Returns a temporary path for `path`, in the same folder, and remembers it. Patterns never match it. */
export function temporaryName(path: string, folder = false): string {
  // Not the global `crypto`, which Electron lacks before its version 29, outside of pages.
  const hex = Buffer.from(randomBytes(folder ? 8 : 6)).toString('hex');
  const name = `${folder ? '' : '.'}${basename(path)}.${process.pid}-${hex}.tmp`;
  const temporary = join(dirname(path), name);
  rememberTemporary(temporary);
  return temporary;
}

/** `path` is the temporary file or folder of something that is written. */
export function rememberTemporary(path: string): void {
  inUse.set(basename(path), path);
}

/** `path` has another name now, or is gone. */
export function forgetTemporary(path: string): void {
  inUse.delete(basename(path));
}

/** True if this thread writes a temporary file or folder called `name`. */
export function isTemporary(name: string): boolean {
  return inUse.has(name);
}

/** Removes what this thread writes now, and waits for nothing: the process is about to end. Never throws. */
export function removeTemporaries(): void {
  for (const path of inUse.values()) {
    try {
      rmSync(path, { force: true, recursive: true });
    } catch {
      // The others can be removed.
    }
  }
}
