import type { ChunkPull } from './chunk-pull';

/** One chunk: bytes in memory. They are copied piece by piece while they are read. */
export function pullBytes(bytes: Uint8Array): ChunkPull {
  let rest: Uint8Array | undefined = bytes;
  return {
    next() {
      const chunk = rest;
      rest = undefined;
      return Promise.resolve(chunk);
    },
    close() {
      rest = undefined;
      return Promise.resolve();
    },
  };
}
