/** Sends HTTP requests through a dispatcher of undici, which is faster than `fetch`. */
import { chunksOf, type ClientStream } from './answers';
import type { HttpAnswer, HttpRequest, HttpTransport } from './http-transport';
import { StoreError } from './object-store';

/** A dispatcher of `undici`: `Agent`, `Pool`, `ProxyAgent`, `EnvHttpProxyAgent`, or one made by `compose()`. */
export interface HttpDispatcherLike {
  /** Sends a request. */
  request(options: {
    readonly origin: string;
    readonly path: string;
    readonly method: 'GET';
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
  }): Promise<HttpDispatcherAnswer>;
}

interface HttpDispatcherAnswer {
  readonly statusCode: number;
  readonly headers: object;
  readonly body: ClientStream;
}

/** As many as `fetch` follows. */
const MAX_REDIRECTIONS = 20;
const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that `fetch` does not send to another origin, either. */
const SECRETS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization', 'host']);

/** Sends through `dispatcher`, and follows redirects as `fetch` does. Bodies are the stored bytes. */
export function byDispatcher(dispatcher: HttpDispatcherLike): HttpTransport {
  return async (url, { headers, signal }) => {
    let at = new URL(url);
    let sent: HttpRequest['headers'] = { 'accept-encoding': 'identity', ...headers };
    for (let followed = 0; ; followed++) {
      const { origin, pathname, search } = at;
      const options = { origin, path: `${pathname}${search}`, method: 'GET', headers: { ...sent }, signal } as const;
      const answer = answerOf(await dispatcher.request(options), signal);
      const location = REDIRECTIONS.has(answer.status) ? answer.header('location') : undefined;
      if (location === undefined) return answer;
      await answer.chunks.return?.();
      at = redirected(at, location, followed);
      if (at.origin !== origin) sent = withoutSecrets(sent);
    }
  };
}

/** @throws StoreError for too many redirects, and for one that does not lead to an HTTP server */
function redirected(from: URL, location: string, followed: number): URL {
  if (followed >= MAX_REDIRECTIONS) throw new StoreError('refused', `more than ${MAX_REDIRECTIONS} redirects`);
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (to?.protocol !== 'https:' && to?.protocol !== 'http:') {
    throw new StoreError('refused', 'a redirect that leads to no HTTP server');
  }
  return to;
}

function withoutSecrets(headers: HttpRequest['headers']): HttpRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRETS.has(name.toLowerCase())));
}

function answerOf({ statusCode, headers, body }: HttpDispatcherAnswer, signal: AbortSignal): HttpAnswer {
  const values: Readonly<Record<string, unknown>> = { ...headers };
  const header = (name: string): string | undefined => {
    const value = values[name];
    // A header that comes twice is a list.
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === 'string' ? first : undefined;
  };
  const chunks = chunksOf(body, signal, (error) => (error instanceof Error ? error : new Error(String(error))));
  return { status: statusCode, statusText: '', header, inflates: false, chunks };
}
