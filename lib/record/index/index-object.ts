/** Indexes that are objects of stores, as those beside objects: `s3://bucket/train.tfrecord.tfindex`. */
import { isBucketUrl, objectScheme, type TFRecordError } from '../../base';
import { INDEX_SUFFIX, isRanged, RemoteSource } from '../../io';
import { readRange } from './index-source';

/** Takes the next bytes of a saved index, which has `size`. */
export type TakeIndex = (size: number, bytes: Uint8Array) => void;

/** Bytes of a saved index that are read at a time. */
export const INDEX_PART_BYTES = 2 ** 20;

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
 * Passes the object at `url` to `take`, part by part. Resolves with its size; undefined, and nothing is passed, if it has more than
 * `most` bytes, or an unknown number.
 * @throws TFRecordError if it cannot be read; what `take` throws
 */
export async function readIndexObject(url: string, most: number, take: TakeIndex): Promise<number | undefined> {
  const known = await new RemoteSource(url).known();
  if (!isRanged(known)) {
    // Its answer has begun.
    await known.pull(0).close();
    return undefined;
  }
  const { size } = known;
  if (size === undefined || size > most) return undefined;
  for (let from = 0; from < size; from += INDEX_PART_BYTES) {
    take(size, await readRange(known, from, Math.min(INDEX_PART_BYTES, size - from)));
  }
  return size;
}
