import { shownUrl } from '../../base';
import { Attempts, currentPolicy, heard } from './policy';
import { storeOf } from './stores';

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
