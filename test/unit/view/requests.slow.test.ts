/** 10,000 requests to the server of `tfrecord view` that each have a fault: no answer but errors. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { encodeExample, encodeRecords } from '../../../lib';
import { view, type View } from '../../../lib/view';
import { randoms } from '../../support/randoms';
import { descriptors } from '../../support/running/descriptors';
import { settles } from '../../support/settles';

const COUNT = 10_000;
/** Requests under way at a time; and connections that stay open with half a request. */
const LANES = 48;
const IDLE = 24;
const SECRET = 'nobody may read this';
const PAGE = '<!doctype html><title>the page</title>';

let folder: string;
let served: View;
let host: string;
let port: number;
let token: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'requests-'));
  mkdirSync(join(folder, 'page'));
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  writeFileSync(join(folder, 'page', 'index.html'), PAGE);
  writeFileSync(join(folder, 'page', '.hidden'), SECRET);
  writeFileSync(join(folder, 'a.tfrecord'), encodeRecords([encodeExample({ label: [1n] })]));
  served = await view([join(folder, 'a.tfrecord')], { page: join(folder, 'page') });
  const { host: name, pathname, port: number } = new URL(served.address);
  [host, port, token] = [name, Number(number), pathname.slice(1, -1)];
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

/** A request with a fault. `whole`: it is one to which HTTP has an answer, so silence is not enough. */
interface Request {
  readonly bytes: Buffer;
  readonly whole: boolean;
}

const random = randoms(17);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)]!;
const word = (most: number): string =>
  Buffer.from(Array.from({ length: 1 + below(most) }, () => below(256))).toString('base64url');

const OUTWARDS = [
  '..',
  '%2e%2e',
  '..%2f..',
  '%2e%2e%2f',
  '..\\..',
  '..%5c',
  '%c0%ae%c0%ae',
  '.%2e',
  '%252e%252e',
  '....//',
];
const TARGETS = [
  'secret.txt',
  'page/.hidden',
  '.hidden',
  'etc/passwd',
  'a.tfrecord',
  'index.html%00',
  'index.html/../../secret.txt',
];
const outwards = (): string =>
  `${Array.from({ length: 1 + below(6) }, () => oneOf(OUTWARDS)).join('/')}/${oneOf([...TARGETS, word(20)])}`;
const wrongToken = (): string =>
  oneOf([
    () => word(40),
    () => token.slice(0, below(token.length)),
    () => `${token}${word(3)}`,
    () => `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`,
    () => `x/${token}`,
    () => `?${token}`,
    () => `${outwards()}/${token}`,
  ])();

const head = (line: string, ...headers: string[]): string => `${[line, ...headers].join('\r\n')}\r\n\r\n`;
const right = (): string => `GET /${token}/ HTTP/1.1`;
const ours = (): string => `Host: ${host}`;
const whole = (text: string): Request => ({ bytes: Buffer.from(text, 'latin1'), whole: true });
const broken = (bytes: string | Buffer): Request => ({
  bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes,
  whole: false,
});

