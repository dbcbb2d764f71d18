/* eslint-disable @typescript-eslint/no-require-imports -- an optional package, loaded when it is first needed */
/** Objects of Google Cloud Storage through the user's client. */
import { isObject, peerError, splitObjectUrl } from '../../base';
import { chunksOf, contentRange, timeOf, type ClientStream } from '../remote/answers';
import {
  StoreError,
  type ListedObject,
  type ObjectBody,
  type ObjectFacts,
  type ObjectRange,
  type ObjectStore,
  type ObjectUpload,
} from '../remote/object-store';
import { clientError, ClientStore } from './client-store';

/** A client of `@google-cloud/storage`: its `Storage`. */
export interface GcsClientLike {
  /** Returns a bucket. */
  bucket(name: string): GcsBucket;
}

interface GcsBucket {
  file(name: string, options?: { readonly generation?: string }): GcsFile;
  getFiles(query: {
    readonly prefix: string;
    readonly autoPaginate: false;
    readonly pageToken?: string;
  }): Promise<readonly unknown[]>;
  request(options: GcsRequest): Promise<unknown>;
}

interface GcsFile {
  readonly name: string;
  readonly metadata: GcsMetadata;
  getMetadata(): Promise<readonly [GcsMetadata, ...unknown[]]>;
  createReadStream(options: {
    readonly start: number;
    readonly end: number;
    readonly decompress: false;
    readonly validation: false;
  }): GcsStream;
  createResumableUpload(): Promise<readonly [string, ...unknown[]]>;
}

interface GcsMetadata {
  readonly size?: string | number;
  readonly generation?: string | number;
  readonly updated?: string;
}

interface GcsStream extends ClientStream {
  on(event: 'response', listener: (answer: GcsAnswer) => void): unknown;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  read(size: number): unknown;
}

interface GcsRequest {
  readonly method: 'PUT' | 'DELETE';
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface GcsAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The package, as far as it is used. */
export interface GcsPackage {
  readonly Storage: new (options: { readonly retryOptions: { readonly autoRetry: boolean } }) => GcsClientLike;
}

const INSTALL = '^7.22.0';

/** Parts are multiples of 256 KiB, and come in order. */
const PART_BYTES = 8 * 2 ** 20;

/** A store over the client that `client` returns, which is asked once. */
export class GcsStore extends ClientStore<GcsClientLike> implements ObjectStore {
  constructor(client: () => GcsClientLike) {
    super(client, gcsError);
  }

  async look(url: string): Promise<ObjectFacts> {
    const [metadata] = await this.answered((client) => fileOf(client, url).getMetadata());
    return factsOf(metadata);
  }

  async read(url: string, { start, end, tag }: ObjectRange, signal: AbortSignal): Promise<ObjectBody> {
    const refused = (error: unknown): Error => {
      const refusal = gcsError(error);
      // The object of this generation was there: it was deleted, or replaced.
      const isGone = refusal instanceof StoreError && refusal.refusal === 'missing';
      return tag !== undefined && isGone ? new StoreError('changed', 'the object of its generation is gone') : refusal;
    };
    const options = { start, end: end - 1, decompress: false, validation: false } as const;
    const stream = await this.answered((client) => fileOf(client, url, tag).createReadStream(options));
    const { statusCode, headers } = await firstAnswer(stream, signal, refused);
    const range = statusCode === 206 ? contentRange(headers['content-range']) : undefined;
    // Stored compressed, and sent decompressed: these are not the stored bytes, and nothing tells their number.
    const isDecompressed =
      headers['x-goog-stored-content-encoding'] === 'gzip' && headers['content-encoding'] !== 'gzip';
    const length = isDecompressed ? undefined : numberOf(headers['content-length']);
    return {
      start: range?.start ?? 0,
      whole: range === undefined,
      size: range === undefined ? length : range.size,
      tag: headers['x-goog-generation'],
      mtimeMs: timeOf(headers['last-modified']),
      chunks: chunksOf(stream, signal, refused),
    };
  }

  async *list(prefix: string): AsyncIterable<readonly ListedObject[]> {
    const { bucket, key } = splitObjectUrl(prefix);
    let page: string | undefined;
    do {
      const query = { prefix: key, autoPaginate: false, ...(page !== undefined && { pageToken: page }) } as const;
      const [files, next] = await this.answered((client) => client.bucket(bucket).getFiles(query));
      const listed: readonly unknown[] = Array.isArray(files) ? files : [];
      yield listed
        .filter(isFile)
        .map(({ name, metadata }) => ({ url: `gs://${bucket}/${name}`, ...factsOf(metadata) }));
      page = isObject(next) && typeof next['pageToken'] === 'string' ? next['pageToken'] : undefined;
    } while (page !== undefined);
  }

