import { Readable } from 'node:stream';

import { checkChunk, type ChunkPull } from './chunk-pull';

/** A Node stream of bytes, which is destroyed by `close`. */
export function pullNodeStream(stream: NodeJS.ReadableStream): ChunkPull {
  const readable = toReadable(stream);
  const iterator = readable[Symbol.asyncIterator]() as AsyncIterator<unknown>;
  let over = false;
  return {
    async next() {
      if (over) return undefined;
      const step = await iterator.next();
      if (step.done !== true) return checkChunk(step.value);
      over = true;
      return undefined;
    },
    close() {
      if (!over) {
        over = true;
        // Streams that fail while they are destroyed have nobody left to tell.
        readable.on('error', () => undefined);
        readable.destroy();
      }
      return Promise.resolve();
    },
  };
}

/** Streams older than Node's second stream interface are wrapped. */
function toReadable(stream: NodeJS.ReadableStream): Readable {
  return 'destroy' in stream && Symbol.asyncIterator in stream
    ? (stream as unknown as Readable)
    : new Readable().wrap(stream);
}
