import { closeSync, openSync, readSync } from 'node:fs';

import { codeOf, fromNodeError, viewOf } from '../../base';
import { unchanged } from '../memory/bytes';
import { refuseFolder, takeStandardInput } from './standard-input';

/** Pulls the chunks of one stream, without promises. */
export interface SyncPull {
  /** Returns the next chunk, which is valid until the next call; undefined at the end. */
  next(): Uint8Array | undefined;
  close(): void;
}

const READ_BYTES = 256 * 1024;
const SLICE_BYTES = 1024 * 1024;
/** Wait before a terminal or pipe without data is read again, in milliseconds. */
const RETRY_MS = 5;
const STDIN = 0;

/** Pulls bytes in memory, slice by slice. `length` is their length when they were given. */
export function pullBytesSync(bytes: Uint8Array, length: number, file: string): SyncPull {
  let position = 0;
  return {
    next() {
      if (position >= length) return undefined;
      const end = Math.min(position + SLICE_BYTES, length);
      const slice = viewOf(unchanged(bytes, length, file), position, end);
      position += SLICE_BYTES;
      return slice;
    },
    close() {
      position = Infinity;
    },
  };
}

/**
 * Pulls from standard input (`-`), or from the pipe, terminal or device at `path`. Blocks while there is no data. `file`:
 * the name in errors.
 * @throws TFRecordError with Node's code, as `next` does. An error of opening `path` is Node's own.
 */
export function pullDescriptorSync(path: string, file: string): SyncPull {
  const isStandard = path === '-';
  const descriptor = isStandard ? STDIN : openSync(path, 'r');
  if (isStandard) {
    refuseFolder(descriptor, file);
    takeStandardInput();
  }
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  let open = true;
  return {
    next() {
      const count = open ? readWaiting(descriptor, file, buffer) : 0;
      return count === 0 ? undefined : buffer.subarray(0, count);
    },
    close() {
      if (open && !isStandard) closeSync(descriptor);
      open = false;
    },
  };
}

function readWaiting(descriptor: number, file: string, buffer: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, buffer);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOF') return 0; // Windows, at the end of a pipe
      if (code !== 'EAGAIN') throw fromNodeError(error, file);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
