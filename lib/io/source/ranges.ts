import { counted, invalidArgValue, lengthOf } from '../../base';
import type { ChunkPull, RangedSource } from './byte-source';
import { checkChunk, type Chunk } from './chunks';

/** Maximum size of one read, in bytes. */
export const RANGE_BYTES = 2 ** 20;

/**
 * Reads up to `length` bytes of `source` from byte `at` on, none if the source has none, and calls `use` with them; they
 * may change right after the call. Rejects as {@link checkRange} throws, and with the error of the source or of `use`.
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

/** @throws TypeError with Node's codes if `chunk` is no bytes, or more than `length`: they may begin anywhere */
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
      const chunk = checkRange(source, at, length, await source.read(at, length, closing.signal));
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
