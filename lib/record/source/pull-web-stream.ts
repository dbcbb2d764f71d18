import { checkChunk, type ChunkPull } from './chunk-pull';

/** A web ReadableStream, which is locked now and cancelled by `close`. @throws TypeError when it is locked already. */
export function pullWebStream(stream: ReadableStream<Uint8Array>): ChunkPull {
  const reader = stream.getReader();
  let over = false;
  return {
    async next() {
      if (over) return undefined;
      const step = await reader.read();
      if (!step.done) return checkChunk(step.value);
      over = true;
      reader.releaseLock();
      return undefined;
    },
    async close() {
      if (over) return;
      over = true;
      // A stream that failed rejects its cancellation with the same error, which `next` told already.
      await reader.cancel().catch(() => undefined);
    },
  };
}
