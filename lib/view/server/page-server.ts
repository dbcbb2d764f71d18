import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import sirv from 'sirv';
import { WebSocketServer } from 'ws';

import { codeOf, fromNodeError } from '../../base';
import type { Host } from '../host';
import { Connections } from './connections';
import { Guard, type Refusal } from './guard';
import { SocketPort } from './socket-port';

/** Maximum bytes of a message of a page, and of the head of a request. */
const MESSAGE_BYTES = 128 * 1024;
const HEAD_BYTES = 8 * 1024;
/** Maximum number of open pages. */
const MAX_PAGES = 16;
const HEAD_MS = 10_000;

const LOOPBACK = ['127.0.0.1', '::1'] as const;

/** The page loads its own files only, and sends no request to other servers. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    'media-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Cache-Control': 'no-store',
} as const;

/** Serves the page, and its channel to the host, on loopback, to clients that know the token. */
export class PageServer {
  readonly #guard = new Guard();
  readonly #channels = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false });
  readonly #servers: Server[] = [];
  readonly #host: Host;
  readonly #pages: ReturnType<typeof sirv>;
  #port = 0;

  /** @param folder the folder of the built page */
  constructor(host: Host, folder: string) {
    this.#host = host;
    this.#pages = sirv(folder, { etag: true, dotfiles: false });
  }

  /** The address of the page, with the token. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}/${this.#guard.token}/`;
  }

  /**
   * Listens on 127.0.0.1, and on ::1 if that exists and its port is free. @param port 0 for any free port
   * @throws TFRecordError with Node's code if the port is in use
   */
  async listen(port: number): Promise<void> {
    for (const address of LOOPBACK) {
      const server = this.#newServer();
      try {
        await listening(server, this.#port === 0 ? port : this.#port, address);
      } catch (error) {
        if (address !== LOOPBACK[0]) break;
        const hint = codeOf(error) === 'EADDRINUSE' ? 'Choose another port, or 0 for any free one' : '';
        throw fromNodeError(error, `${address}:${port}`, 'listen', hint);
      }
      this.#servers.push(server);
      const bound = server.address();
      this.#port = typeof bound === 'object' && bound !== null ? bound.port : port;
      this.#guard.port = this.#port;
    }
  }

  /** Closes the server and all connections. */
  async close(): Promise<void> {
    for (const client of this.#channels.clients) client.terminate();
    await Promise.all(
      this.#servers.map(
        (server) =>
          new Promise<void>((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      ),
    );
  }

  #newServer(): Server {
    const server = createServer({ maxHeaderSize: HEAD_BYTES, headersTimeout: HEAD_MS, requestTimeout: HEAD_MS });
    const connections = new Connections();
    server.on('connection', (socket) => connections.add(socket));
    server.on('request', (request, response) => {
      if (this.#answer(request, response)) connections.trust(request.socket);
    });
    server.on('upgrade', (request, socket, head) => {
      if (this.#open(request, socket, head)) connections.trust(request.socket);
    });
    return server;
  }

  /** Answers a request. Returns false if it was refused. */
  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const path = this.#guard.check(request, false);
    if (typeof path !== 'string') {
      refuse(response, path);
      return false;
    }
    if (path === '') {
      // The page's addresses are relative to the folder, so it must end with a slash.
      response.writeHead(308, { Location: `/${this.#guard.token}/` }).end();
      return true;
    }
    // sirv sends files by `pipe`, which neither closes the file if the page disconnects nor handles its errors.
    response.once('pipe', (file) => {
      file.once('error', () => response.destroy());
      response.once('close', () => file.destroy());
    });
    // sirv throws for an invalid range, and the page requests whole files.
    delete request.headers.range;
    request.url = path;
    this.#pages(request, response, () => refuse(response, { status: 404, reason: 'There is no such file.' }));
    return true;
  }

  /** Opens a channel. Returns false if it was refused. */
  #open(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    socket.on('error', () => socket.destroy());
    const path = this.#guard.check(request, true);
    const refusal =
      typeof path !== 'string'
        ? path.status
        : path !== '/channel'
          ? 404
          : this.#channels.clients.size >= MAX_PAGES
            ? 503
            : undefined;
    if (refusal !== undefined) {
      hangUp(socket, refusal);
      return false;
    }
    this.#channels.handleUpgrade(request, socket, head, (channel) => {
      // A frame that violates the protocol closes the channel; no more is needed.
      channel.on('error', () => undefined);
      this.#host.serve(new SocketPort(channel));
    });
    return true;
  }
}

function listening(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: address, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function refuse(response: ServerResponse, { status, reason }: Refusal): void {
  const allow = status === 405 ? { Allow: 'GET, HEAD' } : {};
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close', ...allow });
  response.end(`${reason}\n`);
}

function hangUp(socket: Duplex, status: number): void {
  // A peer that does not close its half must not keep the connection open.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
