/** Looks at files on the calling thread, before they are read. */
import { statSync } from 'node:fs';

import { folderError, fromNodeError, fullPath, objectScheme, TFRecordError, workingFolder } from '../../base';
import { expandPathSync, noNetwork, type ExpandedPath } from '../../io';
import type { ReaderSpec } from '../../native';
import type { ReadPlan } from './read-options';
import { readerSpec } from './reader-spec';

/** A file, or something that can be read like one. */
interface FoundFile {
  /** The name in errors. */
  readonly file: string;
  /** The full path; `-` for standard input. */
  readonly at: string;
  /** Size of a regular file; undefined for anything else. */
  readonly bytes: number | undefined;
}

/** Looks at a path, relative to `folder`. @throws TFRecordError if it cannot be read */
export function lookAtSync({ path: file, error }: ExpandedPath, folder: string | undefined): FoundFile {
  if (error !== undefined) throw error;
  if (objectScheme(file) !== undefined) throw noNetwork(file);
  const at = file === '-' ? file : fullPath(file, folder);
  try {
    const stats = file === '-' ? undefined : statSync(at);
    if (stats?.isDirectory() === true) throw folderError(file);
    return { file, at, bytes: stats?.isFile() === true ? stats.size : undefined };
  } catch (cause) {
    throw fromNodeError(cause, file, 'open');
  }
}

/** A regular file, with the settings of its reader; or the reason why it cannot be read. */
export type ReadableFile = { readonly file: string; readonly at: string } & (
  | { readonly spec: ReaderSpec; readonly bytes: number; readonly error?: undefined }
  | { readonly spec?: undefined; readonly bytes?: undefined; readonly error: TFRecordError }
);

/** The regular files of `paths`, which may be patterns, for readers with `plan` in native code, which read no others. */
export function readableFilesSync(paths: readonly string[], plan: ReadPlan): ReadableFile[] {
  const folder = workingFolder();
  return paths
    .flatMap((path) => expandPathSync({ path, expands: true }))
    .map((path): ReadableFile => {
      try {
        const { file, at, bytes } = lookAtSync(path, folder);
        if (bytes === undefined) throw notRegular(file);
        return { file, at, bytes, spec: readerSpec(plan, { bytes, at }) };
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        return { file: path.path, at: path.path, error };
      }
    });
}

/** The error for a pipe, or anything else that is read without a size, where only regular files can be read. */
export function notRegular(file: string): TFRecordError {
  return new TFRecordError('EINVAL', `${file} is not a regular file: read it as a stream`, { file });
}
