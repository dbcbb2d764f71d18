import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The HTTP status of a refused request, and the reason. */
export interface Refusal {
  readonly status: 403 | 404 | 405 | 505;
  readonly reason: string;
}

/**
 * Accepts only requests of this server's own page. A page of another site can send requests to a server on loopback,
 * directly or through a name that resolves to 127.0.0.1, but it does not know the token, and has another Host or
 * Origin.
 */
export class Guard {
  /** A random word in the address. Requests without it are refused. */
  readonly token = randomBytes(24).toString('base64url');
  readonly #hash = hashOf(this.token);
  #hosts: ReadonlySet<string> = new Set();

  /** Sets the port of the server. */
  set port(port: number) {
    this.#hosts = new Set(['127.0.0.1', '[::1]', 'localhost'].map((name) => `${name}:${port}`));
  }

  /** Returns the path after the token, which begins with a slash, or a refusal. */
  check(request: IncomingMessage, needsOrigin: boolean): string | Refusal {
    const { method, url = '', headers } = request;
    const { host = '', origin } = headers;
    // Node's parser accepts versions 0.9 and 2.0.
    if (request.httpVersionMajor !== 1) return { status: 505, reason: 'Only HTTP/1.1 is answered.' };
    if (!this.#hosts.has(host)) return { status: 403, reason: 'The Host is not that of this server.' };
    if (origin === undefined ? needsOrigin : origin !== `http://${host}`) {
      return { status: 403, reason: 'The Origin is not that of this server.' };
    }
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, reason: 'Only GET and HEAD are answered.' };
    const [, token = '', path = ''] = /^\/([^/?#]*)(\/[^?#]*)?(?:\?[^#]*)?$/.exec(url) ?? [];
    if (!timingSafeEqual(hashOf(token), this.#hash)) {
      return { status: 403, reason: 'The address has a wrong token: use the one that tfrecord view has printed.' };
    }
    // Names of the page's files are plain: paths with escapes, or that lead upwards, are invalid.
    if (!/^(?:\/[\w-][\w.-]*)*\/?$/.test(path)) return { status: 404, reason: 'There is no such file.' };
    return path;
  }
}

/** Hashes have a constant length, so comparing them does not reveal the length of the token. */
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
