/** Types of `tfrecord-native/s3`, `/gcs`, `/azure` and `/http`, whose clients are described by what is used of them. */
import { expectTypeOf } from 'expect-type';

import { readRecords, writeRecords, type RecordSource } from 'tfrecord-native';
import { azureSource, useAzureClient, type AzureClientLike } from 'tfrecord-native/azure';
import { gcsTarget, useGcsClient, type GcsClientLike } from 'tfrecord-native/gcs';
import { httpSource, useHttpDispatcher } from 'tfrecord-native/http';
import { s3Source, s3Target, useS3Client } from 'tfrecord-native/s3';

declare class Command {
  readonly input: object;
}
declare const s3: { send(command: Command, options?: { abortSignal?: AbortSignal }): Promise<{ ETag?: string }> };
/** As undici 7 has it, with its own types for bodies and headers. */
declare const agent: {
  request(options: {
    origin?: string | URL;
    path: string;
    method: 'GET' | 'HEAD';
    headers?: Record<string, string> | string[] | null;
    signal?: AbortSignal | null;
  }): Promise<{
    statusCode: number;
    headers: Record<string, string | string[] | undefined>;
    body: NodeJS.ReadableStream & { destroy(): unknown };
  }>;
};
declare const gcs: GcsClientLike, azure: AzureClientLike;

expectTypeOf(useS3Client(s3)).toEqualTypeOf<void>();
expectTypeOf(useGcsClient(gcs)).toEqualTypeOf<void>();
expectTypeOf(useAzureClient(azure)).toEqualTypeOf<void>();
expectTypeOf(s3Source(s3, 's3://bucket/key')).toEqualTypeOf<RecordSource>();
expectTypeOf(useHttpDispatcher(agent)).toEqualTypeOf<void>();
expectTypeOf(httpSource(agent, 'https://example.org/key')).toEqualTypeOf<RecordSource>();
readRecords(azureSource(azure, 'az://container/blob'));
expectTypeOf(s3Target(s3, 's3://bucket/key')).toEqualTypeOf<WritableStream<Uint8Array>>();
await writeRecords(gcsTarget(gcs, 'gs://bucket/name'), ['one']);

// @ts-expect-error -- another client
useS3Client(gcs);
// @ts-expect-error -- another client
useGcsClient(azure);
// @ts-expect-error -- no URL
s3Target(s3);
