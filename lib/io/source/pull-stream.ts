import { Readable, isErrored, isReadable } from 'node:stream';

import type { ChunkPull } from './byte-source';
import { checkChunk, take, usedSource, type Chunk } from './chunks';

/**
 * Pulls from a Node stream of bytes; `close` destroys it. Bytes that other code has already read are missing, as with
 * Node's own `pipeline`.
 * @throws TypeError ERR_INVALID_ARG_VALUE if the stream has ended, was destroyed, or is already being read by us.
 */
export function pullNodeStream(stream: NodeJS.ReadableStream): ChunkPull {
  const wanted = 'a stream that can still be read';
  if (isOver(stream)) throw usedSource(stream, wanted, 'has ended or was destroyed');
  if (take(stream)) throw usedSource(stream, wanted, 'is being read already');
  const readable = toReadable(stream);
  const iterator: AsyncIterator<unknown> = readable[Symbol.asyncIterator]();
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
        // Nobody is left to handle an error of destroying the stream.
        readable.on('error', () => undefined);
        readable.destroy();
      }
      return Promise.resolve();
    },
  };
}

/** True if `stream` has ended or was destroyed. A failed stream is not over: reading it reports the error. */
function isOver(stream: { readonly readable?: boolean; readonly errored?: unknown }): boolean {
  // Streams older than Node's second stream interface may have no `readable`.
  return stream.readable === false && (stream.errored ?? null) === null;
}

/** Streams older than Node's second stream interface are wrapped. */
function toReadable(stream: NodeJS.ReadableStream): Readable {
  return isModern(stream) ? stream : new Readable().wrap(stream);
}

/** True for streams with Node's second stream interface or a later one. */
function isModern(stream: NodeJS.ReadableStream): stream is Readable {
  return 'destroy' in stream && Symbol.asyncIterator in stream;
}

/**
 * Pulls from a web ReadableStream. Locks it at once; `close` cancels it.
 * @throws TypeError ERR_INVALID_ARG_VALUE if it is already locked, was read to its end, or was cancelled.
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
      // A failed stream rejects its cancellation with the error that `next` has already reported.
      await reader.cancel().catch(() => undefined);
    },
  };
}

/**
 * True if `stream` was read to its end or cancelled. A stream that was closed without a chunk is just empty, and reading
 * a failed one reports its error.
 */
function isSpent(stream: ReadableStream<Chunk>): boolean {
  const known = stream as unknown as Readable;
  return Readable.isDisturbed(known) && !isReadable(known) && !isErrored(known);
}
