/** Attacks on the server of `tfrecord view`: each gets an error, and nothing else happens. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';

import { encodeExample, encodeRecords } from '../../../lib';
import { view, type View } from '../../../lib/view';
import { unpackFrame, type ToPage } from '../../../lib/view/protocol';
import { onLinux } from '../../support/on-linux';
import { isOpen } from '../../support/running/descriptors';
import { settles } from '../../support/settles';

const SECRET = 'nobody may read this';
let folder: string;
let served: View;
let host: string;
let token: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'view-'));
  const page = join(folder, 'page');
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  mkdirSync(page);
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(page, '.hidden'), SECRET);
  const file = join(folder, 'a.tfrecord');
  writeFileSync(file, encodeRecords([encodeExample({ label: [1n] }), encodeExample({ label: [2n] })]));
  served = await view([file], { page });
  const { host: name, pathname } = new URL(served.address);
  host = name;
  token = pathname.slice(1, -1);
});

afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
  const [hostname, port] = host.split(':') as [string, string];
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers: { Host: host, ...headers } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** The status of a WebSocket's request: 101 if it was opened. */
function open(path: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; socket: WebSocket }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${host}${path}`, { headers });
    socket.on('open', () => resolve({ status: 101, socket }));
    socket.on('unexpected-response', (_, response) => {
      resolve({ status: response.statusCode!, socket });
      response.resume();
    });
    socket.on('error', (error) => {
      if (!error.message.includes('Unexpected server response')) reject(error);
    });
  });
}

const channel = (): Promise<{ status: number; socket: WebSocket }> =>
  open(`/${token}/channel`, { Origin: `http://${host}` });

/** Calls `send`, and resolves with the next `count` messages. */
function answers(socket: WebSocket, count: number, send: () => void): Promise<ToPage[]> {
  return new Promise((resolve) => {
    const found: ToPage[] = [];
    const take = (data: Buffer): void => {
      const frame = new Uint8Array(data);
      found.push(unpackFrame(frame.buffer));
      if (found.length < count) return;
      socket.off('message', take);
      resolve(found);
    };
    socket.on('message', take);
    send();
  });
}

