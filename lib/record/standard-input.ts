import { fstatSync } from 'node:fs';

import { invalidArgValue } from '../errors';
import { systemErrorOf } from './faults';

let taken = false;

/** @throws TypeError ERR_INVALID_ARG_VALUE the second time: nothing, or only a rest, would be left to read. */
export function takeStandardInput(): void {
  if (taken) {
    throw invalidArgValue('source', 'another one: standard input can be read only once, and has been', '-');
  }
  taken = true;
}

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
