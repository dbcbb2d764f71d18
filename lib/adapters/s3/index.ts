/**
 * Reads and writes objects of S3, and of servers that are compatible with it, through a client of your own, from
 * `@aws-sdk/client-s3`. Without this door, URLs like `s3://bucket/train.tfrecord` go through a client with default credentials.
 *
 * @packageDocumentation
 */
import { checkObjectUrl } from '../../base';
import { S3Store, objectSource, objectTarget, setStore, type S3ClientLike, type RecordSource } from '../../io';

export type { S3ClientLike };

/**
 * Makes `client` the one for all `s3:` URLs that this thread opens from now on.
 *
 * @example
 * useS3Client(s3);
 * for await (const record of readRecords('s3://bucket/train.tfrecord')) console.log(record.length);
 */
export function useS3Client(client: S3ClientLike): void {
  setStore('s3', new S3Store(() => client));
}

/**
 * Returns a source for readers and datasets: the object at `url`, an `s3:` URL with bucket and key, neither percent-encoded.
 * It is never a pattern. Any range of it can be read.
 *
 * @throws TypeError ERR_INVALID_ARG_VALUE for any other URL
 *
 * @example
 * for await (const record of readRecords(s3Source(s3, 's3://bucket/train.tfrecord'))) console.log(record.length);
 */
export function s3Source(client: S3ClientLike, url: string): RecordSource {
  return objectSource(checkObjectUrl('url', url, 's3'), new S3Store(() => client));
}

/**
 * Returns a stream for writers that uploads the object at `url` in parts. The object appears, whole, when the writer is
 * closed; if the writer is aborted, so is the upload. An earlier object is replaced.
 *
 * @throws TypeError ERR_INVALID_ARG_VALUE for any other URL
 *
 * @example
 * await writeRecords(s3Target(s3, 's3://bucket/train.tfrecord'), records);
 */
export function s3Target(client: S3ClientLike, url: string): WritableStream<Uint8Array> {
  return objectTarget(checkObjectUrl('url', url, 's3'), new S3Store(() => client));
}
