/** The policy for all stores: numbers of requests, read-ahead, time-outs and retries. */
import {
  checkBoolean,
  checkCallback,
  checkInteger,
  checkOptions,
  counted,
  isObject,
  tfrecordError,
  TFRecordError,
  thrownText,
  worded,
} from '../../base';
import { connectionError } from './connection-errors';
import { StoreError, type StoreRefusal } from './object-store';
import { checkHeaders, type RequestHeaders } from './request-headers';
import { errorOf, type ObjectTask } from './task-errors';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Options of {@link remoteOptions}. Unknown names throw. */
export interface RemoteOptions {
  /**
   * Headers of each request for an `https:` or `http:` URL, or a function that returns them, or a promise of them, for a URL.
   * Default: none.
   */
  readonly headers?:
    | Readonly<Record<string, string>>
    | ((url: string) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** Longest silence in milliseconds, before an answer or within one; then the request is ended and repeated. Default: 30,000. */
  readonly timeout?: number | undefined;
  /**
   * Slowest answer in bytes per second, measured over each `timeout` that is spent waiting for its bytes; then the request is
   * ended and repeated. 0: no limit. Default: 100.
   */
  readonly minBytesPerSecond?: number | undefined;
  /** Number of further attempts after a failed one. After every 64 KiB that arrive, the count begins anew. Default: 8. */
  readonly retries?: number | undefined;
  /** Shortest wait before a retry in milliseconds. Later waits are longer, and random. Default: 100. */
  readonly retryDelay?: number | undefined;
  /** Maximum number of requests that one reader has under way. Default: 8. */
  readonly concurrency?: number | undefined;
  /** Maximum number of bytes that one reader fetches ahead, once it has read as many in order and still waits. Default: 16 MiB. */
  readonly readAheadBytes?: number | undefined;
  /** Each answer must have the ETag of the first one. Default: true. */
  readonly checkTag?: boolean | undefined;
}

/** Checked options. */
export type RemotePolicy = { readonly [K in Exclude<keyof RemoteOptions, 'headers'>]-?: NonNullable<RemoteOptions[K]> };

/** Longest wait before a retry. A store may ask for a longer one. */
const LONGEST_WAIT_MS = 15_000;
/** A store that asks for more time than this is given up. */
const LONGEST_ASKED_MS = 120_000;
/** After so many bytes, failed attempts no longer count, unless they were slow. */
const PROGRESS_BYTES = 64 * KIB;

/** Refusals after which a later attempt may succeed. */
const PASSING: ReadonlySet<StoreRefusal> = new Set(['busy', 'broken', 'slow']);

/** Bytes of the first request, which also asks for the size. */
export const FIRST_BYTES = 64 * KIB;
/** An object of at most this size is kept in memory if its server gives it whole only. */
export const KEPT_BYTES = 8 * MIB;
/** Largest range of one request. */
const LARGEST_RANGE = 8 * MIB;
/** Smallest range that is fetched ahead. */
const LEAST_RANGE = 256 * KIB;

/** Maximum number of bytes of dropped ranges that one reader keeps for later ones. */
export const SPARE_BYTES = 2 * MIB;

/**
 * Returns how many bytes ahead a reader fetches if it has to wait after it has read `run` bytes in order, and the size of the
 * ranges that it requests.
 */
export function readAheadAfter(
  run: number,
  { readAheadBytes, concurrency }: RemotePolicy,
): { ahead: number; range: number } {
  const ahead = Math.min(run, readAheadBytes);
  return { ahead, range: Math.min(LARGEST_RANGE, Math.max(LEAST_RANGE, Math.ceil(ahead / concurrency))) };
}

/**
 * Joins ranges: pairs of first byte and end, in the order of the object. The smallest gaps are fetched, too, as long as all of
 * them have at most as many bytes as the ranges: a request costs more time than a few more bytes.
 */
export function joinRanges(ranges: readonly (readonly [start: number, end: number])[]): [start: number, end: number][] {
  const gaps = ranges.slice(1).map(([start], i) => ({ after: i, bytes: Math.max(0, start - ranges[i]![1]) }));
  let left = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  const joined = new Set<number>();
  for (const { after, bytes } of gaps.sort((a, b) => a.bytes - b.bytes)) {
    if (bytes > left) break;
    left -= bytes;
    joined.add(after);
  }
  const result: [number, number][] = [];
  ranges.forEach(([start, end], i) => {
    const last = result.at(-1);
    const fits = last !== undefined && joined.has(i - 1) && end - last[0] <= LARGEST_RANGE;
    if (fits) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  });
  return result;
}

let policy: RemotePolicy = checkPolicy({});
let headers: RemoteOptions['headers'];

/** The policy for sources that are opened from now on. */
export function currentPolicy(): RemotePolicy {
  return policy;
}

/** Resolves with the user's headers for `url`. Rejects with TFR_USER if the user's function fails, or returns other values. */
export async function headersFor(url: string, name: string): Promise<RequestHeaders> {
  if (typeof headers !== 'function') return headers ?? {};
  try {
    return checkHeaders('headers(url)', await headers(url));
  } catch (cause) {
    throw tfrecordError('TFR_USER', worded`headers() failed for ${name}: ${thrownText(cause)}`, { file: name, cause });
  }
}

/**
 * Sets how this thread reads the URLs that it opens from now on. An option that is left out gets its default.
 *
 * @example
 * remoteOptions({ headers: { authorization: `Bearer ${process.env.TOKEN}` }, timeout: 10_000 });
 *
 * @throws TypeError or RangeError for wrong options
 */
export function remoteOptions(options: RemoteOptions): void {
  const given = checkOptions(options, [
    'headers',
    'timeout',
    'minBytesPerSecond',
    'retries',
    'retryDelay',
    'concurrency',
    'readAheadBytes',
    'checkTag',
  ]);
  const sent =
    typeof given.headers === 'function' || given.headers === undefined
      ? checkCallback('options.headers', given.headers)
      : checkHeaders('options.headers', given.headers);
  policy = checkPolicy(given);
  headers = sent;
}

function checkPolicy(given: RemoteOptions): RemotePolicy {
  return {
    timeout: checkInteger('options.timeout', given.timeout, 1, 2 ** 31 - 1, 30_000),
    minBytesPerSecond: checkInteger('options.minBytesPerSecond', given.minBytesPerSecond, 0, 2 ** 30, 100),
    retries: checkInteger('options.retries', given.retries, 0, 1000, 8),
    retryDelay: checkInteger('options.retryDelay', given.retryDelay, 0, 60_000, 100),
    concurrency: checkInteger('options.concurrency', given.concurrency, 1, 256, 8),
    readAheadBytes: checkInteger('options.readAheadBytes', given.readAheadBytes, 0, 2 ** 30, 16 * MIB),
    checkTag: checkBoolean('options.checkTag', given.checkTag, true),
  };
}

/** Resolves as `answer` does. Rejects after `ms` milliseconds, and as soon as `signal` aborts, whatever the client does. */
export function heard<T>(answer: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const timer = setTimeout(() => {
      over();
      reject(new StoreError('broken', `no bytes arrived for ${ms} ms`));
    }, ms);
    const onAbort = (): void => {
      over();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    answer.then(resolve, reject).finally(over);
  });
}

