/**
 * Questions to the file system, asked in one place for both lanes: what asks is a generator, and whoever drives it
 * answers on the calling thread or without blocking it. So both lanes find the same and fail alike.
 */
import { lstatSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

import { TFRecordError } from '../../errors';
import { fullPath } from '../arguments';
import { fromNodeError } from '../faults';

interface Question {
  readonly path: string | Buffer;
  readonly now: (path: string | Buffer) => unknown;
  readonly soon: (path: string | Buffer) => Promise<unknown>;
}

/** Asks the file system, and ends with a `T`. Questions throw Node's errors where they are asked. */
export type Looking<T> = Generator<Question, T, unknown>;

function* ask<T>(
  path: string | Buffer,
  now: (path: string | Buffer) => T,
  soon: (path: string | Buffer) => Promise<T>,
): Looking<T> {
  return (yield { path, now, soon }) as T;
}

/** What `path` is itself, link or not. */
export function lookAt(path: string): Looking<Stats> {
  return ask(
    path,
    (at) => lstatSync(at),
    (at) => lstat(at),
  );
}

/** What `path` leads to. */
export function lookThrough(path: string | Buffer): Looking<Stats> {
  return ask(
    path,
    (at) => statSync(at),
    (at) => stat(at),
  );
}

/** Which file or folder `path` leads to, by whatever name. */
export function* identityOf(path: string): Looking<string> {
  const { dev, ino } = yield* ask(
    path,
    (at) => statSync(at, { bigint: true }),
    (at) => stat(at, { bigint: true }),
  );
  return `${dev}:${ino}`;
}

/** What is in a folder. Names are bytes: they need not be UTF-8. */
export function listFolder(path: string): Looking<Dirent<Buffer>[]> {
  const options = { encoding: 'buffer', withFileTypes: true } as const;
  return ask(
    path,
    (at) => readdirSync(at, options),
    (at) => readdir(at, options),
  );
}

/** Answers on the calling thread. */
export function lookNow<T>(looking: Looking<T>): T {
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
 * Answers without blocking. Asks nothing more when `isOver` tells that nobody waits: rejects then with TFR_CLOSED. Relative
 * paths begin at `folder`, wherever the process has gone.
 */
export async function lookSoon<T>(looking: Looking<T>, isOver = (): boolean => false, folder?: string): Promise<T> {
  let step = looking.next();
  while (step.done !== true) {
    if (isOver()) throw new TFRecordError('TFR_CLOSED', 'Closed while files were looked for');
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
  // Names that are no UTF-8 stay what they are.
  return folder === undefined || isAbsolute(path.toString('latin1'))
    ? path
    : Buffer.concat([Buffer.from(`${folder}/`), path]);
}

/** True if Node's `error` says that there is nothing of that name. */
export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Node's error of a question, as ours. @throws `error` itself when it is none. */
export function refusal(error: unknown, file: string, syscall: string, hint?: string): TFRecordError {
  const ours = fromNodeError(error, file, syscall, hint);
  if (ours instanceof TFRecordError) return ours;
  throw error;
}
