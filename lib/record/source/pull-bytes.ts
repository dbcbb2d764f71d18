import { unchanged } from '../source-bytes';
import type { ChunkPull } from './chunk-pull';

/** One chunk: bytes in memory, `length` when they were given. They are copied piece by piece while they are read. */
export function pullBytes(bytes: Uint8Array, length: number, file: string): ChunkPull {
  let rest: Uint8Array | undefined = bytes;
  return {
    // Async: what it throws is to be a rejection.
    async next() {
      const chunk = rest;
      rest = undefined;
      return chunk === undefined ? undefined : unchanged(chunk, length, file);
    },
    close() {
      rest = undefined;
      return Promise.resolve();
    },
  };
}
