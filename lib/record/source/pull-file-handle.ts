import type { FileHandle } from 'node:fs/promises';

import { folderError, fromNodeError } from '../faults';
import type { ChunkPull } from './pull-bytes';

/** Bytes of each read. */
const CHUNK_BYTES = 2 ** 18;

/**
 * Pulls what an open file holds. A regular file is read from its first byte, and the position of the handle stays; a pipe
 * or a device is read in order. `close` leaves the handle open: it is the caller's.
 */
export function pullFileHandle(handle: FileHandle): ChunkPull {
  let position: { readonly at: number | null } | undefined;
  let over = false;
  return {
    async next() {
      if (over) return undefined;
      try {
        position ??= await startOf(handle);
        const { bytesRead, buffer } = await handle.read(
          Buffer.allocUnsafeSlow(CHUNK_BYTES),
          0,
          CHUNK_BYTES,
          position.at,
        );
        over = bytesRead === 0;
        if (position.at !== null) position = { at: position.at + bytesRead };
        return over ? undefined : buffer.subarray(0, bytesRead);
      } catch (cause) {
        over = true;
        throw fromNodeError(cause, '<handle>');
      }
    },
    close() {
      over = true;
      return Promise.resolve();
    },
  };
}

async function startOf(handle: FileHandle): Promise<{ readonly at: number | null }> {
  const stats = await handle.stat();
  if (stats.isDirectory()) throw folderError('<handle>');
  return { at: stats.isFile() ? 0 : null };
}
