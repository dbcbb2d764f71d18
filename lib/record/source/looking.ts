/**
 * Questions to the file system, asked in one place for both lanes: what asks is a generator, and whoever drives it
 * answers on the calling thread or without blocking it. So both lanes find the same and fail alike.
 */
import { lstatSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';

import { TFRecordError } from '../../errors';
import { fromNodeError } from '../faults';

interface Question {
  readonly now: () => unknown;
  readonly soon: () => Promise<unknown>;
}

/** Asks the file system, and ends with a `T`. Questions throw Node's errors where they are asked. */
export type Looking<T> = Generator<Question, T, unknown>;

function* ask<T>(now: () => T, soon: () => Promise<T>): Looking<T> {
  return (yield { now, soon }) as T;
}

/** What `path` is itself, link or not. */
export function lookAt(path: string): Looking<Stats> {
  return ask(
    () => lstatSync(path),
    () => lstat(path),
  );
}

/** What `path` leads to. */
export function lookThrough(path: string): Looking<Stats> {
  return ask(
    () => statSync(path),
    () => stat(path),
  );
}

/** Which file or folder `path` leads to, by whatever name. */
export function* identityOf(path: string): Looking<string> {
  const { dev, ino } = yield* ask(
    () => statSync(path, { bigint: true }),
    () => stat(path, { bigint: true }),
  );
  return `${dev}:${ino}`;
}

/** What is in a folder. Names are bytes: they need not be UTF-8. */
export function listFolder(path: string): Looking<Dirent<Buffer>[]> {
  const options = { encoding: 'buffer', withFileTypes: true } as const;
  return ask(
    () => readdirSync(path, options),
    () => readdir(path, options),
  );
}

/** Answers on the calling thread. */
export function lookNow<T>(looking: Looking<T>): T {
  let step = looking.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = step.value.now();
    } catch (error) {
      step = looking.throw(error);
      continue;
    }
    step = looking.next(answer);
  }
  return step.value;
}

/** Answers without blocking. Asks nothing more when `isOver` tells that nobody waits: rejects then with TFR_CLOSED. */
export async function lookSoon<T>(looking: Looking<T>, isOver = (): boolean => false): Promise<T> {
  let step = looking.next();
  while (step.done !== true) {
    if (isOver()) throw new TFRecordError('TFR_CLOSED', 'Closed while files were looked for');
    let answer: unknown;
    try {
      answer = await step.value.soon();
    } catch (error) {
      step = looking.throw(error);
      continue;
    }
    step = looking.next(answer);
  }
  return step.value;
}

/** Whether Node's `error` says that there is nothing of that name. */
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
