/* eslint-disable @typescript-eslint/no-require-imports -- optional packages, loaded when they are first needed */
/** Blobs of Azure through the user's client. */
import { randomBytes } from 'node:crypto';

import { advice, isObject, peerError, splitObjectUrl, tfrecordError, worded } from '../../base';
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
} from '../remote/object-store';
import { clientError, ClientStore } from './client-store';

/** A client of `@azure/storage-blob`: its `BlobServiceClient`. */
export interface AzureClientLike {
  /** Returns the client of a container. */
  getContainerClient(name: string): AzureContainer;
}

interface AzureContainer {
  getBlockBlobClient(name: string): AzureBlob;
  listBlobsFlat(options: { readonly prefix: string; readonly abortSignal: AbortSignal }): {
    byPage(): AsyncIterable<unknown>;
  };
}

interface Abortable {
  readonly abortSignal: AbortSignal;
}

interface AzureBlob {
  getProperties(options: Abortable): Promise<AzureFacts>;
  download(
    offset: number,
    count: number,
    options: Abortable & { readonly conditions: { readonly ifMatch?: string }; readonly maxRetryRequests: number },
  ): Promise<AzureBody>;
  stageBlock(id: string, body: Uint8Array, length: number, options: Abortable): Promise<unknown>;
  commitBlockList(ids: string[], options: Abortable): Promise<AzureFacts>;
}

interface AzureFacts {
  readonly etag?: string | undefined;
  readonly contentLength?: number | undefined;
  readonly lastModified?: Date | undefined;
}

interface AzureBody extends AzureFacts {
  readonly contentRange?: string | undefined;
  readonly readableStreamBody?: NodeJS.ReadableStream | undefined;
}

/** The package, as far as it is used. */
export interface AzurePackage {
  readonly BlobServiceClient: {
    new (url: string, credential: unknown, options: AzureOptions): AzureClientLike;
    fromConnectionString(text: string, options: AzureOptions): AzureClientLike;
  };
  readonly StorageSharedKeyCredential: new (account: string, key: string) => object;
}

/** `@azure/identity`, as far as it is used. */
export interface AzureIdentityPackage {
  readonly DefaultAzureCredential: new () => object;
}

interface AzureOptions {
  readonly retryOptions: { readonly maxTries: number };
}

/** Versions from 12.33 on need Node 22. */
const INSTALL = Number(process.versions.node.split('.')[0]) < 22 ? '~12.32.0' : '^12.32.0';
const USER = 'tfrecord-native/azure';

const PART_BYTES = 8 * 2 ** 20;
const MAX_PARTS = 50_000;
const MAX_PARALLEL = 4;

/** A store over the client that `client` returns, which is asked once. */
export class AzureStore extends ClientStore<AzureClientLike> implements ObjectStore {
  constructor(client: () => AzureClientLike) {
    super(client, azureError);
  }

  async look(url: string, abortSignal: AbortSignal): Promise<ObjectFacts> {
    return factsOf(await this.answered((client) => blobOf(client, url).getProperties({ abortSignal })));
  }

  async read(url: string, { start, end, tag }: ObjectRange, signal: AbortSignal): Promise<ObjectBody> {
    const conditions = tag === undefined ? {} : { ifMatch: `"${tag}"` };
    const body = await this.answered((client) =>
      // An answer that is cut is resumed by our policy.
      blobOf(client, url).download(start, end - start, { abortSignal: signal, conditions, maxRetryRequests: 0 }),
    );
    const range = contentRange(body.contentRange);
    const stream = body.readableStreamBody;
    if (!isClientStream(stream)) throw new StoreError('broken', 'the client gives no stream');
    return {
      ...factsOf(body),
      start: range?.start ?? 0,
      whole: range === undefined,
      size: range === undefined ? body.contentLength : range.size,
      chunks: chunksOf(stream, signal, azureError),
    };
  }

  async *list(prefix: string, abortSignal: AbortSignal): AsyncIterable<readonly ListedObject[]> {
    const { bucket, key } = splitObjectUrl(prefix);
    const pages = await this.answered((client) =>
      client.getContainerClient(bucket).listBlobsFlat({ prefix: key, abortSignal }).byPage()[Symbol.asyncIterator](),
    );
    for (;;) {
      const step = await this.answered(() => pages.next());
      if (step.done === true) return;
      yield blobsOf(step.value).map(({ name, properties }) => ({
        url: `az://${bucket}/${name}`,
        ...factsOf(properties),
      }));
    }
  }

