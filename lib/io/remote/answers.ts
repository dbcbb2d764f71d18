/** Bodies and headers of answers, as the clients of stores give them. */
import { types } from 'node:util';

import { StoreError } from './object-store';

/** A stream of Node that a client gives. */
export interface ClientStream extends AsyncIterable<unknown> {
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  destroy(): unknown;
}

/**
 * Returns the chunks of `stream`, which is destroyed when `signal` aborts and when the iterator returns, so that neither waits
 * for bytes that never arrive. `refused` converts its errors.
 */
export function chunksOf(
  stream: ClientStream,
  signal: AbortSignal,
  refused: (error: unknown) => Error,
): AsyncIterator<Uint8Array> {
  const destroy = (): void => void stream.destroy();
  // A destroyed stream may still report the end of its connection.
  stream.on('error', () => undefined);
  signal.addEventListener('abort', destroy, { once: true });
  if (signal.aborted) destroy();
  const iterator = stream[Symbol.asyncIterator]();
  return {
    async next() {
      try {
        const step = await iterator.next();
        if (step.done !== true && types.isUint8Array(step.value)) return { done: false, value: step.value };
        signal.removeEventListener('abort', destroy);
        if (step.done !== true) throw new StoreError('broken', 'the client gives no bytes');
        return { done: true, value: undefined };
      } catch (error) {
        throw refused(error);
      }
    },
    return() {
      signal.removeEventListener('abort', destroy);
      destroy();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

/**
 * Returns the start of a range and the size of the object, from a header such as `Content-Range: bytes 5-9/120`; undefined if
 * the range does not lie in the object.
 */
export function contentRange(
  header: string | null | undefined,
): { start: number; size: number | undefined } | undefined {
  const [, start, last, total] = /^\s*bytes\s+(\d+)-(\d+)\/(\d+|\*)\s*$/i.exec(header ?? '') ?? [];
  if (start === undefined) return undefined;
  const size = total === '*' ? undefined : Number(total);
  if (Number(last) < Number(start) || Number(last) >= (size ?? Infinity)) return undefined;
  return { start: Number(start), size };
}

/** Returns `value`, a date or its text, in milliseconds since 1970; undefined if it is not a date. */
export function timeOf(value: Date | string | null | undefined): number | undefined {
  const time = value === null || value === undefined ? NaN : new Date(value).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the time of a header `Retry-After`, seconds or a date, in milliseconds from now. */
export function retryAfterMs(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