const upgrade = (path: string, ...headers: string[]): string =>
  head(`GET ${path} HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: websocket', ...headers);
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const FOREIGN = ['evil.example', 'localhost', '127.0.0.1:1', '127.0.0.1', '', '[::]', 'a b', '0x7f.1'];
const METHODS = ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'MOVE', 'QUERY', 'SEARCH', 'PURGE'];

const KINDS: readonly (() => Request)[] = [
  // Requests without the token, and requests that leave the page's folder.
  () =>
    whole(head(`${oneOf(['GET', 'HEAD'])} /${wrongToken()}/${oneOf(['', 'index.html', outwards()])} HTTP/1.1`, ours())),
  () => whole(head(`GET /${token}/${outwards()} HTTP/1.1`, ours())),
  () => whole(head(`GET /${token}/${word(60)} HTTP/1.1`, ours())),
  () => whole(head(`GET http://${oneOf(FOREIGN)}/${token}/ HTTP/1.1`, ours())),
  // Methods that exist, with bodies or with requests as bodies, and others.
  () => {
    const body = oneOf(['', 'x', head(right(), ours())]);
    return whole(head(`${oneOf(METHODS)} /${token}/ HTTP/1.1`, ours(), `Content-Length: ${body.length}`) + body);
  },
  () =>
    whole(
      head(`POST /${token}/ HTTP/1.1`, ours(), 'Transfer-Encoding: chunked') +
        oneOf(['0\r\n\r\n', '-1\r\n', 'fffffffff\r\nx', 'zz']),
    ),
  () => broken(head(`${oneOf(['get', 'GETT', 'G', 'CONNECT', word(8), ''])} /${token}/ HTTP/1.1`, ours())),
  // Foreign names, as pages of other sites send them.
  () => whole(head(right(), `Host: ${oneOf(FOREIGN)}`)),
  () =>
    whole(
      head(
        right(),
        ours(),
        `Origin: ${oneOf(['null', 'http://evil.example', `https://${host}`, `http://${host}.evil`, word(9)])}`,
      ),
    ),
  // Broken heads.
  () => broken(head(right())),
  () => whole(head(`GET /${token}/ HTTP/${oneOf(['0.9', '2.0', '9.9', 'x', ''])}`, ours())),
  () =>
    broken(
      head(
        right(),
        ours(),
        oneOf(['no colon', ': no name', 'a b: c', 'X: \0', 'X\0: y', '\x7f: y', 'X: a\rb', ' folded: y']),
      ),
    ),
  () =>
    broken(
      head(
        right(),
        ours(),
        oneOf([
          'Content-Length: -1',
          'Content-Length: 1\r\nContent-Length: 2',
          'Content-Length: 0x1',
          'Content-Length: 1\r\nTransfer-Encoding: chunked',
        ]),
      ),
    ),
  () => broken(`GET\t/${token}/\tHTTP/1.1\n${ours()}\n\n`),
  // Heads that are too long.
  () => broken(head(right(), ours(), `X: ${'x'.repeat(8_200 + below(40_000))}`)),
  () => broken(head(right(), ours(), ...Array.from({ length: 2_500 }, (_, at) => `X${at}: 1`))),
  () => broken(head(`GET /${token}/${'a'.repeat(9_000)} HTTP/1.1`, ours())),
  // Channels.
  () => whole(upgrade(`/${wrongToken()}/channel`, ours(), `Origin: http://${host}`, KEY, 'Sec-WebSocket-Version: 13')),
  () =>
    whole(
      upgrade(
        `/${token}/channel`,
        ours(),
        ...oneOf([[], [`Origin: http://${oneOf(FOREIGN)}`]]),
        KEY,
        'Sec-WebSocket-Version: 13',
      ),
    ),
  () =>
    whole(
      upgrade(
        `/${token}/channel`,
        ours(),
        `Origin: http://${host}`,
        oneOf([
          'Sec-WebSocket-Version: 13',
          `${KEY}x\r\nSec-WebSocket-Version: 13`,
          `${KEY}\r\nSec-WebSocket-Version: 1`,
          KEY,
        ]),
      ),
    ),
  () => whole(upgrade(`/${token}/${outwards()}`, ours(), `Origin: http://${host}`, KEY, 'Sec-WebSocket-Version: 13')),
  // Bytes that are no HTTP: noise, and the beginning of TLS.
  () => broken(Buffer.from(Array.from({ length: 1 + below(600) }, () => below(256)))),
  () => broken(Buffer.concat([Buffer.from('16030102000100', 'hex'), Buffer.from(word(200))])),
  // Half of a right one.
  () => {
    const text = head(right(), ours());
    return broken(text.slice(0, 1 + below(text.length - 2)));
  },
];

/**
 * Sends the bytes, and waits for the answer: the server closes the connection. Unless the request is `whole`, the end of the
 * stream comes behind it, or a reset.
 */
function send({ bytes, whole: waits }: Request, reset = false): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      if (reset) socket.write(bytes, () => socket.resetAndDestroy());
      else if (waits) socket.write(bytes);
      else socket.end(bytes);
    });
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    // The server may hang up before it has all of a head that is too long.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** Returns an answer's status, and its faults. */
function judged(text: string, request: Request): { status: string; wrong: string | undefined } {
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status!);
  const [status = 'none'] = statuses;
  const tells = [SECRET, 'the page', token, folder].find((secret) => text.includes(secret));
  const fine =
    tells === undefined && statuses.every((each) => /^[45]/.test(each)) && (!request.whole || statuses.length > 0);
  const wrong = fine ? undefined : `${request.bytes.toString('latin1').slice(0, 300)}\n→ ${text.slice(0, 300)}`;
  return { status, wrong };
}

const good = (): Promise<string> => send(whole(head(right(), ours(), 'Connection: close')));
const contents = (): string[] => readdirSync(folder, { recursive: true }).map(String).sort();

test('each gets an error or the end of its connection, and the page is served as ever', async () => {
  expect(await good()).toMatch(/^HTTP\/1\.1 200 [^]*<title>the page<\/title>$/);
  const before = process.platform === 'linux' ? descriptors() : 0;
  const files = contents();
  const idle: Socket[] = [];
  for (let at = 0; at < IDLE; at++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head(right(), ours()).slice(0, at * 2));
    idle.push(socket);
  }

  const found = new Map<string, number>();
  const wrong: string[] = [];
  const pages = new Set<string>();
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (sent < COUNT) {
      const number = sent++;
      const request = KINDS[number % KINDS.length]!();
      const reset = number % 50 === 49;
      const answer = judged(await send(request, reset), reset ? { ...request, whole: false } : request);
      found.set(answer.status, (found.get(answer.status) ?? 0) + 1);
      if (answer.wrong !== undefined) wrong.push(answer.wrong);
      if (number % 500 === 0) pages.add((await good()).replace(/^Date:.*$/m, ''));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  expect(wrong.slice(0, 3)).toEqual([]);
  // Each fault was met, not one that comes before all of them.
  for (const status of ['400', '403', '404', '405', '431'])
    expect([status, found.get(status)! > 300]).toEqual([status, true]);
  expect(pages.size).toBe(1);
  expect([...pages][0]).toMatch(/^HTTP\/1\.1 200 [^]*<title>the page<\/title>$/);
  for (const socket of idle) socket.destroy();
  if (before > 0) expect(await settles(() => descriptors() <= before, 3_000)).toBe(true);
  expect(contents()).toEqual(files);
  expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).toBe(SECRET);
  expect(await good()).toMatch(/^HTTP\/1\.1 200 /);
}, 60_000);