  async upload(url: string): Promise<ObjectUpload> {
    const blob = await this.answered((client) => blobOf(client, url));
    // Blocks of two writers of one blob must not mix.
    const writer = randomBytes(8).toString('hex');
    const idOf = (index: number): string =>
      Buffer.from(`${writer}-${String(index).padStart(6, '0')}`).toString('base64');
    const sizes: number[] = [];
    return {
      partBytes: PART_BYTES,
      maxParts: MAX_PARTS,
      maxParallel: MAX_PARALLEL,
      put: async (index, bytes, _last, abortSignal) => {
        await this.answered(() => blob.stageBlock(idOf(index), bytes, bytes.length, { abortSignal }));
        sizes[index] = bytes.length;
      },
      finish: async (count, abortSignal) => {
        const ids = Array.from({ length: count }, (_, i) => idOf(i));
        const facts = factsOf(await this.answered(() => blob.commitBlockList(ids, { abortSignal })));
        return { ...facts, size: sizes.slice(0, count).reduce((sum, each) => sum + each, 0) };
      },
      // Azure has no call for it: it drops blocks that nobody commits after a week.
      abort: () => Promise.resolve(),
    };
  }
}

function blobOf(client: AzureClientLike, url: string): AzureBlob {
  const { bucket, key } = splitObjectUrl(url);
  return client.getContainerClient(bucket).getBlockBlobClient(key);
}

/** @throws TFRecordError ERR_MODULE_NOT_FOUND, with the command that installs it */
function azurePackage(): AzurePackage {
  try {
    return require('@azure/storage-blob');
  } catch (cause) {
    throw peerError(cause, USER, { '@azure/storage-blob': INSTALL });
  }
}

/** @throws as {@link azurePackage} */
function identityPackage(): AzureIdentityPackage {
  try {
    return require('@azure/identity');
  } catch (cause) {
    throw peerError(cause, USER, { '@azure/identity': '^4.0.0' });
  }
}

/** Returns the store over a client for the account that the environment names, as Azure's command does. */
export function defaultAzureStore(): AzureStore {
  return new AzureStore(() => {
    const { BlobServiceClient, StorageSharedKeyCredential } = azurePackage();
    // Attempts are up to our policy.
    const options: AzureOptions = { retryOptions: { maxTries: 1 } };
    const { env } = process;
    const connection = env['AZURE_STORAGE_CONNECTION_STRING'];
    if (connection !== undefined) return BlobServiceClient.fromConnectionString(connection, options);
    const account = env['AZURE_STORAGE_ACCOUNT'];
    if (account === undefined) {
      throw tfrecordError(
        'ERR_INVALID_ARG_VALUE',
        worded`az: URLs need an account.${advice` Set AZURE_STORAGE_CONNECTION_STRING or AZURE_STORAGE_ACCOUNT, or pass your BlobServiceClient to useAzureClient() of tfrecord-native/azure.`}`,
        {},
      );
    }
    const url = `https://${account}.blob.core.windows.net`;
    const { AZURE_STORAGE_KEY: key, AZURE_STORAGE_SAS_TOKEN: signature } = env;
    if (key !== undefined) return new BlobServiceClient(url, new StorageSharedKeyCredential(account, key), options);
    if (signature !== undefined)
      return new BlobServiceClient(`${url}?${signature.replace(/^\?/, '')}`, undefined, options);
    const { DefaultAzureCredential } = identityPackage();
    return new BlobServiceClient(url, new DefaultAzureCredential(), options);
  });
}

/** Errors of the package have `statusCode`, and the store's word for it as `code`. */
function azureError(error: unknown): Error {
  const { name, statusCode, code, response } = isObject(error) ? error : {};
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  const isCredential = status === undefined && typeof name === 'string' && /Credential|Authentication/.test(name);
  return clientError(error, {
    status,
    name: typeof code === 'string' ? code : isCredential ? name : undefined,
    refusal: isCredential ? 'denied' : undefined,
    response,
  });
}

function factsOf({ etag, contentLength, lastModified }: AzureFacts): ObjectFacts {
  return { size: contentLength, tag: tagOf(etag), mtimeMs: timeOf(lastModified) };
}

interface ListedBlob {
  readonly name: string;
  readonly properties: AzureFacts;
}

/** Returns the blobs of a page of a listing. */
function blobsOf(page: unknown): ListedBlob[] {
  const segment = isObject(page) ? page['segment'] : undefined;
  const items: unknown = isObject(segment) ? segment['blobItems'] : undefined;
  return Array.isArray(items) ? items.filter(isBlob) : [];
}

function isBlob(value: unknown): value is ListedBlob {
  return isObject(value) && typeof value['name'] === 'string' && isObject(value['properties']);
}

function isClientStream(stream: object | undefined): stream is ClientStream {
  return stream !== undefined && Symbol.asyncIterator in stream && 'destroy' in stream;
}