describe('the server of a page', () => {
  it('gives the page to who knows the token, with a policy that forbids the outside and eval', async () => {
    const { status, text, headers } = await get(`/${token}/`);
    expect([status, text]).toEqual([200, '<!doctype html><title>page</title>']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|http|\*/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(await get(`/${token}`)).toMatchObject({ status: 308, headers: { location: `/${token}/` } });
    expect(await get(`/${token}/`, { Host: `localhost:${host.split(':')[1]}` })).toMatchObject({ status: 200 });
  });

  it('has another token each time, of 192 bits', async () => {
    const other = await view([], { page: folder });
    await other.close();
    expect(other.address).not.toContain(token);
    expect(token).toMatch(/^[\w-]{32}$/);
  });

  it('refuses a wrong token, whatever its length', async () => {
    const wrong = [
      '/',
      '',
      '//',
      '/index.html',
      '/x/',
      `/${token}x/`,
      `/${token.slice(0, -1)}/`,
      `/${token.toLowerCase()}0/`,
      `/?${token}`,
    ];
    for (const path of wrong) {
      const { status, text } = await get(path === '' ? '*' : path);
      expect([path, status]).toEqual([path, 403]);
      expect(text).not.toContain('page</title>');
      expect(text).not.toContain(token);
    }
  });

  it('refuses a foreign Host, as a name that resolves to 127.0.0.1 has, and a foreign Origin', async () => {
    const port = host.split(':')[1]!;
    for (const foreign of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:1`, `127.0.0.1.:${port}`]) {
      expect(await get(`/${token}/`, { Host: foreign })).toMatchObject({ status: 403 });
    }
    for (const origin of [
      'http://evil.example',
      'null',
      `https://${host}`,
      `http://${host}.evil`,
      `http://localhost:1`,
    ]) {
      expect(await get(`/${token}/`, { Origin: origin })).toMatchObject({ status: 403 });
      expect(await open(`/${token}/channel`, { Origin: origin })).toMatchObject({ status: 403 });
    }
    expect(await open(`/${token}/channel`, {})).toMatchObject({ status: 403 });
    expect(await open(`/${token}/channel`, { Origin: `http://${host}`, Host: 'evil' })).toMatchObject({ status: 403 });
    expect(await open(`/wrong/channel`, { Origin: `http://${host}` })).toMatchObject({ status: 403 });
    expect(await open(`/${token}/other`, { Origin: `http://${host}` })).toMatchObject({ status: 404 });
  });

  it('leads nowhere outside of the page', async () => {
    const tried = [
      '../secret.txt',
      '../../../../../../etc/passwd',
      '%2e%2e/secret.txt',
      '..%2fsecret.txt',
      '%2e%2e%2fsecret.txt',
      '..%5csecret.txt',
      '..\\secret.txt',
      './../secret.txt',
      'x/../../secret.txt',
      '/etc/passwd',
      '//etc/passwd',
      '.hidden',
      'index.html%00',
      'index.html/../../secret.txt',
      '%c0%ae%c0%ae/secret.txt',
      join(folder, 'secret.txt'),
      'a.tfrecord',
    ];
    for (const path of tried) {
      const { status, text } = await get(`/${token}/${path}`);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toBe('There is no such file.\n');
    }
  });

  it('answers GET and HEAD only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND']) {
      expect(await get(`/${token}/`, {}, method)).toMatchObject({ status: 405 });
    }
    expect(await get(`/${token}/`, {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it('refuses what is no HTTP, and long heads', async () => {
    const raw = (bytes: string): Promise<string> =>
      new Promise((resolve) => {
        const [hostname, port] = host.split(':') as [string, string];
        const socket = connect(Number(port), hostname, () => socket.write(bytes));
        let text = '';
        socket.on('data', (chunk: Buffer) => (text += String(chunk)));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(text));
      });
    expect(await raw('\0\xff\x01 rubbish\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(await raw(`GET /${token}/ HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/ 431 /);
    // No Host, and two of them.
    expect(await raw(`GET /${token}/ HTTP/1.1\r\n\r\n`)).toMatch(/ 400 /);
    expect(await raw(`GET /${token}/ HTTP/1.0\r\n\r\n`)).toMatch(/ 403 /);
  });

  onLinux('leaves no file open for a page that goes away in mid-download', async () => {
    const long = join(folder, 'page', 'long.bin');
    writeFileSync(long, Buffer.alloc(16 * 2 ** 20));
    const other = await view([], { page: join(folder, 'page') });
    const { port, pathname, host: name } = new URL(other.address);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${pathname}long.bin HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    expect(isOpen(long)).toBe(true);
    socket.destroy();
    expect(await settles(() => !isOpen(long), 5_000)).toBe(true);
    await other.close();
    rmSync(long);
  });

  it('answers 10,000 malformed messages with errors, and the next request as ever', async () => {
    const { socket } = await channel();
    const malformed = [
      '',
      '{',
      'null',
      '7',
      '[]',
      '{}',
      '{"id":0,"ask":"files","args":{},"credits":1}',
      '{"id":1.5,"cancel":true}',
      '{"id":1,"cancel":1}',
      '{"id":1,"grant":-1}',
      '{"id":1,"grant":1e9}',
      '{"id":1,"ask":"constructor","args":{},"credits":1}',
      '{"id":1,"ask":"__proto__","args":{},"credits":1}',
      '{"id":1,"ask":"files","args":{"path":"/etc/passwd"},"credits":1}',
      '{"id":1,"ask":"rows","args":{"file":1,"records":[0]},"credits":1}',
      '{"id":1,"ask":"rows","args":{"file":-1,"records":[0]},"credits":1}',
      '{"id":1,"ask":"rows","args":{"file":"../secret.txt","records":[0]},"credits":1}',
      `{"id":1,"ask":"rows","args":{"file":0,"records":[${Array(300).fill(0).join(',')}]},"credits":1}`,
      '{"id":1,"ask":"rows","args":{"file":0,"records":[1e300]},"credits":1}',
      '{"id":1,"ask":"record","args":{"file":0,"record":null},"credits":1}',
      '{"id":1,"ask":"record","args":{"file":0,"record":0},"credits":1,"more":1}',
      '{"id":1,"ask":"export","args":{"file":0,"selection":{"ranges":[[1]],"conditions":[]},"format":"jsonl"},"credits":1}',
      '{"id":1,"ask":"export","args":{"file":0,"selection":{"ranges":null,"conditions":[]},"format":"sh"},"credits":1}',
      '{"id":1,"ask":"value","args":{"file":0,"record":0,"place":{"section":"etc"},"from":0,"to":9},"credits":1}',
    ];
    const count = 10_000;
    const got = await answers(socket, count, () => {
      for (let i = 0; i < count; i++) {
        // A fifth of them is binary.
        const text = malformed[i % malformed.length]!;
        socket.send(i % 5 === 0 ? Buffer.from(text) : text);
      }
    });
    expect(got.filter((message) => !('error' in message && message.error.code === 'ERR_INVALID_ARG_VALUE'))).toEqual(
      [],
    );
    const answered = await answers(socket, 2, () => {
      socket.send('{"id":1,"ask":"record","args":{"file":0,"record":9},"credits":1}');
      socket.send('{"id":2,"ask":"record","args":{"file":0,"record":1},"credits":1}');
    });
    // The error about record 9 may come later: it needs the end of the file.
    expect(answered.find(({ id }) => id === 2)).toMatchObject({ done: { record: 1, kind: 'Example' } });
    socket.terminate();
  });

  it('ends a channel for a message that is too long, and refuses more than 16 pages', async () => {
    const { socket } = await channel();
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.send('x'.repeat(200_000));
    expect(await closed).toBe(1009);
    const opened = await Promise.all(Array.from({ length: 16 }, channel));
    expect(opened.map(({ status }) => status)).toEqual(Array(16).fill(101));
    expect(await channel()).toMatchObject({ status: 503 });
    const ends = opened.map(({ socket: each }) => new Promise((resolve) => each.on('close', resolve)));
    for (const { socket: each } of opened) each.close();
    await Promise.all(ends);
    expect(await get(`/${token}/`)).toMatchObject({ status: 200 });
  });

  it('lets in who knows the token, however many connections of others are idle', async () => {
    const { socket } = await channel();
    const port = Number(host.split(':')[1]);
    let ended = 0;
    const idle = Array.from({ length: 200 }, () => {
      const each = connect(port, '127.0.0.1');
      each.on('error', () => undefined).on('close', () => ended++);
      return each;
    });
    try {
      await Promise.all(idle.map((each) => new Promise((resolve) => each.once('connect', resolve))));
      expect(await get(`/${token}/`)).toMatchObject({ status: 200 });
      // They make room for each other, and the page that has its channel stays.
      expect(await settles(() => ended >= 136)).toBe(true);
      const [answer] = await answers(socket, 1, () => {
        socket.send('{"id":1,"ask":"record","args":{"file":0,"record":1},"credits":1}');
      });
      expect(answer).toMatchObject({ id: 1, done: { record: 1 } });
    } finally {
      for (const each of idle) each.destroy();
      socket.terminate();
    }
  });

  it('sends whole files, whatever range is asked for', async () => {
    const page = await get(`/${token}/`);
    for (const Range of ['bytes=5-2', 'bytes=0-99999999999999999999999', 'bytes=99-', 'bytes=0-3']) {
      expect(await get(`/${token}/`, { Range })).toMatchObject({ status: 200, text: page.text });
    }
  });

  it('ends the answer when a file of the page is gone', async () => {
    const page = join(folder, 'gone');
    mkdirSync(page);
    writeFileSync(join(page, 'index.html'), 'page');
    const other = await view([], { page });
    rmSync(page, { recursive: true });
    await expect(fetch(other.address).then((answer) => answer.text())).rejects.toThrow();
    await other.close();
  });

  it('ends the connection of a refused channel, though the other end keeps it', async () => {
    const port = Number(host.split(':')[1]);
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    const answered = new Promise((resolve) => socket.on('end', resolve));
    socket.resume();
    socket.write(`GET /wrong/channel HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await answered;
    // A socket that is destroyed at the server resets one that goes on to send.
    let reset = false;
    socket.on('error', () => (reset = true));
    const sending = setInterval(() => socket.write('more'), 10);
    const ended = await settles(() => reset, 5000);
    clearInterval(sending);
    socket.destroy();
    expect(ended).toBe(true);
  });

  it('listens on loopback only, and says so when the port is taken', async () => {
    expect(host).toMatch(/^127\.0\.0\.1:\d+$/);
    const port = Number(host.split(':')[1]);
    await expect(view([], { page: folder, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringMatching(/'\. Choose another port, or 0 for any free one$/),
    });
  });
});
