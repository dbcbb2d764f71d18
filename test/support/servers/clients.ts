/** Clients of the servers that tests start, from the packages that `scripts/servers.sh` installs. */
import { join } from 'node:path';

import type { AzureClientLike, GcsClientLike, HttpDispatcherLike, S3ClientLike } from '../../../lib/io';
import type { S3Package } from '../../../lib/io/clouds/s3-store';
import { SERVERS, type RunningServer } from './servers';

/** The folder of the packages, for `NODE_PATH`. */
export const CLIENTS = join(SERVERS, 'clients', 'node_modules');

/** The account of Azurite that everybody knows. */
const AZURE_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** The keys of the servers of S3. */
export const S3_KEYS: Readonly<Record<string, readonly [id: string, secret: string]>> = {
  s3rver: ['S3RVER', 'S3RVER'],
  swift: ['test:tester', 'testing'],
};

declare global {
  /** The `require` of Node (`environment.cjs`). */
  function requireByNode(name: string): unknown;
}

/** Loads a package without Jest's `require`, which lacks `import()` and takes seconds for so many files. */
function load(name: string): unknown {
  return requireByNode(join(CLIENTS, name));
}

/** The package of S3 for `jest.mock`, and to make commands. */
export function s3Package(): S3Package &
  Readonly<Record<'CreateBucketCommand' | 'ListMultipartUploadsCommand', new (input: object) => object>> {
  return load('@aws-sdk/client-s3') as ReturnType<typeof s3Package>;
}

export function s3Client(url: string, [accessKeyId, secretAccessKey]: readonly [string, string]): S3ClientLike {
  return new (s3Package().S3Client)({
    endpoint: url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
  });
}

export function azureConnection({ url }: Pick<RunningServer, 'url'>): string {
  return `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${AZURE_KEY};BlobEndpoint=${url}/devstoreaccount1;`;
}

export function azureClient(
  server: Pick<RunningServer, 'url'>,
): AzureClientLike & { createContainer(name: string): Promise<unknown> } {
  const { BlobServiceClient } = load('@azure/storage-blob') as {
    BlobServiceClient: { fromConnectionString(text: string, options: object): ReturnType<typeof azureClient> };
  };
  return BlobServiceClient.fromConnectionString(azureConnection(server), { retryOptions: { maxTries: 1 } });
}

/** An agent of undici, with its options. */
export function undiciAgent(options: object = {}): HttpDispatcherLike & { close(): Promise<void> } {
  const { Agent } = requireByNode(join(SERVERS, 'undici', 'node_modules', 'undici')) as {
    Agent: new (options: object) => ReturnType<typeof undiciAgent>;
  };
  return new Agent(options);
}

export function gcsClient({ url }: Pick<RunningServer, 'url'>): GcsClientLike {
  const { Storage } = load('@google-cloud/storage') as { Storage: new (options: object) => GcsClientLike };
  return new Storage({ apiEndpoint: url, projectId: 'demo-test', retryOptions: { autoRetry: false } });
}
