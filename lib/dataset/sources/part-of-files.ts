/** One part of the records of files, which reads only its own bytes. */
import { invalidArgValue, locate } from '../../base';
import { lookAtInput, type ClassifiedSource } from '../../io';
import { divideFiles, type DividedFiles, type SizedFile } from '../../record';
import type { FilePart, Run } from '../engine/run';
import { expandWhenPossible, type Paths } from './file-sources';

/**
 * Divides the files of `paths`, and returns `part` of them. No index is used, because processes that see different ones would
 * divide in different ways. @throws TFRecordError if a file cannot be read; TypeError if one is not a regular file
 */
export async function divideAmong(paths: Paths, part: FilePart, run: Run): Promise<DividedFiles> {
  const { folder } = run.scope;
  const files: SizedFile[] = [];
  for (const { path, error } of await expandWhenPossible(paths, run)) {
    if (error !== undefined) throw error;
    const identity = await lookAtInput(path, folder);
    if (identity?.kind !== 'file') {
      throw invalidArgValue(
        'options.by',
        '"record" here, because only the bytes of regular files can be divided',
        path,
      );
    }
    files.push({ file: locate(path, folder), bytes: identity.size });
  }
  return divideFiles(files, part, false);
}

/** Returns `source` with the files of `part` alone. */
export function filesOfPart(source: ClassifiedSource, { first, last }: DividedFiles): ClassifiedSource {
  return source.kind === 'paths' ? { ...source, pick: (files) => files.slice(first, last) } : source;
}
