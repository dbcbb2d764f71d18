import type { ChunkPull } from './chunk-pull';

const SLICE_BYTES = 2 ** 20;

/** A Blob, slice by slice, so that never more than a slice of it is in memory on our behalf. */
export function pullBlob(blob: Blob): ChunkPull {
  let position = 0;
  return {
    async next() {
      if (position >= blob.size) return undefined;
      const slice = blob.slice(position, position + SLICE_BYTES);
      position += SLICE_BYTES;
      return new Uint8Array(await slice.arrayBuffer());
    },
    close() {
      position = Infinity;
      return Promise.resolve();
    },
  };
}
