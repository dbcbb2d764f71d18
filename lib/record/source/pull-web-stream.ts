import { isErrored, isReadable, Readable } from 'node:stream';

import { checkChunk, type Chunk, type ChunkPull } from './chunk-pull';
import { usedSource } from './used-source';

/**
 * A web ReadableStream, which is locked now and cancelled by `close`. @throws TypeError ERR_INVALID_ARG_VALUE when it is
 * locked already, or was read to its end or cancelled.
 */
export function pullWebStream(stream: ReadableStream<Chunk>): ChunkPull {
  const wanted = 'a ReadableStream that can still be read';
  if (stream.locked) throw usedSource(stream, wanted, 'is locked by another reader');
  if (isSpent(stream)) throw usedSource(stream, wanted, 'was read to its end or cancelled');
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

/** A stream that was closed without a chunk is none: it is empty. Nor is one that failed: it tells why itself. */
function isSpent(stream: ReadableStream<Chunk>): boolean {
  const known = stream as unknown as Readable;
  return Readable.isDisturbed(known) && !isReadable(known) && !isErrored(known);
}
