/** The stores over clients, each with a server on loopback. */
import { AzureStore, GcsStore, S3Store, type ObjectStore } from '../../../lib/io';
import { azureClient, azureConnection, CLIENTS, gcsClient, S3_KEYS, s3Client, s3Package } from './clients';
import { startServer, type RunningServer, type ServerName } from './servers';

/** A server with a bucket, and the store over its client. */
export interface ServedStore {
  readonly server: RunningServer;
  readonly store: ObjectStore;
  /** The URL of an object of that name in the bucket. */
  url(name: string): string;
}

/** The servers with clients, and the scheme of their URLs. */
export const CLOUDS = { s3rver: 's3', swift: 's3', azurite: 'az', firebase: 'gs' } as const;

export type CloudName = keyof typeof CLOUDS;

/** Starts a server, and makes its bucket. */
export async function serveStore(name: CloudName & ServerName): Promise<ServedStore> {
  const server = await startServer(name);
  return { server, store: await storeWith(name, server), url: (key) => `${CLOUDS[name]}://bucket/${key}` };
}

async function storeWith(name: CloudName, server: RunningServer): Promise<ObjectStore> {
  switch (CLOUDS[name]) {
    case 's3': {
      const client = s3Client(server.url, S3_KEYS[name]!);
      await client.send(new (s3Package().CreateBucketCommand)({ Bucket: 'bucket' }));
      return new S3Store(() => client);
    }
    case 'az': {
      const client = azureClient(server);
      await client.createContainer('bucket');
      return new AzureStore(() => client);
    }
    case 'gs':
      // The emulator makes a bucket when it is first named.
      return new GcsStore(() => gcsClient(server));
  }
}

/** The variables by which a process finds the clients, and a default client the server and its credentials. */
const VARIABLES: Readonly<Record<'s3' | 'az' | 'gs', (url: string, name: CloudName) => Record<string, string>>> = {
  s3: (url, name) => ({
    AWS_ENDPOINT_URL_S3: url,
    AWS_ACCESS_KEY_ID: S3_KEYS[name]![0],
    AWS_SECRET_ACCESS_KEY: S3_KEYS[name]![1],
  }),
  az: (url) => ({ AZURE_STORAGE_CONNECTION_STRING: azureConnection({ url }) }),
  gs: (url) => ({ STORAGE_EMULATOR_HOST: url, GOOGLE_CLOUD_PROJECT: 'demo-test' }),
};

export function environmentOf(name: CloudName, { server }: Pick<ServedStore, 'server'>): Record<string, string> {
  return { NODE_PATH: CLIENTS, NODE_NO_WARNINGS: '1', ...VARIABLES[CLOUDS[name]](server.url, name) };
}

/** Uploads `bytes` in one part, or in parts of `partBytes`. */
export async function uploadObject(
  store: ObjectStore,
  url: string,
  bytes: Uint8Array,
  partBytes = Infinity,
): Promise<void> {
  const { signal } = new AbortController();
  const upload = await store.upload!(url, signal);
  let parts = 0;
  for (let at = 0; at < bytes.length; at += partBytes) {
    await upload.put(parts++, bytes.subarray(at, at + partBytes), at + partBytes >= bytes.length, signal);
  }
  await upload.finish(parts, signal);
}

/** The number of unfinished uploads that Swift has; s3rver gives none up. */
export async function uploadsOf({ server }: ServedStore): Promise<number> {
  const client = s3Client(server.url, S3_KEYS['swift']!);
  const answer = await client.send(new (s3Package().ListMultipartUploadsCommand)({ Bucket: 'bucket' }));
  return ((answer as { Uploads?: unknown[] }).Uploads ?? []).length;
}

/** Reads a body to its end. */
export async function bodyOf({ chunks }: { readonly chunks: AsyncIterator<Uint8Array> }): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (;;) {
    const step = await chunks.next();
    if (step.done === true) return Buffer.concat(parts);
    parts.push(step.value);
  }
}
