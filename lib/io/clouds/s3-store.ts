/* eslint-disable @typescript-eslint/no-require-imports -- an optional package, loaded when it is first needed */
/** Objects of S3, and of servers that answer as it does, through the user's client. */
import { isObject, peerError, splitObjectUrl } from '../../base';
import { chunksOf, contentRange, timeOf, type ClientStream } from '../remote/answers';
import {
  StoreError,
  tagOf,
  type ListedObject,
  type ObjectBody,
  type ObjectFacts,
  type ObjectRange,
  type ObjectStore,
  type ObjectUpload,
  type StoreRefusal,
} from '../remote/object-store';
import { clientError, ClientStore } from './client-store';

/** A client of `@aws-sdk/client-s3`: its `S3Client` or `S3`. */
export interface S3ClientLike {
  /** Sends a command of the same package. */
  send(command: object, options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>;
}

/** The members of a client's answers that are used. */
interface S3Answer {
  readonly ETag?: string;
  readonly LastModified?: Date;
  readonly ContentLength?: number;
  readonly ContentRange?: string;
  readonly Body?: ClientStream;
  readonly Contents?: readonly {
    readonly Key?: string;
    readonly ETag?: string;
    readonly Size?: number;
    readonly LastModified?: Date;
  }[];
  readonly NextContinuationToken?: string;
  readonly UploadId?: string;
}

type S3Input = Readonly<Record<string, unknown>>;
type S3Command = 'GetObject' | 'HeadObject' | 'ListObjectsV2' | 'PutObject' | S3PartsCommand;
type S3PartsCommand = 'CreateMultipartUpload' | 'UploadPart' | 'CompleteMultipartUpload' | 'AbortMultipartUpload';

/** The package, as far as it is used. */
export interface S3Package extends Readonly<Record<`${S3Command}Command`, new (input: S3Input) => object>> {
  readonly S3Client: new (config: S3Input) => S3ClientLike;
}

/** The newest release that Node 20 runs; the packages of S3 say so themselves from 2027 on. */
const INSTALL = Number(process.versions.node.split('.')[0]) < 22 ? '~3.1175.0' : '^3.1175.0';

/** @throws TFRecordError ERR_MODULE_NOT_FOUND, with the command that installs it */
export function s3Package(): S3Package {
  try {
    return require('@aws-sdk/client-s3');
  } catch (cause) {
    throw peerError(cause, 'tfrecord-native/s3', { '@aws-sdk/client-s3': INSTALL });
  }
}

/** S3 takes parts from 5 MiB on, and up to 10,000 of them. */
const PART_BYTES = 8 * 2 ** 20;
const MAX_PARTS = 10_000;
const MAX_PARALLEL = 4;

/** Names of errors that say more than their status does. */
const REFUSALS: Readonly<Record<string, StoreRefusal>> = {
  CredentialsProviderError: 'denied',
  ExpiredToken: 'denied',
  InvalidToken: 'denied',
  RequestTimeTooSkewed: 'denied',
  RequestTimeout: 'busy',
  SlowDown: 'busy',
  Throttling: 'busy',
  TokenProviderError: 'denied',
};

/** A store over the client that `client` returns, which is asked once. */
export class S3Store extends ClientStore<S3ClientLike> implements ObjectStore {
  constructor(client: () => S3ClientLike) {
    super(client, s3Error);
  }

  async look(url: string, signal: AbortSignal): Promise<ObjectFacts> {
    return factsOf(await this.#send('HeadObject', named(url), signal));
  }

  async read(url: string, { start, end, tag }: ObjectRange, signal: AbortSignal): Promise<ObjectBody> {
    const match = tag === undefined ? {} : { IfMatch: `"${tag}"` };
    const answer = await this.#send(
      'GetObject',
      { ...named(url), Range: `bytes=${start}-${end - 1}`, ...match },
      signal,
    );
    const { ETag, LastModified, ContentLength, ContentRange, Body } = answer;
    const range = contentRange(ContentRange);
    if (Body === undefined) throw new StoreError('broken', 'the client gives no body');
    return {
      start: range?.start ?? 0,
      whole: range === undefined,
      size: range === undefined ? ContentLength : range.size,
      tag: tagOf(ETag),
      mtimeMs: timeOf(LastModified),
      chunks: chunksOf(Body, signal, s3Error),
    };
  }

  async *list(prefix: string, signal: AbortSignal): AsyncIterable<readonly ListedObject[]> {
    const { bucket, key } = splitObjectUrl(prefix);
    let token: string | undefined;
    do {
      const input = { Bucket: bucket, Prefix: key, ContinuationToken: token };
      const { Contents = [], NextContinuationToken } = await this.#send('ListObjectsV2', input, signal);
      yield Contents.map(({ Key = '', Size, ETag, LastModified }) => ({
        url: `s3://${bucket}/${Key}`,
        size: Size,
        tag: tagOf(ETag),
        mtimeMs: timeOf(LastModified),
      }));
      token = NextContinuationToken;
    } while (token !== undefined && token !== '');
  }

