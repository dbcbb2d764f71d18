/**
 * File system queries, written once for synchronous and asynchronous callers. A generator yields the queries, and its
 * driver answers them: {@link lookNow} on the calling thread, {@link lookSoon} without blocking it. So both find the same
 * files and fail with the same errors.
 */
import { lstatSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

import { codeOf, fromNodeError, fullPath, invalidArgValue, relativeParts, shownUrl, TFRecordError } from '../../base';

interface Query {
  readonly path: string | Buffer;
  readonly now: (path: string | Buffer) => unknown;
  readonly soon: (path: string | Buffer) => Promise<unknown>;
}

/** A generator that yields queries and returns a `T`. A failed query throws Node's error at its `yield`. */
export type FileQueries<T> = Generator<Query, T, unknown>;

/** Yields a query, and returns its answer. */
export function* queryFiles<T>(
  path: string | Buffer,
  now: (path: string | Buffer) => T,
  soon: (path: string | Buffer) => Promise<T>,
): FileQueries<T> {
  return (yield { path, now, soon }) as T;
}

/** Queries `path` itself: links are not followed. */
export function lookAt(path: string): FileQueries<Stats> {
  return queryFiles(
    path,
    (at) => lstatSync(at),
    (at) => lstat(at),
  );
}

/** Queries the file or folder that `path` leads to: links are followed. */
export function lookThrough(path: string | Buffer): FileQueries<Stats> {
  return queryFiles(
    path,
    (at) => statSync(at),
    (at) => stat(at),
  );
}

/** Returns a text that identifies the file or folder that `path` leads to, whatever its name. */
export function* identityOf(path: string): FileQueries<string> {
  const { dev, ino } = yield* queryFiles(
    path,
    (at) => statSync(at, { bigint: true }),
    (at) => stat(at, { bigint: true }),
  );
  return `${dev}:${ino}`;
}

/** Lists the entries of a folder. Names are bytes, because they need not be UTF-8. */
export function listFolder(path: string): FileQueries<Dirent<Buffer>[]> {
  const options = { encoding: 'buffer', withFileTypes: true } as const;
  return queryFiles(
    path,
    (at) => readdirSync(at, options),
    (at) => readdir(at, options),
  );
}

/** Queries a store by URL, which only asynchronous callers can do. */
export function queryUrls<T>(url: string, soon: (url: string) => Promise<T>): FileQueries<T> {
  return queryFiles(
    url,
    (at) => {
      throw noNetwork(String(at));
    },
    (at) => soon(String(at)),
  );
}

/** The error for a URL where nothing may be awaited. */
export function noNetwork(url: string): TypeError {
  return invalidArgValue(
    'source',
    'a file or bytes: reading without promises has no network. Use the asynchronous reader',
    shownUrl(url),
  );
}

/** Answers the queries on the calling thread. */
export function lookNow<T>(looking: FileQueries<T>): T {
  let step = looking.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = step.value.now(step.value.path);
    } catch (error) {
      step = looking.throw(error);
      continue;
    }
    step = looking.next(answer);
  }
  return step.value;
}

/**
 * Answers the queries without blocking. Rejects with TFR_CLOSED before the next query once `isOver` returns true. Relative
 * paths are relative to `folder`, even after `process.chdir`.
 */
export async function lookSoon<T>(looking: FileQueries<T>, isOver = (): boolean => false, folder?: string): Promise<T> {
  let step = looking.next();
  while (step.done !== true) {
    if (isOver()) throw new TFRecordError('TFR_CLOSED', 'Closed while looking for files');
    let answer: unknown;
    try {
      answer = await step.value.soon(pinned(step.value.path, folder));
    } catch (error) {
      step = looking.throw(error);
      continue;
    }
    step = looking.next(answer);
  }
  return step.value;
}

function pinned(path: string | Buffer, folder: string | undefined): string | Buffer {
  if (typeof path === 'string') return fullPath(path, folder);
  // A Buffer stays a Buffer: names that are not UTF-8 must not be converted.
  const text = path.toString('latin1');
  if (folder === undefined || isAbsolute(text)) return path;
  const [base, rest] = relativeParts(text, folder);
  return Buffer.concat([Buffer.from(`${base}/`), path.subarray(path.length - rest.length)]);
}

/** True if Node's `error` says that nothing has that name. */
export function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Converts Node's error of a query. @throws `error` itself if it is not a system error. */
export function refusal(error: unknown, file: string, syscall: string, hint?: string): TFRecordError {
  const ours = fromNodeError(error, file, syscall, hint);
  if (ours instanceof TFRecordError) return ours;
  throw error;
}
