import { fstatSync } from 'node:fs';

import { systemErrorOf } from './faults';

/** Node takes a folder for an input without a byte. @throws TFRecordError EISDIR. */
export function refuseFolder(descriptor: number, file: string): void {
  if (isFolder(descriptor)) throw systemErrorOf('EISDIR', 'read', file);
}

function isFolder(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isDirectory();
  } catch {
    return false; // what is wrong with it, reading tells
  }
}
