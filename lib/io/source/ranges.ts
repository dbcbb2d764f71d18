import { counted, invalidArgValue, lengthOf } from '../../base';
import type { ChunkPull, RangedSource } from './byte-source';
import { checkChunk, type Chunk } from './chunks';

/** Maximum size of one read, in bytes. */
export const RANGE_BYTES = 2 ** 20;

/**
 * Reads up to `length` bytes of `source` from byte `at` on; none if the source has none. @throws TypeError with Node's
 * codes if the source gives something else, or more bytes: they may begin anywhere. Rejects with the source's own error.
 */
async function readRange(source: RangedSource, at: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
  return checkRange(source, at, length, await source.read(at, length, signal));
}

/**
 * Reads as {@link readRange} does, but calls `use` with the bytes, which may change right after the call. Resolves once
 * `use` was called. Rejects with its error, too.
 */
export async function useRange(
  source: RangedSource,
  at: number,
  length: number,
  use: (bytes: Uint8Array) => void,
  signal?: AbortSignal,
): Promise<void> {
  const useChunk = (chunk: Chunk): void => use(checkRange(source, at, length, chunk));
  if (source.lend === undefined) useChunk(await source.read(at, length, signal));
  else await source.lend(at, length, useChunk, signal);
}

function checkRange(source: RangedSource, at: number, length: number, chunk: Chunk): Uint8Array {
  const bytes = checkChunk(chunk);
  const found = lengthOf(bytes);
  if (found > length) throw wrongLength(source, at, length, found);
  return bytes;
}

function wrongLength({ name }: RangedSource, at: number, length: number, found: number): TypeError {
  return invalidArgValue('chunk', `1 to ${length} bytes of ${name} from byte ${at} on`, counted(found, 'byte'));
}

/** Pulls the bytes of `source` from byte `from` on, range by range: only one range of them is in memory for us. */
export function pullRanges(source: RangedSource, from: number): ChunkPull {
  const closing = new AbortController();
  let at = from;
  return {
    async next() {
      if (closing.signal.aborted || (source.size !== undefined && at >= source.size)) return undefined;
      const length = Math.min(RANGE_BYTES, (source.size ?? Infinity) - at);
      const chunk = await readRange(source, at, length, closing.signal);
      const read = lengthOf(chunk);
      if (read === 0 && source.size !== undefined) throw wrongLength(source, at, length, read);
      at += read;
      return read === 0 ? undefined : chunk;
    },
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}
