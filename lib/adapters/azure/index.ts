/**
 * Reads and writes objects of Azure Blob Storage through a client of your own, from `@azure/storage-blob`. Without this
 * door, URLs like `az://container/train.tfrecord` go through a client with default credentials.
 *
 * @packageDocumentation
 */
import { checkObjectUrl } from '../../base';
import { AzureStore, objectSource, objectTarget, setStore, type AzureClientLike, type RecordSource } from '../../io';

export type { AzureClientLike };

/**
 * Makes `client` the one for all `az:` URLs that this thread opens from now on.
 *
 * @example
 * useAzureClient(azure);
 * for await (const record of readRecords('az://container/train.tfrecord')) console.log(record.length);
 */
export function useAzureClient(client: AzureClientLike): void {
  setStore('az', new AzureStore(() => client));
}

/**
 * Returns a source for readers and datasets: the object at `url`, an `az:` URL with container and name, neither percent-encoded.
 * It is never a pattern. Any range of it can be read.
 *
 * @throws TypeError ERR_INVALID_ARG_VALUE for any other URL
 *
 * @example
 * for await (const record of readRecords(azureSource(azure, 'az://container/train.tfrecord'))) console.log(record.length);
 */
export function azureSource(client: AzureClientLike, url: string): RecordSource {
  return objectSource(checkObjectUrl('url', url, 'az'), new AzureStore(() => client));
}

/**
 * Returns a stream for writers that uploads the object at `url` in parts. The object appears, whole, when the writer is
 * closed; if the writer is aborted, so is the upload. An earlier object is replaced.
 *
 * @throws TypeError ERR_INVALID_ARG_VALUE for any other URL
 *
 * @example
 * await writeRecords(azureTarget(azure, 'az://container/train.tfrecord'), records);
 */
export function azureTarget(client: AzureClientLike, url: string): WritableStream<Uint8Array> {
  return objectTarget(checkObjectUrl('url', url, 'az'), new AzureStore(() => client));
}
