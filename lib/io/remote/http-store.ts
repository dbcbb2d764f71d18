import { shownUrl } from '../../base';

import {
  refusalOf,
  StoreError,
  tagOf,
  type ObjectBody,
  type ObjectFacts,
  type ObjectRange,
  type ObjectStore,
} from './object-store';
import { headersFor } from './policy';

/** The part of `fetch` that is used. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Objects of HTTP servers, by ranges. It never asks by HEAD: signed URLs allow GET only, and a range tells as much. */
export class HttpStore implements ObjectStore {
  readonly #fetch: Fetch;

  /** Default: the global `fetch` at the time of a request. */
  constructor(fetchUrl: Fetch = (url, init) => fetch(url, init)) {
    this.#fetch = fetchUrl;
  }

  async read(url: string, { start, end, fresh }: ObjectRange, signal: AbortSignal): Promise<ObjectBody> {
    const { href, authorization } = withoutUser(url);
    const headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(fresh === true ? { 'cache-control': 'no-cache' } : {}),
      ...(await headersFor(href, shownUrl(url))),
    };
    const range = `bytes=${start}-${Number.isFinite(end) ? end - 1 : ''}`;
    // `fetch` accepts no encoding of a range: it counts stored bytes.
    const response = await this.#fetch(href, { headers: { ...headers, range }, signal });
    if (response.status !== 206 || !isEncoded(response)) return bodyOf(response);
    // A part of an encoded body cannot be decoded; the whole body can.
    await drop(response);
    return bodyOf(await this.#fetch(href, { headers: { ...headers, 'accept-encoding': 'identity' }, signal }));
  }
}

/** Returns the URL without the name and password in it, and these as a header: `fetch` refuses, and shows, such a URL. */
function withoutUser(url: string): { readonly href: string; readonly authorization?: string } {
  const parsed = new URL(url);
  const { username, password } = parsed;
  if (username === '' && password === '') return { href: parsed.href };
  parsed.username = '';
  parsed.password = '';
  const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { href: parsed.href, authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** True if the stored bytes are compressed for the way: `fetch` inflates them. */
function isEncoded({ headers }: Response): boolean {
  const encoding = headers.get('content-encoding');
  return encoding !== null && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity';
}

async function bodyOf(response: Response): Promise<ObjectBody> {
  const { status, headers } = response;
  if (status === 206) {
    const [, start, size] = /^\s*bytes\s+(\d+)-\d+\/(\d+|\*)\s*$/i.exec(headers.get('content-range') ?? '') ?? [];
    if (start === undefined) {
      await drop(response);
      throw new StoreError('broken', 'HTTP 206 without a Content-Range of bytes');
    }
    return { ...factsOf(headers, size === '*' ? undefined : size), start: Number(start), chunks: chunksOf(response) };
  }
  if (status === 200) {
    const length = isEncoded(response) ? undefined : (headers.get('content-length') ?? undefined);
    return { ...factsOf(headers, length), start: 0, whole: true, chunks: chunksOf(response) };
  }
  await drop(response);
  const [, size] = /\/(\d+)\s*$/.exec(headers.get('content-range') ?? '') ?? [];
  throw new StoreError(
    refusalOf(status),
    `HTTP ${status}${response.statusText === '' ? '' : ` ${response.statusText}`}`,
    {
      status,
      retryAfterMs: retryAfter(headers.get('retry-after')),
      size: size === undefined ? undefined : Number(size),
    },
  );
}

function factsOf(headers: Headers, size: string | undefined): ObjectFacts {
  const changed = Date.parse(headers.get('last-modified') ?? '');
  return {
    size: size !== undefined && /^\d+$/.test(size) ? Number(size) : undefined,
    tag: tagOf(headers.get('etag')),
    mtimeMs: Number.isNaN(changed) ? undefined : changed,
  };
}

/** Returns the time of a Retry-After header, seconds or a date, in milliseconds from now. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function chunksOf({ body }: Response): AsyncIterator<Uint8Array> {
  if (body === null) return { next: () => Promise.resolve({ done: true, value: undefined }) };
  const reader = body.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done: false, value };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/** Releases the connection of an answer that is not read. */
async function drop({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined);
}
