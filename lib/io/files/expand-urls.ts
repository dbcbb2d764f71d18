import { doorOf, objectScheme, shownUrl, systemErrorOf } from '../../base';
import { listObjects, listsObjects } from '../remote/stores';
import { isPattern, parseGlob } from './glob';
import { queryUrls, refusal, type FileQueries } from './looking';
import type { ExpandedPath } from './named-path';
import { shardPaths, shardSet } from './shards';
import { liesBesideRecords } from './walk-folders';

/**
 * Returns the objects that the URL `url` means: the shards of `base@N`, without a look at whether they are there; the matches
 * of a pattern in byte order; else the URL itself. A pattern is refused if the store does not list its objects.
 */
export function* expandUrl(url: string): FileQueries<ExpandedPath[]> {
  const set = shardSet(url);
  if (set !== undefined) return shardPaths(set, set.forms[0]!).map((path) => ({ path }));
  if (listsObjects(url)) return isPattern(url) ? yield* matchesOf(url) : [{ path: url }];
  const scheme = objectScheme(url)!;
  // Opening says that there is no store. In the path of other URLs, `?` begins the query and `[` is not allowed.
  if (doorOf(scheme) !== undefined || !/^[^?#]*\*/.test(url)) return [{ path: url }];
  const name = shownUrl(url);
  const hint = `Servers of ${scheme}: URLs do not list their files: pass a list of URLs. In a URL object, new URL(…), * is literal.`;
  return [{ path: url, error: systemErrorOf('ENOENT', 'glob', name, hint) }];
}

function* matchesOf(url: string): FileQueries<ExpandedPath[]> {
  const prefix = url.slice(0, url.search(/[*?[]/));
  const name = shownUrl(url);
  const pattern = parseGlob(url);
  try {
    const urls = yield* queryUrls(prefix, listObjects);
    const matches = urls.filter((one) => {
      if (!one.startsWith(pattern.prefix) || liesBesideRecords(one, url)) return false;
      const names = one.slice(pattern.prefix.length).split('/');
      return pattern.isEnd(names.reduce((positions, part) => pattern.after(positions, part), pattern.start));
    });
    if (matches.length === 0)
      return [{ path: url, error: systemErrorOf('ENOENT', 'glob', name, 'No object matches.') }];
    return matches.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map((path) => ({ path }));
  } catch (error) {
    return [{ path: url, error: refusal(error, name, 'glob') }];
  }
}
