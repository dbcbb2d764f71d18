/**
 * The interface between this package and a store of objects: HTTP servers, S3, GCS, Azure. A store makes one request for
 * each call and retries nothing; `policy.ts` does that for all of them. An object is named by its URL, as the user gave it.
 */

/** Facts about one object, as far as the store states them. */
export interface ObjectFacts {
  /** Number of stored bytes. */
  readonly size?: number | undefined;
  /**
   * A text that differs if the bytes differ: a strong ETag without quotes, or a generation. Absent for weak ETags, which
   * promise less.
   */
  readonly tag?: string | undefined;
  /** Time of the last change, in milliseconds since 1970. */
  readonly mtimeMs?: number | undefined;
}

/** The bytes that are wanted: from `start` to before `end`, at least one. */
export interface ObjectRange {
  readonly start: number;
  readonly end: number;
  /** The store refuses to read an object with another tag (`changed`), if it can check that. */
  readonly tag?: string | undefined;
  /** Bypasses caches between this process and the store. */
  readonly fresh?: boolean | undefined;
}

/** The answer to a read. */
export interface ObjectBody extends ObjectFacts {
  /** The byte of the object at which the body begins. The body may be shorter or longer than the range: readers check that. */
  readonly start: number;
  /** The store sends the whole object instead of the range. */
  readonly whole?: boolean | undefined;
  /**
   * The stored bytes, in order. `return()` releases the connection, also before the end. Errors of the network may be
   * thrown unchanged; they count as `broken`.
   */
  readonly chunks: AsyncIterator<Uint8Array>;
}

/** One object of a listing. */
export interface ListedObject extends ObjectFacts {
  /** Its URL. */
  readonly url: string;
}

/**
 * An object that is written in parts. It exists for others only after `finish`, and then whole. Parts may be sent again after
 * an error, with the same bytes.
 */
export interface ObjectUpload {
  /** Minimum size of each part but the last, in bytes. Their sizes are multiples of it. */
  readonly partBytes: number;
  /** Number of parts that an object may have. */
  readonly maxParts: number;
  /** Number of parts that may be under way at once; 1 for a store that wants them in order. */
  readonly maxParallel: number;
  /** Sends part `index`, from 0. The memory of `bytes` may be reused afterwards. `last`: no part follows. */
  put(index: number, bytes: Uint8Array, last: boolean, signal: AbortSignal): Promise<void>;
  /** Publishes the object, of `parts` parts. */
  finish(parts: number, signal: AbortSignal): Promise<ObjectFacts>;
  /** Gives the object up, and removes its parts. Never rejects. */
  abort(): Promise<void>;
}

/**
 * A store of objects. Its calls reject with a {@link StoreError} if the store refuses, with any error if the connection breaks,
 * and soon after `signal` aborts. `signal` also ends the body of a read.
 */
export interface ObjectStore {
  /** Returns the facts of an object without reading it. Absent: servers of the store may refuse such requests. */
  look?(url: string, signal: AbortSignal): Promise<ObjectFacts>;
  /** Reads a range. Resolves when the answer has begun. */
  read(url: string, range: ObjectRange, signal: AbortSignal): Promise<ObjectBody>;
  /**
   * Lists the objects whose URLs begin with `prefix`, page by page, in any order. Absent: the store cannot list objects, so its
   * URLs are never patterns.
   */
  list?(prefix: string, signal: AbortSignal): AsyncIterable<readonly ListedObject[]>;
  /** Begins to write an object. Absent: the store is read-only. */
  upload?(url: string, signal: AbortSignal): Promise<ObjectUpload>;
}

/**
 * The kinds of refusals:
 *
 * - `missing`: there is no such object.
 * - `denied`: the caller may not read or write it.
 * - `changed`: it has another tag than the range names.
 * - `beyond`: the range begins at or after the end of the object.
 * - `unsupported`: the server does not support the request, such as that of `look`.
 * - `busy`: the store is overloaded, or failed. A later attempt may succeed, as after `broken` and `slow`.
 * - `broken`: the answer breaks the rules of the store, or the connection broke.
 * - `slow`: the answer comes more slowly than the policy allows.
 * - `untrusted`: TLS failed for good: the certificate of the server, or that of the client, was not accepted.
 * - `refused`: anything else that another attempt will not change.
 */
export type StoreRefusal =
  'missing' | 'denied' | 'changed' | 'beyond' | 'unsupported' | 'busy' | 'broken' | 'slow' | 'untrusted' | 'refused';

/** The refusal of a store. The reader turns it into a TFRecordError, which names the object and the range. */
export class StoreError extends Error {
  readonly refusal: StoreRefusal;
  /** HTTP status, if there was one. */
  readonly status: number | undefined;
  /** Code of the system's error, if the connection failed: `ECONNRESET`. */
  readonly code: string | undefined;
  /** Time that the store asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;
  /** Size of the object, if a `beyond` answer names it. */
  readonly size: number | undefined;

  /** `answer`: the store's answer in a few words, without credentials: `HTTP 503 Service Unavailable`. */
  constructor(
    refusal: StoreRefusal,
    answer: string,
    facts: {
      readonly status?: number | undefined;
      readonly code?: string | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly size?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(answer, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.refusal = refusal;
    this.status = facts.status;
    this.code = facts.code;
    this.retryAfterMs = facts.retryAfterMs;
    this.size = facts.size;
  }
}

/**
 * Returns the refusal that an HTTP status means for stores whose clients report one: 404 and 410 `missing`, 401 and 403
 * `denied`, 412 `changed`, 416 `beyond`, 405 and 501 `unsupported`, 408, 425, 429 and all other 5xx `busy`, else `refused`.
 */
export function refusalOf(status: number): StoreRefusal {
  switch (status) {
    case 401:
    case 403:
    case 407:
      return 'denied';
    case 404:
    case 410:
      return 'missing';
    case 405:
    case 501:
      return 'unsupported';
    case 408:
    case 425:
    case 429:
      return 'busy';
    case 412:
      return 'changed';
    case 416:
      return 'beyond';
    default:
      return status >= 500 ? 'busy' : 'refused';
  }
}

/** Returns a header's ETag as a tag: without quotes; undefined for a weak one, and for none. */
export function tagOf(etag: string | null | undefined): string | undefined {
  if (etag === null || etag === undefined || /^\s*W\//i.test(etag)) return undefined;
  const tag = etag.trim().replace(/^"(.*)"$/s, '$1');
  return tag === '' ? undefined : tag;
}
