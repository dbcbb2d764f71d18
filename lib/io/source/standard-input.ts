/** Standard input, which can be read only once. */
import { fstatSync } from 'node:fs';

import { invalidArgValue, systemErrorOf } from '../../base';
import type { ByteSource, ChunkPull } from './byte-source';
import { withErrors } from './pull-device';
import { pullNodeStream } from './pull-stream';
import { StreamSource } from './stream-source';

/** Standard input, which its second `pull` refuses. */
export function standardInput(): ByteSource {
  return new StreamSource(pullStandardInput, '-');
}

/** Pulls from standard input. @throws TypeError ERR_INVALID_ARG_VALUE the second time; TFRecordError EISDIR for a folder */
function pullStandardInput(): ChunkPull {
  // In a worker, standard input has no descriptor.
  const { fd } = process.stdin;
  if (fd !== undefined) refuseFolder(fd, '-');
  takeStandardInput();
  return withErrors('-', pullNodeStream(process.stdin));
}

let taken = false;

/** Claims standard input. @throws TypeError ERR_INVALID_ARG_VALUE the second time, when little or nothing is left of it. */
export function takeStandardInput(): void {
  if (taken) {
    throw invalidArgValue('source', 'another one: standard input can be read only once, and has been', '-');
  }
  taken = true;
}

/** Refuses a folder as standard input, which Node would read as an empty file. @throws TFRecordError EISDIR */
export function refuseFolder(descriptor: number, file: string): void {
  if (isFolder(descriptor)) throw systemErrorOf('EISDIR', 'read', file);
}

function isFolder(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isDirectory();
  } catch {
    return false; // Reading reports the error.
  }
}
