/** Stores over the clients of clouds, which users install. */
import type { ObjectStore } from '../remote/object-store';
import { defaultAzureStore } from './azure-store';
import { defaultGcsStore } from './gcs-store';
import { defaultS3Store } from './s3-store';

export { AzureStore, type AzureClientLike, type AzureIdentityPackage, type AzurePackage } from './azure-store';
export { GcsStore, type GcsClientLike, type GcsPackage } from './gcs-store';
export { S3Store, type S3ClientLike, type S3Package } from './s3-store';

/** Returns a store over a client with default credentials, for URLs of `scheme`; undefined if no client reads these. */
export function defaultStore(scheme: string): ObjectStore | undefined {
  switch (scheme) {
    case 's3':
      return defaultS3Store();
    case 'gs':
      return defaultGcsStore();
    case 'az':
      return defaultAzureStore();
    default:
      return undefined;
  }
}
