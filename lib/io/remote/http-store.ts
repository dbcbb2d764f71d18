import { shownUrl } from '../../base';
import { contentRange, retryAfterMs, timeOf } from './answers';
import { byFetch, type HttpAnswer, type HttpTransport } from './http-transport';
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

/** Objects of HTTP servers, read by ranges. It never sends HEAD: signed URLs allow only GET, and a range shows the same facts. */
export class HttpStore implements ObjectStore {
  readonly #send: HttpTransport;

  constructor(send: HttpTransport = byFetch) {
    this.#send = send;
  }

  async read(url: string, { start, end, fresh }: ObjectRange, signal: AbortSignal): Promise<ObjectBody> {
    const { href, authorization } = withoutUser(url);
    const headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(fresh === true ? { 'cache-control': 'no-cache' } : {}),
      ...(await headersFor(href, shownUrl(url))),
    };
    const range = `bytes=${start}-${Number.isFinite(end) ? end - 1 : ''}`;
    const answer = await this.#send(href, { headers: { ...headers, range }, signal });
    // A part of an encoded body cannot be decoded; the whole body can. The first range of an empty object may be refused.
    const isEncodedPart = answer.status === 206 && isInflated(answer);
    const isPerhapsEmpty = answer.status === 416 && start === 0 && sizeBeyond(answer) === undefined;
    if (!isEncodedPart && !isPerhapsEmpty) return bodyOf(answer);
    await drop(answer);
    const whole = await this.#send(href, { headers: { ...headers, 'accept-encoding': 'identity' }, signal });
    if (whole.status !== 206 && whole.status !== 416) return bodyOf(whole);
    await drop(whole);
    throw new StoreError('broken', `HTTP ${whole.status} to a request of the whole object`);
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

/** True if the body is not the stored bytes, because it was encoded and has been inflated. */
function isInflated({ inflates, header }: HttpAnswer): boolean {
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? '';
  return inflates && encoding !== '' && encoding !== 'identity';
}

async function bodyOf(answer: HttpAnswer): Promise<ObjectBody> {
  const { status, statusText, header, chunks } = answer;
  const range = contentRange(header('content-range'));
  if (status === 206) {
    if (range !== undefined) return { ...factsOf(answer, range.size), start: range.start, chunks };
    await drop(answer);
    throw new StoreError('broken', 'HTTP 206 without a Content-Range of bytes');
  }
  if (status === 200) {
    const length = header('content-length');
    const size = !isInflated(answer) && length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
    return { ...factsOf(answer, size), start: 0, whole: true, chunks };
  }
  await drop(answer);
  throw new StoreError(refusalOf(status), `HTTP ${status}${statusText === '' ? '' : ` ${statusText}`}`, {
    status,
    retryAfterMs: retryAfterMs(header('retry-after')),
    size: sizeBeyond(answer),
  });
}

/** Returns the size of the object that an answer with status 416 names. */
function sizeBeyond({ header }: HttpAnswer): number | undefined {
  const [, size] = /\/(\d+)\s*$/.exec(header('content-range') ?? '') ?? [];
  return size === undefined ? undefined : Number(size);
}

function factsOf({ header }: HttpAnswer, size: number | undefined): ObjectFacts {
  return { size, tag: tagOf(header('etag')), mtimeMs: timeOf(header('last-modified')) };
}

/** Releases the connection of an answer that is not read. */
async function drop({ chunks }: HttpAnswer): Promise<void> {
  await chunks.return?.().catch(() => undefined);
}
