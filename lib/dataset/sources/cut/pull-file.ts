import { open, type FileHandle } from 'node:fs/promises';

import { fromNodeError, type ChunkPull } from '../../../record';

const READ_BYTES = 256 * 1024;

/** The bytes of the regular file `file`, which lies `at`, from `offset` on. A chunk is valid until the next call. */
export function pullFile(file: string, at: string, offset: number): ChunkPull {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  let handle: FileHandle | undefined;
  let next = offset;
  let closed = false;
  let reading: Promise<unknown> = Promise.resolve();

  async function read(): Promise<Uint8Array | undefined> {
    try {
      handle ??= await open(at, 'r');
    } catch (cause) {
      throw fromNodeError(cause, file, 'open');
    }
    if (closed) return undefined;
    try {
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, next);
      next += bytesRead;
      return bytesRead === 0 || closed ? undefined : buffer.subarray(0, bytesRead);
    } catch (cause) {
      throw fromNodeError(cause, file, 'read');
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
