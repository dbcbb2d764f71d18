/**
 * Reads and writes objects of Google Cloud Storage through a client of your own, from `@google-cloud/storage`. Without this
 * door, URLs like `gs://bucket/train.tfrecord` go through a client with default credentials.
 *
 * @packageDocumentation
 */
import { checkObjectUrl } from '../../base';
import { GcsStore, objectSource, objectTarget, setStore, type GcsClientLike, type RecordSource } from '../../io';

export type { GcsClientLike };

/**
 * Makes `client` the one for all `gs:` URLs that this thread opens from now on.
 *
 * @example
 * useGcsClient(gcs);
 * for await (const record of readRecords('gs://bucket/train.tfrecord')) console.log(record.length);
 */
export function useGcsClient(client: GcsClientLike): void {
  setStore('gs', new GcsStore(() => client));
}

/**
 * Returns a source for readers and datasets: the object at `url`, a `gs:` URL with bucket and name, neither percent-encoded.
 * It is never a pattern. Any range of it can be read.
 *
 * @throws TypeError ERR_INVALID_ARG_VALUE for any other URL
 *
 * @example
 * for await (const record of readRecords(gcsSource(gcs, 'gs://bucket/train.tfrecord'))) console.log(record.length);
 */
export function gcsSource(client: GcsClientLike, url: string): RecordSource {
  return objectSource(checkObjectUrl('url', url, 'gs'), new GcsStore(() => client));
}

/**
 * Returns a stream for writers that uploads the object at `url` in parts. The object appears, whole, when the writer is
 * closed; if the writer is aborted, so is the upload. An earlier object is replaced.
 *
 * @throws TypeError ERR_INVALID_ARG_VALUE for any other URL
 *
 * @example
 * await writeRecords(gcsTarget(gcs, 'gs://bucket/train.tfrecord'), records);
 */
export function gcsTarget(client: GcsClientLike, url: string): WritableStream<Uint8Array> {
  return objectTarget(checkObjectUrl('url', url, 'gs'), new GcsStore(() => client));
}
