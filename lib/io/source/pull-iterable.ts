import { types } from 'node:util';

import { isAsyncIterable } from '../../base';
import type { ChunkPull } from './byte-source';
import { checkChunk, take, usedSource, type Chunk } from './chunks';

/**
 * Pulls the chunks of a synchronous or asynchronous iterable. `close` calls the iterator's `return()`. A generator that
 * other code has finished looks like an empty one.
 * @throws TypeError ERR_INVALID_ARG_VALUE for a generator that we have read before. For other iterators that give nothing
 * the second time, `next` rejects with it.
 */
export function pullIterable(iterable: Iterable<Chunk> | AsyncIterable<Chunk>): ChunkPull {
  const iterator: Iterator<unknown> | AsyncIterator<unknown> = isAsyncIterable(iterable)
    ? iterable[Symbol.asyncIterator]()
    : iterable[Symbol.iterator]();
  const again = (iterator as unknown) === iterable && take(iterable);
  const used = (): TypeError =>
    usedSource(iterable, 'an iterable that can still be read', 'is an iterator that was read before');
  if (again && types.isGeneratorObject(iterable)) throw used();
  let empty = true;
  let pending = false;
  let over = false;
  return {
    async next() {
      if (over) return undefined;
      let step: IteratorResult<unknown>;
      pending = true;
      try {
        step = await iterator.next();
      } catch (error) {
        over = true;
        throw error;
      } finally {
        pending = false;
      }
      if (step.done !== true) {
        empty = false;
        return checkChunk(step.value);
      }
      over = true;
      if (again && empty) throw used();
      return undefined;
    },
    async close() {
      if (over) return;
      over = true;
      const returned = Promise.resolve(iterator.return?.());
      // An async generator answers `return` only after a pending `next`, which may never come.
      if (pending) returned.catch(() => undefined);
      else await returned;
    },
  };
}
