import { Readable } from 'node:stream';

import { checkChunk, type ChunkPull } from './chunk-pull';
import { take, usedSource } from './used-source';

/**
 * A Node stream of bytes, which is destroyed by `close`. What others read of it before is missing, as with Node's own
 * `pipeline`. @throws TypeError ERR_INVALID_ARG_VALUE when it has ended, was destroyed, or is read by us already.
 */
export function pullNodeStream(stream: NodeJS.ReadableStream): ChunkPull {
  const wanted = 'a stream that can still be read';
  if (isOver(stream)) throw usedSource(stream, wanted, 'has ended or was destroyed');
  if (take(stream)) throw usedSource(stream, wanted, 'is being read already');
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

/** One that failed is not: reading it tells why. */
function isOver(stream: NodeJS.ReadableStream & { readonly errored?: unknown }): boolean {
  // Streams older than Node's second stream interface may say nothing.
  return (stream.readable as boolean | undefined) === false && (stream.errored ?? null) === null;
}

/** Streams older than Node's second stream interface are wrapped. */
function toReadable(stream: NodeJS.ReadableStream): Readable {
  return 'destroy' in stream && Symbol.asyncIterator in stream
    ? (stream as unknown as Readable)
    : new Readable().wrap(stream);
}
