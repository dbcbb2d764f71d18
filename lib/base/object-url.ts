/** Texts that name objects of stores. */
import { invalidArgType, invalidArgValue } from './errors';

/** The schemes of stores, and the door that a store of each comes from; `https:` needs none. */
const DOORS: ReadonlyMap<string, string | undefined> = new Map([
  ['https', undefined],
  ['http', undefined],
  ['s3', 's3'],
  ['gs', 'gcs'],
  ['az', 'azure'],
]);

/** The schemes of URLs whose rest is a bucket and a key, which may hold any character. */
const BUCKETS: ReadonlySet<string> = new Set(['s3', 'gs', 'az']);

const SCHEME = /^([a-z][a-z\d+.-]+):\/\//i;

/** Returns the scheme of `text`, in lower case, if it begins like a URL. One letter and a colon are a Windows drive. */
export function schemeOf(text: string): string | undefined {
  return SCHEME.exec(text)?.[1]?.toLowerCase();
}

/** Returns the scheme of `text`, in lower case, if it is the URL of an object in a store; undefined for paths. */
export function objectScheme(text: string): string | undefined {
  const scheme = schemeOf(text);
  return scheme !== undefined && DOORS.has(scheme) ? scheme : undefined;
}

/** True for the URL of an object in a bucket. Others, of HTTP servers, cannot be written. */
export function isBucketUrl(url: string): boolean {
  return BUCKETS.has(schemeOf(url) ?? '');
}

/** Returns the door of this package that opens stores of `scheme`: `s3` for `s3:`; undefined if it needs none. */
export function doorOf(scheme: string): string | undefined {
  return DOORS.get(scheme);
}

/**
 * Returns `url` as messages name it: without the name and password of a user, without its query, which may hold a
 * signature, and without its fragment. The URL of a bucket has none of these: its key may contain `?` and `#`.
 */
export function shownUrl(url: string): string {
  const scheme = schemeOf(url);
  if (scheme === undefined || scheme === 'file') return url;
  const rest = url.slice(url.indexOf('://') + 3);
  const named = BUCKETS.has(scheme) ? rest : rest.replace(/[?#].*$/s, '');
  return `${scheme}://${named.replace(/^[^/]*@/, '')}`;
}

/** Splits the URL of an object in a bucket: `s3://bucket/a/b.tfrecord`. The key is literal, never percent-decoded. */
export function splitObjectUrl(url: string): { readonly bucket: string; readonly key: string } {
  const [, bucket = '', key = ''] = /^[^:]+:\/\/([^/]*)\/?(.*)$/s.exec(url) ?? [];
  return { bucket, key };
}

/** Returns `url`, the argument `name`, if it names an object of one of `schemes`. @throws TypeError with Node's codes if not */
export function checkObjectUrl(name: string, url: unknown, ...schemes: readonly [string, ...string[]]): string {
  const expected = `a URL such as ${schemes[0]}://${schemes[0] === 'https' ? 'example.org' : 'bucket'}/train.tfrecord`;
  if (typeof url !== 'string') throw invalidArgType(name, expected, url);
  const { bucket, key } = splitObjectUrl(url);
  if (!schemes.includes(objectScheme(url) ?? '') || bucket === '' || key === '')
    throw invalidArgValue(name, expected, shownUrl(url));
  return url;
}
