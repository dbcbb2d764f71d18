/** The listing of files, for all sources that read files. */
import {
  classifySource,
  expandPath,
  inputsOf,
  lacksDescriptors,
  type ClassifiedSource,
  type ExpandedPath,
  type RecordSource,
} from '../../record';
import { bytesContents } from '../core/contents';
import type { Json } from '../core/json';
import type { Run } from '../core/run';
import type { Scope } from '../core/scope';

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

/** The same, listed again while a folder lacks a descriptor, unless `run` says not to try again. */
export async function expandWhenPossible(paths: Paths, run: Run): Promise<ExpandedPath[]> {
  for (;;) {
    const found = await expandAll(paths, run.scope);
    if (!found.some(({ error }) => lacksDescriptors(error)) || (await run.again?.()) !== true) return found;
  }
}

/** Whether `source` is files, and not bytes of one stream. */
export function hasFiles(source: RecordSource): boolean {
  return classifySource(source).kind === 'paths';
}

/** The files that `source` means. */
export async function listFiles(source: RecordSource, scope: Scope): Promise<readonly string[] | undefined> {
  const classified = classifySource(source);
  if (classified.kind !== 'paths') return undefined;
  return (await inputsOf({ ...classified, folder: scope.folder }, () => scope.closed)).map(({ file }) => file);
}

/** What tells the bytes of a source that are no file's. */
export function sourceContents(source: RecordSource): Json {
  const classified = classifySource(source);
  return classified.kind === 'bytes' ? bytesContents(classified.bytes) : null;
}
