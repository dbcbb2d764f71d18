import { invalidArgValue, fullPath, objectScheme, workingFolder, type Text } from '../../base';
import { classifySource, expandPath, lookAtInput, type ClassifiedSource, type RecordSource } from '../../io';
import type { DividedFiles } from '../../record';

/** A file to convert, or a stream. */
export interface InputFile {
  /** The path, as expanded from the caller's pattern; or `-`, `<bytes>`, `<stream>`. */
  readonly file: string;
  /** Size in bytes; undefined if it is not a file. */
  readonly bytes: number | undefined;
  /** Time of the last change, in whole milliseconds; undefined if it is not a file. */
  readonly modified: number | undefined;
  /** Time of the last change, in milliseconds with fractions. */
  readonly exact?: number | undefined;
  readonly isFolder?: boolean | undefined;
  /** Number of files in a folder of pictures. */
  readonly pictures?: number | undefined;
  /** CRC-32C of the paths, sizes and times of these files. */
  readonly list?: string | undefined;
  /** Number of stored bytes that this part of the job has of the file. Default: all. */
  readonly share?: number | undefined;
  /** Number of the first record in the file that this part of the job has. Default: 0. */
  readonly first?: number | undefined;
}

/** The inputs of a job, in order. All of them exist. */
export interface Inputs {
  readonly files: readonly InputFile[];
  /** The inputs as readers take them. */
  readonly source: ClassifiedSource;
  /** True if all inputs can be read again. */
  readonly repeatable: boolean;
  /** Absolute paths of the inputs that are files. */
  readonly paths: readonly string[];
  /** Name of the original stream, if the only input is a copy of it (TFRecords of its records or lines). */
  readonly copyOf?: string | undefined;
  /** The part of the first and the last file that is to be read. Default: all files are whole. */
  readonly slice?: DividedFiles | undefined;
  /** Notes for the caller about these inputs. */
  readonly notes?: readonly Text[] | undefined;
  /** The real path of a folder whose files are the inputs. Outputs must lie outside it. */
  readonly root?: string | undefined;
}

/** Finds the files of `source`. @throws TFRecordError for the first missing file; TypeError for an invalid value */
export async function findInputs(source: RecordSource): Promise<Inputs> {
  if (Array.isArray(source) && source.length === 0) {
    throw invalidArgValue('input', 'a list of at least one path, file URL or chunk of bytes', source);
  }
  const classified = classifySource(source);
  if (classified.kind === 'bytes') {
    const { name, size, repeatable } = classified.source;
    return { files: [{ file: name, bytes: size, modified: undefined }], source: classified, repeatable, paths: [] };
  }
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

/** Looks at files that are known, in order. @throws TFRecordError for the first missing one */
export async function lookAtFiles(paths: readonly string[]): Promise<Inputs> {
  const folder = workingFolder();
  const files: InputFile[] = [];
  for (const path of paths) files.push(await lookAt(path, folder));
  return inputsOf(files, folder);
}

/** The inputs for `files`. */
export function inputsOf(files: readonly InputFile[], folder = workingFolder()): Inputs {
  return {
    files,
    source: { kind: 'paths', paths: files.map(({ file }) => ({ path: file, expands: false })), folder },
    repeatable: files.every(({ bytes }) => bytes !== undefined),
    paths: files
      .filter(({ file, bytes }) => bytes !== undefined && objectScheme(file) === undefined)
      .map(({ file }) => fullPath(file, folder)),
  };
}

/** Looks at the input `file`, which is not a pattern. @throws TFRecordError if it is missing */
export async function lookAt(file: string, folder: string | undefined): Promise<InputFile> {
  if (file === '-') return { file, bytes: undefined, modified: undefined };
  const identity = await lookAtInput(file, folder);
  if (identity === undefined) return { file, bytes: undefined, modified: undefined };
  const { kind, size, mtimeMs } = identity;
  // Reading a folder throws an error with advice.
  if (kind !== 'file') return { file, bytes: undefined, modified: undefined, isFolder: kind === 'folder' };
  return { file, bytes: size, modified: Math.round(mtimeMs), exact: mtimeMs };
}

/** Total size of the files among `inputs`, as stored. */
export function bytesOf({ files }: Pick<Inputs, 'files'>): number {
  return files.reduce((sum, { bytes = 0, share = bytes }) => sum + share, 0);
}