  async upload(url: string): Promise<ObjectUpload> {
    const [uri] = await this.answered((client) => fileOf(client, url).createResumableUpload());
    const bucket = await this.answered((client) => client.bucket(splitObjectUrl(url).bucket));
    /** The last part, which publishes the object. */
    let last: Uint8Array = new Uint8Array(0);
    /** The first byte of each part. */
    const starts = [0];
    const send = async (bytes: Uint8Array, at: number, total?: number): Promise<void> => {
      for (let done = 0; ;) {
        const from = at + done;
        const until = at + bytes.length;
        const range = from === until ? '*' : `${from}-${until - 1}`;
        const headers = { 'Content-Range': `bytes ${range}/${total ?? '*'}` };
        const body = Buffer.from(bytes.buffer, bytes.byteOffset + done, bytes.length - done);
        const kept = await keptBytes(bucket.request({ method: 'PUT', uri, headers, body }));
        if (kept === undefined || (kept === until && total === undefined)) return;
        // It kept a part of them, or the answer is older than the object.
        if (kept <= from) throw new StoreError('broken', `the upload holds ${kept} bytes, not ${until}`);
        done = kept - at;
      }
    };
    return {
      partBytes: PART_BYTES,
      maxParts: Infinity,
      maxParallel: 1,
      async put(index, bytes, isLast) {
        const at = starts[index] ?? 0;
        if (isLast) last = Uint8Array.from(bytes);
        else await send(bytes, at);
        starts[index + 1] = at + bytes.length;
      },
      async finish(parts) {
        const size = starts[parts] ?? 0;
        await send(last, size - last.length, size);
        return { size };
      },
      async abort() {
        // 499: the upload was given up.
        await bucket.request({ method: 'DELETE', uri, headers: {} }).catch(() => undefined);
      },
    };
  }
}

function fileOf(client: GcsClientLike, url: string, generation?: string): GcsFile {
  const { bucket, key } = splitObjectUrl(url);
  return client.bucket(bucket).file(key, generation === undefined ? {} : { generation });
}

/** @throws TFRecordError ERR_MODULE_NOT_FOUND, with the command that installs it */
function gcsPackage(): GcsPackage {
  try {
    return require('@google-cloud/storage');
  } catch (cause) {
    throw peerError(cause, 'tfrecord-native/gcs', { '@google-cloud/storage': INSTALL });
  }
}

/** Returns the store over a client with the default credentials of Google's libraries. */
export function defaultGcsStore(): GcsStore {
  return new GcsStore(() => {
    const { Storage } = gcsPackage();
    // Attempts are up to our policy.
    return new Storage({ retryOptions: { autoRetry: false } });
  });
}

/** Resolves with the status and the headers of the answer. The body waits until it is read. */
function firstAnswer(stream: GcsStream, signal: AbortSignal, refused: (error: unknown) => Error): Promise<GcsAnswer> {
  return new Promise((resolve, reject) => {
    const give = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      stream.destroy();
      reject(refused(error));
    };
    const onAbort = (): void => give(signal.reason);
    stream.on('error', give);
    stream.on('response', ({ statusCode, headers }: GcsAnswer) => {
      // The body of an error follows, as the error of the stream.
      if (statusCode >= 300) return;
      signal.removeEventListener('abort', onAbort);
      resolve({ statusCode, headers });
    });
    signal.addEventListener('abort', onAbort, { once: true });
    // The request begins when somebody reads.
    stream.read(0);
  });
}

/**
 * Returns how many bytes of an upload the store has after `request`; undefined if the upload is complete. The client takes
 * the status 308, which says so, for an error.
 */
async function keptBytes(request: Promise<unknown>): Promise<number | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    const response = isObject(error) ? error['response'] : undefined;
    if (!isObject(error) || error['code'] !== 308 || !isObject(response)) throw gcsError(error);
    const headers = isObject(response['headers']) ? response['headers'] : {};
    const [, lastByte] = /^bytes=0-(\d+)$/.exec(typeof headers['range'] === 'string' ? headers['range'] : '') ?? [];
    return lastByte === undefined ? 0 : Number(lastByte) + 1;
  }
}

/** Errors of the package have the status of the answer as `code`. */
function gcsError(error: unknown): Error {
  const { code, response } = isObject(error) ? error : {};
  const status = typeof code === 'number' ? code : /^[45]\d\d$/.test(String(code)) ? Number(code) : undefined;
  if (status !== undefined) return clientError(error, { status, response });
  const message = isObject(error) ? String(error['message']) : '';
  const lacksCredentials = /could not load the default credentials|unable to detect a project id/i.test(message);
  if (lacksCredentials) return clientError(error, { status, name: 'no-default-credentials', refusal: 'denied' });
  return clientError(error, { status });
}

function factsOf({ size, generation, updated }: GcsMetadata): ObjectFacts {
  return {
    size: numberOf(size),
    tag: generation === undefined ? undefined : String(generation),
    mtimeMs: timeOf(updated),
  };
}

function numberOf(value: string | number | undefined): number | undefined {
  return value === undefined || value === '' ? undefined : Number(value);
}

function isFile(value: unknown): value is GcsFile {
  return isObject(value) && typeof value['name'] === 'string' && isObject(value['metadata']);
}
