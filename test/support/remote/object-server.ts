/** An HTTP server on loopback that answers by ranges as RFC 9110 says, and injects faults by plan. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** An object as the server holds it. */
export interface ServedObject {
  readonly bytes: Uint8Array;
  /** As the header has it, with quotes. Default: `"1"`. */
  readonly etag?: string | undefined;
  /** Other headers of the answers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The server knows no ranges: it gives the whole object. */
  readonly noRanges?: boolean | undefined;
  /** Sends bodies in chunks, without their length. */
  readonly noLength?: boolean | undefined;
}

/**
 * A fault of one answer:
 *
 * - a number: this status, without the object; `busy`: 429 with `Retry-After: 0`
 * - `cut`: the connection breaks in the middle of the body; `cut at once`: before any answer
 * - `stall`: the body stops in its middle, and the connection stays open; `silent`: no answer comes
 * - `drip`: the body comes byte by byte, one each 5 ms
 * - `tag`: another ETag; `size`: another size
 * - `short`: a body of fewer bytes, which ends well; `long`: a body of more bytes than were asked for
 * - `whole`: 200 and all bytes; `elsewhere`: another range; `unnamed`: 206 without a Content-Range
 */
export type ServedFault =
  | number
  | 'busy'
  | 'cut'
  | 'cut at once'
  | 'stall'
  | 'silent'
  | 'drip'
  | 'tag'
  | 'size'
  | 'short'
  | 'long'
  | 'whole'
  | 'elsewhere'
  | 'unnamed';

/** Time between two bytes of a body that drips. */
const DRIP_MS = 5;

export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** First byte and end of the range that was asked for; undefined if there was none. */
  readonly range: readonly [start: number, end: number] | undefined;
}

/** Returns the fault of request number `index`, from 0. */
export type FaultPlan = (request: ServedRequest, index: number) => ServedFault | undefined;

export class ObjectServer {
  readonly requests: ServedRequest[] = [];
  /** Bytes of bodies that were handed to the sockets. */
  sentBytes = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #objects: Readonly<Record<string, ServedObject | Uint8Array>>;
  plan: FaultPlan;
  /** Number of connections so far. */
  connections = 0;
  readonly #scheme: 'http' | 'https';
  #busy = 0;

  /** `objects`: by their paths, `/a.tfrecord`. `tls`: certificates, for `https:`. */
  static async start(
    objects: Readonly<Record<string, ServedObject | Uint8Array>>,
    plan: FaultPlan = () => undefined,
    tls?: ServerOptions,
  ): Promise<ObjectServer> {
    const server = new ObjectServer(objects, plan, tls);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  private constructor(
    objects: Readonly<Record<string, ServedObject | Uint8Array>>,
    plan: FaultPlan,
    tls: ServerOptions | undefined,
  ) {
    this.#objects = objects;
    this.plan = plan;
    const answer = (request: IncomingMessage, response: ServerResponse): void => this.#answer(request, response);
    this.#server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server.on('connection', (socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** The URL of the object at `path`. */
  url(path: string): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Number of requests whose answers have not ended, and were not given up. */
  get busy(): number {
    return this.#busy;
  }

  /** Ends the server and all its connections. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url: path = '/', headers } = request;
    const given = this.#objects[path.replace(/\?.*$/, '')];
    const served = given instanceof Uint8Array ? { bytes: given } : given;
    const range = rangeOf(headers.range, served?.bytes.length ?? 0);
    const asked = { method, path, headers, range };
    const fault = this.plan(asked, this.requests.length);
    this.requests.push(asked);
    response.on('error', () => undefined);
    this.#busy++;
    response.on('close', () => this.#busy--);
    if (fault === 'silent') return;
    if (fault === 'cut at once') return void response.socket?.destroy();
    if (fault === 'busy') return void response.writeHead(429, { 'retry-after': '0' }).end();
    if (typeof fault === 'number') return void response.writeHead(fault).end('<Error/>');
    if (served === undefined) return void response.writeHead(404).end();
    this.#send(response, served, range, fault);
  }

  #send(
    response: ServerResponse,
    { bytes, etag = '"1"', headers = {}, noRanges = false, noLength = false }: ServedObject,
    range: ServedRequest['range'],
    given: ServedFault | undefined,
  ): void {
    const isWhole = range === undefined || noRanges || given === 'whole';
    // A whole body without its length that ends well cannot be told from a shorter object.
    const fault = given === 'short' && isWhole ? 'cut' : given;
    const size = bytes.length + (fault === 'size' ? 1 : 0);
    const common = { etag: fault === 'tag' ? '"another"' : etag, 'accept-ranges': 'bytes', ...headers };
    if (range !== undefined && range[0] >= bytes.length && !noRanges) {
      response.writeHead(416, { ...common, 'content-range': `bytes */${size}` }).end();
      return;
    }
    let [start, end] = isWhole ? [0, bytes.length] : range;
    if (fault === 'elsewhere' && !isWhole) [start, end] = [start + 1, Math.max(end, start + 2)];
    if (fault === 'long') end = Math.min(bytes.length, end + 1000);
    const sent = fault === 'short' ? end - Math.ceil((end - start) / 2) : end;
    const body = bytes.subarray(start, sent);
    response.writeHead(isWhole ? 200 : 206, {
      ...common,
      ...(noLength || fault === 'short' ? {} : { 'content-length': body.length }),
      ...(isWhole || fault === 'unnamed' ? {} : { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    });
    if (fault === 'drip') return this.#drip(response, body);
    if (fault === 'cut' || fault === 'stall') {
      const half = body.subarray(0, body.length >> 1);
      this.sentBytes += half.length;
      response.write(half, () => {
        if (fault === 'cut') response.socket?.destroy();
      });
      if (half.length === 0) response.flushHeaders();
      return;
    }
    this.sentBytes += body.length;
    response.end(body);
  }

  #drip(response: ServerResponse, body: Uint8Array): void {
    let at = 0;
    const timer = setInterval(() => {
      this.sentBytes++;
      response.write(body.subarray(at, ++at));
      if (at === body.length) response.end();
    }, DRIP_MS);
    for (const event of ['finish', 'close']) response.once(event, () => clearInterval(timer));
  }
}

function rangeOf(header: string | undefined, size: number): ServedRequest['range'] {
  const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (start === undefined) return undefined;
  return [Number(start), last === '' ? size : Math.min(size, Number(last) + 1)];
}
