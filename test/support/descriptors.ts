/** What this process holds, as Linux tells it. */
import { readdirSync, readlinkSync } from 'node:fs';

/** How many descriptors of this process are open on files below `folder`. */
export function descriptorsIn(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false; // that of the listing itself
    }
  }).length;
}

/** Whether this process has `file` open. */
export function isOpen(file: string): boolean {
  return readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
    } catch {
      return false;
    }
  });
}

/** Number of open descriptors of this process. */
export function descriptors(): number {
  return readdirSync('/proc/self/fd').length - 1;
}

/** Number of threads of this process. */
export function threads(): number {
  return readdirSync('/proc/self/task').length;
}
