/** Indexes that are objects of stores, as those beside objects: `s3://bucket/train.tfrecord.tfindex`. */
import { isBucketUrl, objectScheme, type TFRecordError } from '../../base';
import { INDEX_SUFFIX, isRanged, RemoteSource } from '../../io';
import { readRange } from './index-source';

/**
 * Returns the URL of the index beside the object at `url`. Undefined for an `http:` URL with a query: a signature in it holds
 * for one object, and other servers may mean another object by it.
 */
export function indexBesideObject(url: string): string | undefined {
  if (isBucketUrl(url)) return `${url}${INDEX_SUFFIX}`;
  const { search, pathname } = new URL(url);
  // A fragment is not a part of the object's name.
  return search !== '' || pathname.endsWith('/') ? undefined : `${url.replace(/[?#].*$/s, '')}${INDEX_SUFFIX}`;
}

/**
 * True if `error`, about the index at `path`, means that there is none. Stores may refuse names that do not exist, so that
 * nobody can guess them.
 */
export function isIndexMissing({ code }: TFRecordError, path: string): boolean {
  return code === 'ENOENT' || (code === 'EACCES' && objectScheme(path) !== undefined);
}

/**
 * Reads the whole object at `url`. Returns undefined if it is longer than `most` bytes, or of unknown size.
 * @throws TFRecordError if it cannot be read
 */
export async function readIndexObject(url: string, most: number): Promise<Uint8Array | undefined> {
  const known = await new RemoteSource(url).known();
  if (!isRanged(known)) {
    // Its answer has begun.
    await known.pull(0).close();
    return undefined;
  }
  const { size } = known;
  return size === undefined || size > most ? undefined : readRange(known, 0, size);
}
