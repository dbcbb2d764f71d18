/** The listing of files, for all sources that read files. */
import { createHash } from 'node:crypto';

import { lacksDescriptors } from '../../base';
import {
  classifySource,
  expandPath,
  filesClosed,
  freeDescriptors,
  type ClassifiedSource,
  type ExpandedPath,
  type RecordSource,
} from '../../io';
import { inputsOf } from '../../record';
import { bytesContents } from '../engine/fingerprint';
import type { Json } from '../engine/operator';
import type { Run } from '../engine/run';
import type { Scope } from '../engine/scope';

/** `source`, of whose files those are read that `run` says. */
export function sharedSource(source: RecordSource, run: Run): ReturnType<typeof classifySource> {
  const classified = classifySource(source);
  return classified.kind === 'paths' ? { ...classified, pick: run.files?.pick, folder: run.scope.folder } : classified;
}

/** Names of files, and patterns. */
export type Paths = Extract<ClassifiedSource, { kind: 'paths' }>['paths'];

/** The files that `paths` mean. */
export async function expandAll(paths: Paths, scope: Scope): Promise<ExpandedPath[]> {
  const files: ExpandedPath[] = [];
  for (const path of paths) files.push(...(await expandPath(path, () => scope.closed, scope.folder)));
  return files;
}

/**
 * Waits for the turn of a source that found no descriptor, or for descriptors. False where none will be free. `before`:
 * the `filesClosed()` before the attempt.
 */
export async function mayTryAgain(run: Run, before: number): Promise<boolean> {
  return (await run.again?.()) === true || (!run.scope.closed && (await freeDescriptors(before)));
}

/** The files that `paths` mean, listed again while a folder lacks a descriptor, until none will be free. */
export async function expandWhenPossible(paths: Paths, run: Run): Promise<ExpandedPath[]> {
  for (;;) {
    const before = filesClosed();
    const found = await expandAll(paths, run.scope);
    if (!found.some(({ error }) => lacksDescriptors(error)) || !(await mayTryAgain(run, before))) return found;
  }
}

/** True if `source` is files, and not bytes of one stream. */
export function hasFiles(source: RecordSource): boolean {
  return classifySource(source).kind === 'paths';
}

/** The files that `source` means. */
export async function listFiles(source: RecordSource, scope: Scope): Promise<readonly string[] | undefined> {
  const classified = classifySource(source);
  if (classified.kind !== 'paths') return undefined;
  return (await inputsOf({ ...classified, folder: scope.folder }, () => scope.closed)).map(({ file }) => file);
}

/** The fingerprint of the bytes of a source that are no file's. */
export function sourceContents(source: RecordSource): Json {
  const classified = classifySource(source);
  return classified.kind === 'bytes' ? bytesContents(classified.bytes) : null;
}

/** A hash of a list of files, by which a state recognises it. */
export function hashOf(files: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 8);
}
