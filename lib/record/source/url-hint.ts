/** One letter and a colon are a drive of Windows. */
const URL_TEXT = /^([a-z][a-z\d+.-]+):\/\//i;

export const REMOTE_HINT =
  'remote sources are read through a stream: pass the body of a fetch (response.body) or the stream that a storage ' +
  'client gives; to the command, pipe it in and name it "-"';

/** What to do with a URL that was given as a path; undefined for what looks like none. */
export function hintForUrl(path: string): string | undefined {
  const scheme = URL_TEXT.exec(path)?.[1]?.toLowerCase();
  if (scheme === undefined) return undefined;
  const what = scheme === 'file' ? 'a URL is to be passed as one, new URL(…)' : REMOTE_HINT;
  return `A string is a path; ${what}.`;
}
