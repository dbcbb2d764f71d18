import { createHash } from 'node:crypto';

import {
  countRecords,
  Dataset,
  readRecords,
  readRecordsSync,
  remoteOptions,
  TFRecordError,
  type RecordSource,
} from '../../../../lib';
import {
  ObjectServer,
  type FaultPlan,
  type ServedFault,
  type ServedObject,
} from '../../../support/remote/object-server';
import { compress, tfrecord } from '../../../support/records/tfrecord';
import { thrown } from '../../../support/thrown';

const PAYLOADS = Array.from({ length: 1000 }, (_, i) => Buffer.alloc(300, i));
const DATA = Buffer.concat(PAYLOADS);
const PLAIN = tfrecord(PAYLOADS);
const GZIP = compress(PLAIN, 'gzip');

const servers: ObjectServer[] = [];
afterEach(async () => {
  remoteOptions({});
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
beforeEach(() => remoteOptions({ retryDelay: 0, timeout: 200 }));

async function serve(
  objects: Readonly<Record<string, ServedObject | Uint8Array>>,
  plan?: FaultPlan,
): Promise<ObjectServer> {
  const server = await ObjectServer.start(objects, plan);
  servers.push(server);
  return server;
}

/** Stands for bytes, which take Jest too long to compare. */
function sumOf(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

/** The data of all records of a source, one after the other. */
async function recordsOf(source: RecordSource): Promise<Buffer> {
  const records: Uint8Array[] = [];
  for await (const record of readRecords(source)) records.push(record);
  return Buffer.concat(records);
}

async function failure(source: RecordSource): Promise<TFRecordError> {
  const error: unknown = await recordsOf(source).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TFRecordError);
  return error as TFRecordError;
}

describe('a URL in the place of a path', () => {
  it.each([
    ['a string', (url: string) => url],
    ['a URL', (url: string) => new URL(url)],
    ['a list', (url: string) => [url]],
  ])('is read as %s', async (_, sourceOf) => {
    const server = await serve({ '/a.tfrecord': PLAIN, '/a.tfrecord.gz': GZIP });
    expect(sumOf(await recordsOf(sourceOf(server.url('/a.tfrecord'))))).toBe(sumOf(DATA));
    expect(sumOf(await recordsOf(sourceOf(server.url('/a.tfrecord.gz'))))).toBe(sumOf(DATA));
  });

  it('reads lists, sets of shards and datasets', async () => {
    const server = await serve({ '/t-00000-of-00002': PLAIN, '/t-00001-of-00002': GZIP });
    expect(sumOf(await recordsOf(server.url('/t@2')))).toBe(sumOf(Buffer.concat([DATA, DATA])));
    expect(await countRecords([server.url('/t-00000-of-00002'), new URL(server.url('/t-00001-of-00002'))])).toBe(2000);
    const dataset = Dataset.tfrecord(server.url('/t@2')).batch(400);
    const iterator = dataset.iterate();
    await iterator.next();
    const resumed = dataset.iterate({ state: iterator.state() });
    await iterator.return?.();
    let batches = 0;
    for await (const _ of resumed) batches++;
    expect(batches).toBe(4);
  });

  it('asks by ranges, never by HEAD, and reads an object of 300 KB with few requests', async () => {
    const server = await serve({ '/a': PLAIN });
    await recordsOf(server.url('/a'));
    expect(server.requests.every(({ method, range }) => method === 'GET' && range !== undefined)).toBe(true);
    expect(server.requests.length).toBeLessThanOrEqual(5);
    expect(server.sentBytes).toBe(PLAIN.length);
  });

  it('reads empty objects, objects without a length, and objects without ranges', async () => {
    const large = Buffer.concat(Array<Buffer>(30).fill(PLAIN));
    const server = await serve({
      '/empty': new Uint8Array(0),
      '/chunked': { bytes: PLAIN, noLength: true },
      '/whole': { bytes: PLAIN, noRanges: true },
      '/large': { bytes: large, noRanges: true },
    });
    expect(sumOf(await recordsOf(server.url('/empty')))).toBe(sumOf(Buffer.alloc(0)));
    for (const path of ['/chunked', '/whole']) expect(sumOf(await recordsOf(server.url(path)))).toBe(sumOf(DATA));
    server.requests.length = 0;
    expect(sumOf(await recordsOf(server.url('/large')))).toBe(sumOf(Buffer.concat(Array<Buffer>(30).fill(DATA))));
    expect(server.requests).toHaveLength(1);
  });

  it('inflates an object that is stored with Content-Encoding', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const server = await serve({
      '/ranges': { bytes: GZIP, headers },
      '/whole': { bytes: GZIP, headers, noRanges: true },
    });
    expect(sumOf(await recordsOf(server.url('/ranges')))).toBe(sumOf(DATA));
    expect(sumOf(await recordsOf(server.url('/whole')))).toBe(sumOf(DATA));
  });
});

describe('an answer with a fault', () => {
  it.each<ServedFault>([
    500,
    503,
    'busy',
    'cut',
    'cut at once',
    'stall',
    'silent',
    'short',
    'long',
    'whole',
    'elsewhere',
    'unnamed',
    'tag',
    'size',
  ])('is made up for: %s', async (fault) => {
    for (const bad of [0, 1]) {
      const isFirst = bad === 0 && (fault === 'tag' || fault === 'size');
      const server = await serve({ '/a': PLAIN }, (_, index) => (index === (isFirst ? 1 : bad) ? fault : undefined));
      expect(sumOf(await recordsOf(server.url('/a')))).toBe(sumOf(DATA));
    }
  });

  it.each<[ServedFault, string]>([
    [500, 'TFR_REMOTE'],
    ['busy', 'TFR_REMOTE'],
    ['cut', 'TFR_REMOTE'],
    ['stall', 'TFR_REMOTE'],
    ['drip', 'TFR_REMOTE'],
    ['silent', 'TFR_REMOTE'],
    ['elsewhere', 'TFR_REMOTE'],
    [400, 'TFR_REMOTE'],
    [403, 'EACCES'],
    [404, 'ENOENT'],
    [412, 'TFR_STATE_MISMATCH'],
    ['tag', 'TFR_STATE_MISMATCH'],
    ['size', 'TFR_STATE_MISMATCH'],
  ])('that stays is an error: %s', async (fault, code) => {
    const waits = code === 'TFR_REMOTE';
    remoteOptions({ retries: 2, retryDelay: 0, timeout: waits ? 20 : 10_000, minBytesPerSecond: waits ? 100_000 : 0 });
    const server = await serve({ '/a': PLAIN }, (_, index) => (index > 0 ? fault : undefined));
    const error = await failure(server.url('/a?signature=secret'));
    expect(error.code).toBe(code);
    expect(error.file).toBe(server.url('/a'));
    expect(String(error)).not.toContain('secret');
  });

  it('of ETags is ignored if the option that the error names says so', async () => {
    const server = await serve({ '/a': PLAIN }, (_, index) => (index > 0 ? 'tag' : undefined));
    expect((await failure(server.url('/a'))).hint).toEqual({ option: 'checkTag', value: false });
    remoteOptions({ checkTag: false });
    server.requests.length = 0;
    expect(sumOf(await recordsOf(server.url('/a')))).toBe(sumOf(DATA));
  });

  it('is named with the range, the attempts and the option', async () => {
    remoteOptions({ retries: 1, retryDelay: 0 });
    const server = await serve({ '/a': PLAIN }, () => 503);
    const error = await failure(server.url('/a'));
    expect(error.message).toBe(
      `Cannot read ${server.url('/a')}, bytes 0 to 65535, attempt 2 of 2: HTTP 503 Service Unavailable. Try again later, or raise retries in remoteOptions().`,
    );
    expect(error.hint).toEqual({ option: 'retries' });
    expect(server.requests).toHaveLength(2);
  });

  it('that drips is cut, and repeated, at the speed that an option sets', async () => {
    remoteOptions({ retries: 0, timeout: 200, minBytesPerSecond: 1000 });
    const server = await serve({ '/a': PLAIN }, () => 'drip');
    const error = await failure(server.url('/a'));
    expect(error).toMatchObject({ code: 'TFR_REMOTE', hint: { option: 'minBytesPerSecond' } });
    expect(error.found).toMatch(/^\d+ bytes came in \d+ ms$/);
    expect(error.message).toMatch(/ If the server is that slow, lower minBytesPerSecond in remoteOptions\(\)\.$/);

    remoteOptions({ retries: 1, timeout: 200, minBytesPerSecond: 1000, retryDelay: 0 });
    server.plan = (_, index) => (index === 1 ? 'drip' : undefined);
    expect(sumOf(await recordsOf(server.url('/a')))).toBe(sumOf(DATA));
  });

  it('that drips is read, if no speed is asked for', async () => {
    const data = tfrecord(['one']);
    remoteOptions({ timeout: 30, minBytesPerSecond: 0 });
    const server = await serve({ '/a': data }, () => 'drip');
    expect((await recordsOf(server.url('/a'))).toString()).toBe('one');
  });
});

describe('options', () => {
  it('sends headers, and the user of a URL, which no message shows', async () => {
    const server = await serve({ '/a': PLAIN });
    remoteOptions({ headers: (url) => ({ 'x-path': new URL(url).pathname }) });
    await recordsOf(server.url('/a').replace('127', 'me:secret@127'));
    expect(server.requests[0]!.headers).toMatchObject({
      'x-path': '/a',
      authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
    });
    const error = await failure(server.url('/missing').replace('127', 'me:secret@127'));
    expect(`${error.message}${error.file}`).not.toContain('secret');
  });

  it.each<[string, object]>([
    ['two lines', { authorization: 'Bearer secret\nx' }],
    ['a character beyond Latin-1', { authorization: 'Bearer secret\u20ac' }],
    ['another type', { authorization: { secret: 1 } }],
    ['nothing', { authorization: undefined }],
    ['a name with a space', { 'a secret': 'x' }],
    ['Headers, whose entries are not members', new Headers({ authorization: 'secret' })],
  ])('refuse what is no header at once, and do not show it: %s', async (_, headers) => {
    const server = await serve({ '/a': PLAIN });
    const refused = thrown(() => remoteOptions({ headers: headers as never }));
    remoteOptions({ headers: () => headers as never });
    const failed = await failure(server.url('/a'));
    expect(refused).toBeInstanceOf(TypeError);
    expect(failed.code).toBe('TFR_USER');
    for (const { message } of [refused as Error, failed]) {
      expect(message).toContain('headers');
      expect(message).not.toContain('secret');
    }
    expect(server.requests).toEqual([]);
  });

  it('leave out the end of a line after a value, as a token in a file has it', async () => {
    const server = await serve({ '/a': PLAIN });
    remoteOptions({ headers: { authorization: 'Bearer token\n' } });
    await recordsOf(server.url('/a'));
    expect(server.requests[0]!.headers.authorization).toBe('Bearer token');
  });

  it('are checked', () => {
    expect(() => remoteOptions({ retries: -1 })).toThrow(RangeError);
    expect(() => remoteOptions({ minBytesPerSecond: 0.5 })).toThrow(RangeError);
    expect(() => remoteOptions({ headers: 'a' as never })).toThrow(TypeError);
    expect(() => remoteOptions({ retry: 1 } as never)).toThrow(/retry/);
  });
});

describe('a URL that cannot be read', () => {
  it.each(['s3://bucket/a', 'gs://bucket/a', 'az://container/a'])('names the door of %s', async (url) => {
    const error = await failure(url);
    expect(error.code).toBe('ERR_MODULE_NOT_FOUND');
    expect(error.message).toMatch(/tfrecord-native\/(?:s3|gcs|azure)/);
  });

  it('is refused where nothing is awaited', () => {
    expect(thrown(() => [...readRecordsSync('https://localhost/a')])).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });

  it('is refused as a pattern', async () => {
    expect((await failure('https://localhost/train-*')).message).toContain('pass a list of URLs');
  });
});
