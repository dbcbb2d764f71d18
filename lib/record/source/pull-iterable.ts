import { checkChunk, type ChunkPull } from './chunk-pull';

/** The chunks of a synchronous or asynchronous iterable, which is closed by its `return()`. */
export function pullIterable(iterable: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): ChunkPull {
  const iterator: Iterator<unknown> | AsyncIterator<unknown> =
    Symbol.asyncIterator in iterable ? iterable[Symbol.asyncIterator]() : iterable[Symbol.iterator]();
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
      if (step.done !== true) return checkChunk(step.value);
      over = true;
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
