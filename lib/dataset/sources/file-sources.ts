/** Lists files, for all sources that read files. */
import { createHash } from 'node:crypto';

import { lacksDescriptors } from '../../base';
import {
  classifySource,
  expandPath,
  filesClosed,
  freeDescriptors,
  MemorySource,
  type ClassifiedSource,
  type ExpandedPath,
  type RecordSource,
} from '../../io';
import { inputsOf } from '../../record';
import { bytesContents } from '../engine/fingerprint';
import type { Json } from '../engine/operator';
import type { Run } from '../engine/run';
import type { Scope } from '../engine/scope';

/** Classifies `source`, restricted to the files of `run.files`. */
export function sharedSource(source: RecordSource, run: Run): ReturnType<typeof classifySource> {
  const classified = classifySource(source);
  return classified.kind === 'paths' ? { ...classified, pick: run.files?.pick, folder: run.scope.folder } : classified;
}

/** Paths of files, and patterns. */
export type Paths = Extract<ClassifiedSource, { kind: 'paths' }>['paths'];

/** The paths of `source`, which {@link hasFiles}. */
export function pathsOf(source: RecordSource): Paths {
  const classified = classifySource(source);
  return classified.kind === 'paths' ? classified.paths : [];
}

/** Expands `paths` to files. */
export async function expandAll(paths: Paths, scope: Scope): Promise<ExpandedPath[]> {
  const files: ExpandedPath[] = [];
  for (const path of paths) files.push(...(await expandPath(path, () => scope.closed, scope.folder)));
  return files;
}

/**
 * Waits, for a source that found no free file descriptor, until it is its turn or a descriptor is free. False if none
 * will be free. `before` is `filesClosed()` before the attempt.
 */
export async function mayTryAgain(run: Run, before: number): Promise<boolean> {
  return (await run.again?.()) === true || (!run.scope.closed && (await freeDescriptors(before)));
}

/** Expands `paths` to files. Retries as long as no descriptor is free for a folder, until none will be free. */
export async function expandWhenPossible(paths: Paths, run: Run): Promise<ExpandedPath[]> {
  for (;;) {
    const before = filesClosed();
    const found = await expandAll(paths, run.scope);
    if (!found.some(({ error }) => lacksDescriptors(error)) || !(await mayTryAgain(run, before))) return found;
  }
}

/** True if `source` names files; false for bytes and streams. */
export function hasFiles(source: RecordSource): boolean {
  return classifySource(source).kind === 'paths';
}

/** Lists the files of `source`; undefined if it is not files. */
export async function listFiles(source: RecordSource, scope: Scope): Promise<readonly string[] | undefined> {
  const classified = classifySource(source);
  if (classified.kind !== 'paths') return undefined;
  return (await inputsOf({ ...classified, folder: scope.folder }, () => scope.closed)).map(
    ({ file, url = file }) => url,
  );
}

/** Returns a fingerprint of the bytes of a source that is not files. */
export function sourceContents(source: RecordSource): Json {
  const classified = classifySource(source);
  if (classified.kind !== 'bytes') return null;
  return classified.source instanceof MemorySource ? bytesContents(classified.source.bytes) : null;
}

/** Returns a hash of a list of files, which states store. */
export function hashOf(files: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 8);
}