/** Measures the speed of one answer, in the time that its bytes are waited for. */
export class AnswerSpeed {
  readonly #policy: RemotePolicy;
  #bytes = 0;
  #ms = 0;

  constructor(settings: RemotePolicy) {
    this.#policy = settings;
  }

  /** Notes that `bytes` came after a wait of `ms`. @throws StoreError `slow` */
  note(bytes: number, ms: number): void {
    this.#bytes += bytes;
    this.#ms += ms;
    const { timeout, minBytesPerSecond } = this.#policy;
    if (this.#ms < timeout) return;
    if (this.#bytes < (minBytesPerSecond * this.#ms) / 1000) {
      throw new StoreError('slow', `${counted(this.#bytes, 'byte')} came in ${Math.round(this.#ms)} ms`);
    }
    this.#bytes = this.#ms = 0;
  }
}

/** Counts the attempts of one task, waits between them, and ends them with an error. */
export class Attempts {
  readonly #policy: RemotePolicy;
  readonly #task: ObjectTask;
  readonly #signal: AbortSignal;
  #failed = 0;
  #slow = 0;
  #progress = 0;
  #wait = 0;

  constructor(settings: RemotePolicy, task: ObjectTask, signal: AbortSignal) {
    this.#policy = settings;
    this.#task = task;
    this.#signal = signal;
    this.#wait = settings.retryDelay;
  }

  /** Counts `bytes` that have arrived. */
  progressed(bytes: number): void {
    this.#progress += bytes;
    if (this.#progress < PROGRESS_BYTES) return;
    this.#progress = 0;
    this.#failed = 0;
    this.#wait = this.#policy.retryDelay;
  }

  /**
   * Notes that an attempt failed with `error`. Resolves when the next one may begin. Rejects with a TFRecordError if there is to
   * be none; with the signal's reason once it aborts. `range`: the bytes that are missing.
   */
  async failed(error: unknown, range?: { readonly start: number; readonly end: number }): Promise<void> {
    this.#signal.throwIfAborted();
    const failure = asStoreError(error);
    if (failure.refusal === 'slow') this.#slow++;
    this.#failed = Math.max(this.#failed + 1, this.#slow);
    const { retries, retryDelay } = this.#policy;
    const asked = failure.retryAfterMs ?? 0;
    const isFinal = !PASSING.has(failure.refusal);
    if (isFinal || this.#failed > retries || asked > LONGEST_ASKED_MS) {
      throw errorOf(failure, this.#task, { range, attempt: this.#failed, retries });
    }
    // Decorrelated jitter: many readers that failed together do not retry together.
    this.#wait = Math.min(LONGEST_WAIT_MS, retryDelay + Math.random() * Math.max(0, 3 * this.#wait - retryDelay));
    await pause(Math.max(this.#wait, asked), this.#signal);
  }
}

/** Calls `call` until it succeeds, or the policy allows no more attempts. */
export async function persist<T>(
  settings: RemotePolicy,
  task: ObjectTask,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const attempts = new Attempts(settings, task, signal);
  for (;;) {
    const attempt = linked(signal);
    try {
      return await heard(call(attempt.signal), settings.timeout, signal);
    } catch (error) {
      attempt.abort();
      await attempts.failed(error);
    } finally {
      attempt.unlink();
    }
  }
}

/** A controller that `signal` aborts, too, until it is unlinked. */
export function linked(signal: AbortSignal): AbortController & { unlink(): void } {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  return Object.assign(controller, { unlink: () => signal.removeEventListener('abort', onAbort) });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Errors that are no answer of the store, as those of the network, count as a broken connection. */
function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // Errors of this package need no further words.
  if (error instanceof TFRecordError) throw error;
  const known = connectionError(error, error);
  if (known !== undefined) return known;
  const text = thrownText(isObject(error) && isObject(error['cause']) ? error['cause'] : error).replace(/\.$/, '');
  // A text with a URL may hold a secret.
  return new StoreError('broken', text.includes('://') ? 'the request failed' : text, { cause: error });
}
