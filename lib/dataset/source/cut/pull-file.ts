import { open, type FileHandle } from 'node:fs/promises';

import { fromNodeError, type ChunkPull } from '../../../record';

const READ_BYTES = 256 * 1024;

/** The bytes of the regular file at `path` from `offset` on. A chunk is valid until the next call. */
export function pullFile(path: string, offset: number): ChunkPull {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  let handle: FileHandle | undefined;
  let at = offset;
  let closed = false;
  let reading: Promise<unknown> = Promise.resolve();

  async function read(): Promise<Uint8Array | undefined> {
    try {
      handle ??= await open(path, 'r');
    } catch (cause) {
      throw fromNodeError(cause, path, 'open');
    }
    if (closed) return undefined;
    try {
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, at);
      at += bytesRead;
      return bytesRead === 0 || closed ? undefined : buffer.subarray(0, bytesRead);
    } catch (cause) {
      throw fromNodeError(cause, path, 'read');
    }
  }

  return {
    next() {
      const chunk = closed ? Promise.resolve(undefined) : read();
      reading = chunk.catch(() => undefined);
      return chunk;
    },
    async close() {
      closed = true;
      // The descriptor's number must not be another file's while a thread reads it.
      await reading;
      await handle?.close();
      handle = undefined;
    },
  };
}
