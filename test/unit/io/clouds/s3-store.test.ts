/** The store over a client of S3: what it asks, and what it makes of answers, errors and silence. */
import { PassThrough, Readable } from 'node:stream';

import { readRecords, remoteOptions } from '../../../../lib';
import { useS3Client } from '../../../../lib/adapters/s3';
import { S3Store, type S3ClientLike } from '../../../../lib/io';
import { defaultStore } from '../../../../lib/io/clouds';
import { tfrecord } from '../../../support/records/tfrecord';

interface Sent {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const configs: unknown[] = [];

jest.mock(
  '@aws-sdk/client-s3',
  () => {
    const names = ['GetObject', 'HeadObject', 'ListObjectsV2', 'PutObject', 'CreateMultipartUpload', 'UploadPart'];
    const commands = [...names, 'CompleteMultipartUpload', 'AbortMultipartUpload'].map((command) => [
      `${command}Command`,
      class {
        readonly command = command;
        constructor(readonly input: unknown) {}
      },
    ]);
    class S3Client {
      constructor(config: unknown) {
        configs.push(config);
      }
      send(): Promise<unknown> {
        return Promise.resolve({});
      }
    }
    return { ...(Object.fromEntries(commands) as object), S3Client };
  },
  { virtual: true },
);

const { signal } = new AbortController();
const BYTES = tfrecord(['one', 'two', 'three']);

/** A client that answers with `answer`, and what it was sent. */
function clientOf(answer: (sent: Sent) => unknown): { client: S3ClientLike; sent: Sent[] } {
  const sent: Sent[] = [];
  const send = async (command: object): Promise<unknown> => {
    sent.push(command as Sent);
    return answer(command as Sent);
  };
  return { client: { send }, sent };
}

function rangeOf({ input }: Sent, bytes = BYTES): object {
  const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(String(input['Range'])) ?? [];
  const end = Math.min(Number(last) + 1, bytes.length);
  const Body = Readable.from([bytes.subarray(Number(start), end)]);
  return { ETag: '"tag"', ContentRange: `bytes ${start}-${end - 1}/${bytes.length}`, Body };
}

async function textsOf(url: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const record of readRecords(url)) texts.push(Buffer.from(record).toString());
  return texts;
}

afterEach(() => remoteOptions({}));

test('each range after the first names the tag of the first answer', async () => {
  const long = tfrecord(Array.from({ length: 200 }, () => Buffer.alloc(1_000)));
  const { client, sent } = clientOf((command) => rangeOf(command, long));
  useS3Client(client);
  expect(await textsOf('s3://bucket/a b#%41')).toHaveLength(200);
  expect(sent.length).toBeGreaterThan(1);
  expect(sent[0]!.input).toEqual({ Bucket: 'bucket', Key: 'a b#%41', Range: 'bytes=0-65535' });
  for (const { input } of sent.slice(1)) expect(input['IfMatch']).toBe('"tag"');
});

test('a body that hangs is cut after the time-out, and resumed from the byte that was reached', async () => {
  remoteOptions({ timeout: 20, retryDelay: 0 });
  const hanging: PassThrough[] = [];
  const { client, sent } = clientOf((command) => {
    const answer = rangeOf(command);
    if (hanging.length > 0) return answer;
    const Body = new PassThrough();
    hanging.push(Body);
    Body.write(BYTES.subarray(0, 10));
    return { ...answer, Body };
  });
  useS3Client(client);
  expect(await textsOf('s3://bucket/key')).toEqual(['one', 'two', 'three']);
  expect(sent.map(({ input }) => input['Range'])).toEqual(['bytes=0-65535', expect.stringMatching(/^bytes=10-/)]);
  expect(hanging[0]!.destroyed).toBe(true);
});

test('a client that never answers ends in an error', async () => {
  remoteOptions({ timeout: 20, retries: 1, retryDelay: 0 });
  useS3Client(clientOf(() => new Promise(() => undefined)).client);
  await expect(textsOf('s3://bucket/key')).rejects.toMatchObject({ code: 'TFR_REMOTE', file: 's3://bucket/key' });
});

test('nothing that the client says in words reaches an error', async () => {
  remoteOptions({ retries: 0 });
  const secret = 'AKIASECRET';
  const errors = [
    { name: 'SignatureDoesNotMatch', status: 403, code: 'EACCES' },
    { name: 'ExpiredToken', status: 400, code: 'EACCES' },
    { name: 'SlowDown', status: 503, code: 'TFR_REMOTE' },
    { name: 'CredentialsProviderError', status: undefined, code: 'EACCES' },
    { name: secret.repeat(20), status: 500, code: 'TFR_REMOTE' },
  ];
  for (const { name, status, code } of errors) {
    const thrown = Object.assign(new Error(`key ${secret}`), { name, $metadata: { httpStatusCode: status }, secret });
    useS3Client(
      clientOf(() => {
        throw thrown;
      }).client,
    );
    const error: unknown = await textsOf('s3://bucket/key').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, file: 's3://bucket/key' });
    for (let at = error; at instanceof Error; at = at.cause)
      expect(`${at.stack}${JSON.stringify(at)}`).not.toContain(secret);
  }
});

test('an answer that was lost does not make a finished upload fail', async () => {
  let completed = 0;
  const { client, sent } = clientOf(({ command }) => {
    if (command === 'CreateMultipartUpload') return { UploadId: 'upload' };
    if (command === 'UploadPart') return { ETag: '"part"' };
    if (command === 'HeadObject') return { ContentLength: 4, ETag: '"whole-1"' };
    if (completed++ === 0) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    throw Object.assign(new Error('gone'), { name: 'NoSuchUpload', $metadata: { httpStatusCode: 404 } });
  });
  const upload = await new S3Store(() => client).upload('s3://bucket/key', signal);
  await upload.put(0, Buffer.from('data'), true, signal);
  await expect(upload.finish(1, signal)).rejects.toMatchObject({ refusal: 'broken' });
  expect(await upload.finish(1, signal)).toMatchObject({ size: 4, tag: 'whole-1' });
  const parts = { Parts: [{ PartNumber: 1, ETag: '"part"' }] };
  expect(sent[2]).toMatchObject({ command: 'CompleteMultipartUpload', input: { MultipartUpload: parts } });
});

test('the client with default credentials leaves attempts to us, and needs no newer checksums', async () => {
  await defaultStore('s3')!.look!('s3://bucket/key', signal);
  expect(configs).toEqual([
    expect.objectContaining({
      maxAttempts: 1,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  ]);
});
