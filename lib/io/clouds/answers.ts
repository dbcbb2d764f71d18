/** Parts that the stores over clients have in common: headers, bodies, and what an error of a client means. */
import { types } from 'node:util';

import { isObject, TFRecordError } from '../../base';
import { refusalOf, StoreError, type StoreRefusal } from '../remote/object-store';

/** A stream of Node that a client gives. */
export interface ClientStream extends AsyncIterable<unknown> {
  on(event: string, listener: (...values: never[]) => void): unknown;
  destroy(): unknown;
}

/**
 * Returns the chunks of `stream`. It is destroyed when `signal` aborts and when the iterator returns, so that neither waits
 * for bytes that never come. Errors become those of `refused`.
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

/** The range that an answer holds, and the object's size, of its header `Content-Range: bytes 5-9/120`. */
export function contentRange(
  header: string | null | undefined,
): { start: number; size: number | undefined } | undefined {
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header ?? '') ?? [];
  return start === undefined ? undefined : { start: Number(start), size: size === '*' ? undefined : Number(size) };
}

/** Returns the time of `value`, a date or its text, in milliseconds since 1970; undefined if it is none. */
export function timeOf(value: Date | string | null | undefined): number | undefined {
  const time = value === null || value === undefined ? NaN : new Date(value).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** Facts about the error of a client, as far as they are known. */
export interface ClientFailure {
  /** HTTP status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** The name that the store gives the error: `NoSuchKey`. */
  readonly name: string | undefined;
  /** The refusal, where the name says more than the status. */
  readonly refusal?: StoreRefusal | undefined;
  /** Value of the header `Retry-After`. */
  readonly retryAfter?: string | null | undefined;
}

/**
 * Returns what `error`, thrown by a client, means. Its message is left out, and so is the error itself: both may hold
 * tokens and signed URLs. Errors of ours stay as they are.
 */
export function clientError(error: unknown, { status, name, refusal, retryAfter }: ClientFailure): Error {
  if (error instanceof StoreError || error instanceof TFRecordError) return error;
  const shown = name !== undefined && /^[\w.-]{1,80}$/.test(name) ? name : undefined;
  if (status !== undefined) {
    const answer = shown === undefined ? `HTTP ${status}` : `HTTP ${status} ${shown}`;
    const seconds = Number(retryAfter ?? NaN);
    const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
    return new StoreError(refusal ?? refusalOf(status), answer, { status, retryAfterMs });
  }
  const code = systemCodeOf(error);
  if (refusal === undefined && code !== undefined) return new StoreError('broken', code);
  return new StoreError(refusal ?? 'broken', shown ?? 'the connection broke');
}

/** Returns the code of the system's error in `error` or its causes: `ECONNRESET`. */
export function systemCodeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; isObject(at) && depth < 5; at = at['cause'], depth++) {
    const { code } = at;
    if (typeof code === 'string' && /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code)) return code;
  }
  return undefined;
}
