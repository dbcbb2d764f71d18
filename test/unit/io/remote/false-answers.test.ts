/** Answers that contradict themselves, or say nothing: never fewer records without an error. */
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { readRecords, remoteOptions } from '../../../../lib';
import { tfrecord } from '../../../support/records/tfrecord';

const PAYLOADS = Array.from({ length: 9000 }, (_, i) => Buffer.alloc(200, i));
const CONTENT = tfrecord(PAYLOADS);
const SIZE = CONTENT.length;
const GZIP = gzipSync(CONTENT);

type Answer = readonly [status: number, headers: OutgoingHttpHeaders, body?: Uint8Array];

/** Reads the object of a server whose answers are those of `answer`. Resolves with the number of records, or with the error. */
async function outcome(
  answer: (range: { start: number; end: number } | undefined) => Answer | Promise<Answer>,
): Promise<unknown> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const range = start === undefined ? undefined : { start: Number(start), end: Math.min(Number(end) + 1, SIZE) };
    const [status, headers, body] = await answer(range);
    response.writeHead(status, headers).end(body);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  remoteOptions({ retries: 1, retryDelay: 0, timeout: 1000 });
  let records = 0;
  try {
    for await (const record of readRecords(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`)) {
      records += record.length > 0 ? 1 : 0;
    }
    return records;
  } catch (error) {
    return error;
  } finally {
    remoteOptions({});
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const broken = (message: string): object =>
  expect.objectContaining({ code: 'TFR_REMOTE', message: expect.stringContaining(message) as string }) as object;

test('a first range that is refused without a size is followed by a request of the whole object', async () => {
  expect(await outcome((range) => (range === undefined ? [200, {}, CONTENT] : [416, {}]))).toBe(PAYLOADS.length);
  expect(await outcome((range) => (range === undefined ? [200, {}] : [416, {}]))).toBe(0);
  expect(await outcome(() => [416, {}])).toEqual(broken('HTTP 416'));
});

test('an empty object is one whose server says so', async () => {
  expect(await outcome(() => [416, { 'content-range': 'bytes */0' }])).toBe(0);
  expect(await outcome(() => [416, { 'content-range': 'bytes */5000' }])).toEqual(broken('HTTP 416'));
  const empty = { 'content-range': 'bytes 0-65535/0' };
  expect(await outcome(() => [206, empty, CONTENT.subarray(0, 65536)])).toEqual(broken('without a Content-Range'));
});

test('a size that is told only beyond the end is that of the object', async () => {
  const read = outcome(async (range) => {
    const { start, end } = range!;
    // The refusals of ranges that were fetched ahead come before the end.
    if (start < SIZE && end === SIZE) await new Promise((resolve) => setTimeout(resolve, 30));
    if (start >= SIZE) return [416, { 'content-range': `bytes */${SIZE}` }];
    return [206, { 'content-range': `bytes ${start}-${end - 1}/*` }, CONTENT.subarray(start, end)];
  });
  expect(await read).toBe(PAYLOADS.length);
});

test('a part of an encoded body is no answer, even to a request of the whole', async () => {
  const headers = { 'content-encoding': 'gzip', 'content-range': `bytes 0-${GZIP.length - 1}/${GZIP.length}` };
  expect(await outcome(() => [206, headers, GZIP])).toEqual(broken('HTTP 206 to a request of the whole object'));
});
