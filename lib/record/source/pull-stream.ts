import { Readable, isErrored, isReadable } from 'node:stream';

import { checkChunk, take, usedSource, type Chunk, type ChunkPull } from './pull-bytes';

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
