/** The stores of this thread, by their schemes. */
import { tfrecordError, advice, worded, doorOf, objectScheme, shownUrl } from '../../base';
import { defaultStore } from '../clouds';
import { HttpStore } from './http-store';
import type { ObjectStore } from './object-store';
import { Attempts, currentPolicy, heard } from './policy';

const http = new HttpStore();
const stores = new Map<string, ObjectStore>([
  ['https', http],
  ['http', http],
]);

/** Makes `store` the one for URLs of `scheme`, as `s3`, in this thread. Returns the store before it. */
export function setStore(scheme: string, store: ObjectStore): ObjectStore | undefined {
  const before = stores.get(scheme);
  stores.set(scheme, store);
  return before;
}

/** True if URLs like `url` have a store that lists its objects: then a URL may be a pattern. */
export function listsObjects(url: string): boolean {
  return knownStore(objectScheme(url) ?? '')?.list !== undefined;
}

/** Returns the store for URLs of `scheme`: the one that was set, otherwise one over a client with default credentials. */
function knownStore(scheme: string): ObjectStore | undefined {
  const store = stores.get(scheme) ?? defaultStore(scheme);
  if (store !== undefined) stores.set(scheme, store);
  return store;
}

/** Returns the store of `url`. @throws TFRecordError ERR_MODULE_NOT_FOUND that names the door to open, if there is none */
export function storeOf(url: string): ObjectStore {
  const scheme = objectScheme(url) ?? '';
  const store = knownStore(scheme);
  if (store !== undefined) return store;
  const name = shownUrl(url);
  const door = `tfrecord-native/${doorOf(scheme) ?? scheme}`;
  throw tfrecordError(
    'ERR_MODULE_NOT_FOUND',
    worded`No store reads ${name}.${advice` Import ${door}, and pass it your client for ${scheme}: URLs.`}`,
    { file: name },
  );
}

/** Resolves with the URLs of all objects that begin with `prefix`. Its store must have `list`. Rejects with a TFRecordError. */
export async function listObjects(prefix: string): Promise<string[]> {
  const policy = currentPolicy();
  const closing = new AbortController();
  const attempts = new Attempts(policy, { name: shownUrl(prefix), task: 'list' }, closing.signal);
  for (;;) {
    const attempt = new AbortController();
    try {
      const urls: string[] = [];
      const pages = storeOf(prefix).list!(prefix, attempt.signal)[Symbol.asyncIterator]();
      for (;;) {
        const page = await heard(pages.next(), policy.timeout, attempt.signal);
        if (page.done === true) return urls;
        for (const { url } of page.value) urls.push(url);
      }
    } catch (error) {
      attempt.abort();
      await attempts.failed(error);
    }
  }
}
