/** Recognises temporary files and folders that nobody writes any more. */
import { readFileSync } from 'node:fs';

import { codeOf } from '../../base';
import { isTemporary } from './temporaries';

const TEMPORARY = /^(?:\.(.+)\.(\d{1,10})-[\da-f]{12}|(.+)\.(\d{1,10})-[\da-f]{16})\.tmp$/s;

/**
 * For a temporary file or folder of ours that nobody writes any more, because its process has ended as far as this
 * machine knows: the name that it was to get. Undefined for others. `mayBeOurs`: true if another thread of this process
 * may be writing it; if the file is older than this process, an earlier process with the same number left it.
 */
export function abandonedFor(entry: string): { readonly name: string; readonly mayBeOurs: boolean } | undefined {
  const [, file, filePid, folder, folderPid] = TEMPORARY.exec(entry) ?? [];
  const name = file ?? folder;
  if (name === undefined || isTemporary(entry)) return undefined;
  const pid = Number(filePid ?? folderPid);
  if (pid === process.pid) return { name, mayBeOurs: true };
  return isAlive(pid) ? undefined : { name, mayBeOurs: false };
}

/** True for a process that has ended, but that its parent has not yet awaited. Linux only. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // The name of the program, in parentheses, may contain any characters.
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
