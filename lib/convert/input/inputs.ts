import { stat } from 'node:fs/promises';

import { invalidArgValue, fromNodeError, fullPath, workingFolder } from '../../base';
import { classifySource, expandPath, type ClassifiedSource, type RecordSource } from '../../io';

/** A file to convert, or a stream. */
export interface InputFile {
  /** The path as the caller's pattern gave it; `-`, `<bytes>`, `<stream>`. */
  readonly file: string;
  /** Size; undefined if it is not a file. */
  readonly bytes: number | undefined;
  /** Time of the last change, in milliseconds; undefined if it is not a file. */
  readonly modified: number | undefined;
  /** The same with fractions. */
  readonly exact?: number | undefined;
  readonly isFolder?: boolean | undefined;
  /** Number of files of a folder of pictures. */
  readonly pictures?: number | undefined;
  /** CRC-32C of their paths, sizes and times. */
  readonly list?: string | undefined;
}

/** The inputs of a job, in order, each of them found. */
export interface Inputs {
  readonly files: readonly InputFile[];
  /** The same, for readers. */
  readonly source: ClassifiedSource;
  /** True if all can be read again. */
  readonly repeatable: boolean;
  /** Absolute paths of those that are files. */
  readonly paths: readonly string[];
  /** If the only input is a copy of a stream, as TFRecords of its records or lines: the name of the stream. */
  readonly copyOf?: string | undefined;
  /** The real path of a folder whose files are the inputs. No output may lie in it. */
  readonly root?: string | undefined;
}

/** Finds the files that `source` means. @throws TFRecordError for the first that is missing; TypeError for other values */
export async function findInputs(source: RecordSource): Promise<Inputs> {
  if (Array.isArray(source) && source.length === 0) {
    throw invalidArgValue('input', 'a list of at least one path, file URL or chunk of bytes', source);
  }
  const classified = classifySource(source);
  if (classified.kind === 'bytes') return streamInput('<bytes>', classified.length, classified, true);
  if (classified.kind === 'chunks')
    return streamInput(classified.file, classified.size, classified, classified.repeatable);
  const folder = workingFolder();
  const files: InputFile[] = [];
  for (const name of classified.paths) {
    for (const { path, error } of await expandPath(name, undefined, folder)) {
      if (error !== undefined) throw error;
      files.push(await lookAt(path, folder));
    }
  }
  return inputsOf(files, folder);
}

/** The inputs that are `files`. */
export function inputsOf(files: readonly InputFile[], folder = workingFolder()): Inputs {
  return {
    files,
    source: { kind: 'paths', paths: files.map(({ file }) => ({ path: file, expands: false })), folder },
    repeatable: files.every(({ bytes }) => bytes !== undefined),
    paths: files.filter(({ bytes }) => bytes !== undefined).map(({ file }) => fullPath(file, folder)),
  };
}

async function lookAt(file: string, folder: string | undefined): Promise<InputFile> {
  if (file === '-') return { file, bytes: undefined, modified: undefined };
  const found = await stat(fullPath(file, folder)).catch((cause: unknown) => {
    throw fromNodeError(cause, file, 'open');
  });
  // Reading a folder gives the error that helps.
  if (!found.isFile()) return { file, bytes: undefined, modified: undefined, isFolder: found.isDirectory() };
  return { file, bytes: found.size, modified: Math.round(found.mtimeMs), exact: found.mtimeMs };
}

function streamInput(file: string, bytes: number | undefined, source: ClassifiedSource, repeatable: boolean): Inputs {
  return { files: [{ file, bytes, modified: undefined }], source, repeatable, paths: [] };
}
