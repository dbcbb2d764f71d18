/** The descriptors and threads of this process, from Linux's /proc. */
import { readdirSync, readlinkSync } from 'node:fs';

/** Returns the number of this process's descriptors that are open on files in `folder`. */
export function descriptorsIn(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false; // The descriptor of the listing itself.
    }
  }).length;
}

/** True if this process has `file` open. */
export function isOpen(file: string): boolean {
  return readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
    } catch {
      return false;
    }
  });
}

/** Returns the number of open descriptors of this process. */
export function descriptors(): number {
  return readdirSync('/proc/self/fd').length - 1;
}

/** Returns the number of threads of this process. */
export function threads(): number {
  return readdirSync('/proc/self/task').length;
}
