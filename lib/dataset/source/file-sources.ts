/** What all sources that read files share. */
import { classifySource, inputsOf, type RecordSource } from '../../record';
import type { Run } from '../core/run';
import type { Scope } from '../core/scope';

/** `source`, of whose files those are read that `run` says. */
export function sharedSource(source: RecordSource, run: Run): ReturnType<typeof classifySource> {
  const classified = classifySource(source);
  return classified.kind === 'paths' ? { ...classified, pick: run.files?.pick } : classified;
}

/** Whether `source` is files, and not bytes of one stream. */
export function hasFiles(source: RecordSource): boolean {
  return classifySource(source).kind === 'paths';
}

/** How many files `source` means. */
export async function countFiles(source: RecordSource, scope: Scope): Promise<number> {
  return (await inputsOf(classifySource(source), () => scope.closed)).length;
}
