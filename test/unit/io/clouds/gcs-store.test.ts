/** The store over a client of Google Cloud Storage: generations, compressed objects, and uploads in parts. */
import { PassThrough } from 'node:stream';

import { gcsSource } from '../../../../lib/adapters/gcs';
import { readRecords } from '../../../../lib';
import { GcsStore, type GcsClientLike } from '../../../../lib/io';
import { tfrecord } from '../../../support/records/tfrecord';

const { signal } = new AbortController();
const URL_OF_KEY = 'gs://bucket/key';

type Bucket = ReturnType<GcsClientLike['bucket']>;

function clientOf(parts: Readonly<Partial<Record<'file' | 'request', (...given: never[]) => unknown>>>): GcsClientLike {
  return { bucket: () => parts as unknown as Bucket };
}

/** A stream as the client gives: it answers when somebody reads. */
function answering(statusCode: number, headers: Readonly<Record<string, string>>, body: Uint8Array): PassThrough {
  const stream = new PassThrough();
  const read = stream.read.bind(stream);
  let begun = false;
  stream.read = (size?: number) => {
    if (!begun) {
      begun = true;
      setImmediate(() => {
        stream.emit('response', { statusCode, headers });
        stream.end(body);
      });
    }
    return read(size);
  };
  return stream;
}

test('each range after the first names the generation, and asks for the stored bytes', async () => {
  const bytes = tfrecord(Array.from({ length: 200 }, () => Buffer.alloc(1_000)));
  const asked: { name: string; settings: object; range: { readonly start: number } }[] = [];
  const client = clientOf({
    file: (name: string, settings: object) => ({
      createReadStream(range: { readonly start: number; readonly end: number }) {
        asked.push({ name, settings, range });
        const { start } = range;
        const end = Math.min(range.end, bytes.length - 1);
        const headers = { 'content-range': `bytes ${start}-${end}/${bytes.length}`, 'x-goog-generation': '7' };
        return answering(206, headers, bytes.subarray(start, end + 1));
      },
    }),
  });
  let records = 0;
  for await (const record of readRecords(gcsSource(client, URL_OF_KEY))) records += record.length / 1_000;
  expect(records).toBe(200);
  expect(asked.some(({ range }) => range.start > 0)).toBe(true);
  for (const { name, settings, range } of asked) {
    expect([name, settings]).toEqual(['key', range.start > 0 ? { generation: '7' } : {}]);
    expect(range).toMatchObject({ decompress: false, validation: false });
  }
});

test('an object that was decompressed on the way has no size, and begins at its first byte', async () => {
  const headers = { 'content-length': '99', 'x-goog-stored-content-encoding': 'gzip', 'x-goog-generation': '7' };
  const file = { createReadStream: () => answering(200, headers, Buffer.from('content')) };
  const store = new GcsStore(() => clientOf({ file: () => file }));
  const body = await store.read(URL_OF_KEY, { start: 5, end: 6 }, signal);
  expect(body).toMatchObject({ start: 0, whole: true, size: undefined, tag: '7' });
  await body.chunks.return!();
});

test('an object whose generation is gone has changed', async () => {
  const failing = (): PassThrough => {
    const stream = new PassThrough();
    setImmediate(() => stream.destroy(Object.assign(new Error('token ya29.secret'), { code: 404 })));
    return stream;
  };
  const store = new GcsStore(() => clientOf({ file: () => ({ createReadStream: failing }) }));
  const range = { start: 0, end: 1 };
  await expect(store.read(URL_OF_KEY, range, signal)).rejects.toMatchObject({
    refusal: 'missing',
    message: 'HTTP 404',
  });
  await expect(store.read(URL_OF_KEY, { ...range, tag: '7' }, signal)).rejects.toMatchObject({ refusal: 'changed' });
});

test('parts are sent in order, again from the byte that the store has, and the last one publishes the object', async () => {
  const ranges: string[] = [];
  const sent: string[] = [];
  // The store keeps 3 of the first 4 bytes.
  const kept = ['bytes=0-2', 'bytes=0-3', 'bytes=0-7'];
  const request = ({
    method,
    headers,
    body,
  }: {
    method: string;
    headers: Record<string, string>;
    body: Buffer;
  }): unknown => {
    ranges.push(`${method} ${headers['Content-Range']}`);
    sent.push(String(body));
    if (ranges.length === 4) return Promise.resolve([{}]);
    return Promise.reject(
      Object.assign(new Error('308'), { code: 308, response: { headers: { range: kept.shift() } } }),
    );
  };
  const file = { createResumableUpload: () => Promise.resolve(['https://session']) };
  const upload = await new GcsStore(() => clientOf({ file: () => file, request })).upload(URL_OF_KEY);
  await upload.put(0, Buffer.from('abcd'), false, signal);
  await upload.put(1, Buffer.from('efgh'), false, signal);
  const last = Buffer.from('ij');
  await upload.put(2, last, true, signal);
  last.fill(0);
  expect(ranges).toHaveLength(3);
  expect(await upload.finish(3, signal)).toEqual({ size: 10 });
  expect(ranges).toEqual(['PUT bytes 0-3/*', 'PUT bytes 3-3/*', 'PUT bytes 4-7/*', 'PUT bytes 8-9/10']);
  expect(sent).toEqual(['abcd', 'd', 'efgh', 'ij']);
});
