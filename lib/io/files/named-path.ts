/** Names of files to read, before and after they are looked up. */
import { schemeOf, type TFRecordError } from '../../base';

/** A path, pattern or shard set that has not been looked up yet. */
export interface NamedPath {
  readonly path: string;
  /** True if it may be a pattern or a set of shards; never for URLs. */
  readonly expands: boolean;
}

/** A file to read, or an error in its place. */
export interface ExpandedPath {
  readonly path: string;
  readonly error?: TFRecordError;
}

export const REMOTE_HINT =
  'URLs of https:, http:, s3:, gs: and az: are read; for others, pass the Response of a fetch or the stream that a ' +
  'storage client gives; to the command, pipe it in and name it "-"';

/** Returns advice for a path that looks like a URL; undefined for other paths. */
export function hintForUrl(path: string): string | undefined {
  const scheme = schemeOf(path);
  if (scheme === undefined) return undefined;
  return scheme === 'file' ? 'A string is a path; pass a URL as an object, new URL(…).' : `${REMOTE_HINT}.`;
}
