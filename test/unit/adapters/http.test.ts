/** Requests by a dispatcher of undici, which a stand-in plays: ranges, redirections, headers, encodings. */
import { Readable } from 'node:stream';

import { readRecords, remoteOptions, type RecordSource } from '../../../lib';
import { httpSource, useHttpDispatcher, type HttpDispatcherLike } from '../../../lib/adapters/http';
import { setStore, storeOf } from '../../../lib/io';
import { compress, tfrecord } from '../../support/records/tfrecord';

type Asked = Parameters<HttpDispatcherLike['request']>[0];
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: Uint8Array;
}

const PAYLOADS = Array.from({ length: 200 }, (_, i) => Buffer.alloc(1_000, i));
const PLAIN = tfrecord(PAYLOADS);

/** A dispatcher that answers with `answer`, and the requests to it. */
function dispatcherOf(answer: (asked: Asked) => Answer): { dispatcher: HttpDispatcherLike; asked: Asked[] } {
  const asked: Asked[] = [];
  const request: HttpDispatcherLike['request'] = async (options) => {
    asked.push(options);
    const { status, headers = {}, body } = answer(options);
    return { statusCode: status, headers, body: Readable.from(body === undefined ? [] : [body]) };
  };
  return { dispatcher: { request }, asked };
}

function rangeOf({ headers }: Asked, bytes: Uint8Array): Answer {
  const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(headers['range'] ?? '') ?? [];
  const end = Math.min(Number(last) + 1, bytes.length);
  const range = `bytes ${start}-${end - 1}/${bytes.length}`;
  return { status: 206, headers: { 'content-range': range, etag: '"a"' }, body: bytes.subarray(Number(start), end) };
}

/** Reads `source`. Returns the number of its records that are right. */
async function read(source: RecordSource): Promise<number> {
  let right = 0;
  for await (const record of readRecords(source)) if (PAYLOADS[right]?.equals(record) === true) right++;
  return right;
}

beforeEach(() => remoteOptions({ retryDelay: 0, retries: 1 }));
afterEach(() => remoteOptions({}));

test('ranges are requested of the path and the query, in stored bytes', async () => {
  const { dispatcher, asked } = dispatcherOf((options) => rangeOf(options, PLAIN));
  expect(await read(httpSource(dispatcher, 'https://user:word@example.org/a%20b?signature=1'))).toBe(PAYLOADS.length);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked[0]).toMatchObject({
    origin: 'https://example.org',
    path: '/a%20b?signature=1',
    method: 'GET',
    headers: { range: 'bytes=0-65535', 'accept-encoding': 'identity', authorization: 'Basic dXNlcjp3b3Jk' },
  });
});

test('useHttpDispatcher holds for all URLs of the thread', async () => {
  const before = storeOf('https://example.org');
  const { dispatcher, asked } = dispatcherOf((options) => rangeOf(options, PLAIN));
  useHttpDispatcher(dispatcher);
  try {
    expect(await read('http://example.org/a')).toBe(PAYLOADS.length);
    expect(await read(new URL('https://example.org/a'))).toBe(PAYLOADS.length);
    expect(new Set(asked.map(({ origin }) => origin))).toEqual(new Set(['http://example.org', 'https://example.org']));
  } finally {
    for (const scheme of ['https', 'http']) setStore(scheme, before);
  }
});

test('redirections are followed, and other origins get no secrets', async () => {
  remoteOptions({ headers: { Authorization: 'Bearer secret', cookie: 'a=1', 'x-other': '1' } });
  const { dispatcher, asked } = dispatcherOf((options) => {
    if (options.path === '/from') return { status: 302, headers: { location: '/moved' } };
    if (options.path === '/moved') return { status: 307, headers: { location: 'https://store.example/a?b' } };
    return rangeOf(options, PLAIN);
  });
  expect(await read(httpSource(dispatcher, 'https://example.org/from'))).toBe(PAYLOADS.length);
  for (const { origin, path, headers } of asked) {
    expect(path).toBe({ 'https://example.org': path, 'https://store.example': '/a?b' }[origin]);
    const names = Object.keys(headers).sort();
    const secrets = origin === 'https://example.org' ? ['Authorization', 'cookie'] : [];
    expect(names).toEqual(['accept-encoding', 'range', 'x-other', ...secrets].sort());
  }
  expect(asked.slice(0, 3).map(({ path }) => path)).toContain('/moved');
});

test.each([
  ['/loop', 'more than 20 redirects'],
  ['file:///etc/passwd', 'a redirect that leads to no HTTP server'],
  ['http://[', 'a redirect that leads to no HTTP server'],
])('a redirection to %s is refused', async (location, found) => {
  const { dispatcher } = dispatcherOf(() => ({ status: 301, headers: { location } }));
  await expect(read(httpSource(dispatcher, 'https://example.org/a'))).rejects.toMatchObject({
    code: 'TFR_REMOTE',
    found,
  });
});

test('stored bytes with a Content-Encoding are read by ranges', async () => {
  const gzip = compress(PLAIN, 'gzip');
  const { dispatcher } = dispatcherOf((options) => {
    const answer = rangeOf(options, gzip);
    return { ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip', vary: ['a', 'b'] } };
  });
  expect(await read(httpSource(dispatcher, 'https://example.org/a'))).toBe(PAYLOADS.length);
});

test('a status is the error that it is by fetch, and an overloaded server is asked again', async () => {
  const { dispatcher, asked } = dispatcherOf((options) =>
    asked.length === 1 ? { status: 503, headers: { 'retry-after': '0' } } : rangeOf(options, PLAIN),
  );
  expect(await read(httpSource(dispatcher, 'https://example.org/a'))).toBe(PAYLOADS.length);
  const missing = dispatcherOf(() => ({ status: 404 })).dispatcher;
  await expect(read(httpSource(missing, 'https://example.org/a?secret'))).rejects.toMatchObject({
    code: 'ENOENT',
    file: 'https://example.org/a',
  });
});

test('what is no dispatcher and no URL is refused', () => {
  const { dispatcher } = dispatcherOf(() => ({ status: 200 }));
  expect(() => useHttpDispatcher({} as HttpDispatcherLike)).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }),
  );
  for (const url of ['s3://bucket/key', '/a', 'https://example.org/'])
    expect(() => httpSource(dispatcher, url)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
});
