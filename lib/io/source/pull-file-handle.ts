import type { FileHandle } from 'node:fs/promises';

import { folderError, fromNodeError } from '../../base';
import type { ChunkPull } from './pull-bytes';
import { pullDevice } from './pull-device';

/** Bytes of each read. */
const CHUNK_BYTES = 2 ** 18;

/**
 * Pulls what an open file holds. A regular file is read from its first byte, and the position of the handle stays. A pipe
 * or a device is opened once more, to be read in order: a read of the handle itself would block a thread of Node's until
 * there is data. `close` leaves the handle open: it is the caller's.
 */
export function pullFileHandle(handle: FileHandle): ChunkPull {
  let pull: ChunkPull | undefined;
  let over = false;
  return {
    async next() {
      if (over) return undefined;
      try {
        pull ??= await pullOf(handle);
        const chunk = over ? undefined : await pull.next();
        over ||= chunk === undefined;
        return over ? undefined : chunk;
      } catch (cause) {
        over = true;
        throw fromNodeError(cause, '<handle>');
      }
    },
    async close() {
      over = true;
      await pull?.close();
    },
  };
}

async function pullOf(handle: FileHandle): Promise<ChunkPull> {
  const stats = await handle.stat();
  if (stats.isDirectory()) throw folderError('<handle>');
  const special = stats.isFIFO() || stats.isCharacterDevice();
  if (special && process.platform !== 'win32') return pullDevice(`/dev/fd/${handle.fd}`);
  return pullAt(handle, stats.isFile() ? 0 : null);
}

/** Reads from `position` on; null: from the position of the handle. */
function pullAt(handle: FileHandle, position: number | null): ChunkPull {
  let at = position;
  return {
    async next() {
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, at);
      if (at !== null) at += bytesRead;
      return bytesRead === 0 ? undefined : chunk.subarray(0, bytesRead);
    },
    close: () => Promise.resolve(),
  };
}
