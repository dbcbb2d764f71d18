import { constants, inflateSync } from 'node:zlib';

import type { Compression } from '../../../record';

/** Bytes that {@link contentKind} looks at. */
export const PROBE_BYTES = 4096;

/**
 * What begins with `head`; `whole`: nothing follows. Of text and of raw data too much looks like the two bytes that zlib
 * begins with (`x^` does), so it is zlib only if it can be inflated.
 */
export function contentKind(head: Uint8Array, whole: boolean): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08) return 'gzip';
  return startsZlib(head) && inflates(head.subarray(0, PROBE_BYTES), whole && head.length <= PROBE_BYTES)
    ? 'zlib'
    : 'none';
}

/** True if a stream of `kind` may begin with `bytes`. */
export function startsStream(bytes: Uint8Array, kind: 'gzip' | 'zlib'): boolean {
  return kind === 'zlib' ? startsZlib(bytes) : bytes[0] === 0x1f && (bytes.length < 2 || bytes[1] === 0x8b);
}

function startsZlib(bytes: Uint8Array): boolean {
  const [first = 0, second] = bytes;
  if ((first & 0x0f) !== 8 || first > 0x7f) return false;
  return second === undefined || (first * 256 + second) % 31 === 0;
}

function inflates(head: Uint8Array, whole: boolean): boolean {
  try {
    const finishFlush = whole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    return inflateSync(head, { finishFlush, maxOutputLength: 8 * 1024 * 1024 }).length > 0 || whole;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
  }
}