  async upload(url: string, signal: AbortSignal): Promise<ObjectUpload> {
    const name = named(url);
    const { UploadId } = await this.#send('CreateMultipartUpload', name, signal);
    if (UploadId === undefined) throw new StoreError('broken', 'the client gives no UploadId');
    const parts: (string | undefined)[] = [];
    let size = 0;
    let tried = false;
    const send = (command: S3Command, input: S3Input, by: AbortSignal): Promise<S3Answer> =>
      this.#send(command, { ...name, UploadId, ...input }, by);
    const abort = async (): Promise<void> => {
      await send('AbortMultipartUpload', {}, new AbortController().signal).catch(() => undefined);
    };
    return {
      partBytes: PART_BYTES,
      maxParts: MAX_PARTS,
      maxParallel: MAX_PARALLEL,
      async put(index, bytes, _last, by) {
        const { ETag } = await send('UploadPart', { PartNumber: index + 1, Body: bytes }, by);
        if (parts[index] === undefined) size += bytes.length;
        parts[index] = ETag ?? '';
      },
      finish: async (count, by) => {
        if (count === 0) {
          await abort();
          return factsOf(await this.#send('PutObject', { ...name, Body: new Uint8Array(0) }, by));
        }
        const Parts = parts.slice(0, count).map((ETag, i) => ({ PartNumber: i + 1, ETag }));
        const again = tried;
        tried = true;
        try {
          return { ...factsOf(await send('CompleteMultipartUpload', { MultipartUpload: { Parts } }, by)), size };
        } catch (error) {
          // The answer to the attempt before may have been lost: then the upload is gone, and the object is there.
          const isGone = error instanceof StoreError && error.refusal === 'missing';
          const facts = again && isGone ? await this.look(url, by).catch(() => undefined) : undefined;
          if (facts?.size === size) return facts;
          throw error;
        }
      },
      abort,
    };
  }

  #send(command: S3Command, input: S3Input, signal: AbortSignal): Promise<S3Answer> {
    return this.answered((client) => {
      const Command = s3Package()[`${command}Command`];
      return client.send(new Command(input), { abortSignal: signal }) as Promise<S3Answer>;
    });
  }
}

/** Returns the store over a client with the default credentials of the package. */
export function defaultS3Store(): S3Store {
  return new S3Store(() => {
    const { S3Client } = s3Package();
    const { env } = process;
    const isLookAlike = (env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'] ?? '') !== '';
    return new S3Client({
      // Attempts are up to our policy.
      maxAttempts: 1,
      followRegionRedirects: true,
      // Look-alikes have no names of hosts for buckets, and some do not know the newer checksums.
      forcePathStyle: isLookAlike,
      ...(env['AWS_REQUEST_CHECKSUM_CALCULATION'] === undefined && { requestChecksumCalculation: 'WHEN_REQUIRED' }),
      ...(env['AWS_RESPONSE_CHECKSUM_VALIDATION'] === undefined && { responseChecksumValidation: 'WHEN_REQUIRED' }),
      ...(isLookAlike && env['AWS_REGION'] === undefined && { region: 'us-east-1' }),
    });
  });
}

function named(url: string): { readonly Bucket: string; readonly Key: string } {
  const { bucket, key } = splitObjectUrl(url);
  return { Bucket: bucket, Key: key };
}

function factsOf({ ContentLength, ETag, LastModified }: S3Answer): ObjectFacts {
  return { size: ContentLength, tag: tagOf(ETag), mtimeMs: timeOf(LastModified) };
}

/** Errors of the package have a `name`, and `$metadata` with the status of the answer. */
function s3Error(error: unknown): Error {
  if (!isObject(error)) return clientError(error, { status: undefined });
  const { name, $metadata: metadata, $response: response } = error;
  const status =
    isObject(metadata) && typeof metadata['httpStatusCode'] === 'number' ? metadata['httpStatusCode'] : undefined;
  const known = typeof name === 'string' ? name : undefined;
  return clientError(error, { status, name: known, refusal: refusalBy(known, error, status), response });
}

function refusalBy(name: string | undefined, error: object, status: number | undefined): StoreRefusal | undefined {
  if (name !== undefined && Object.hasOwn(REFUSALS, name)) return REFUSALS[name];
  // Without an answer and without an error of the system, the client itself refused: it has no region, for example.
  const isClients =
    status === undefined && name !== undefined && !/^(?:AbortError|TimeoutError|NetworkingError)$/.test(name);
  return isClients && !('code' in error) && !('$retryable' in error) ? 'refused' : undefined;
}
