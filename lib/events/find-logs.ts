/** Finds the files of logs, and the runs that they belong to, as TensorBoard does. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { posix } from 'node:path';

import { fromNodeError, fullPath, objectScheme, shownUrl, systemErrorOf, TFRecordError } from '../base';
import { compareUtf8 } from '../example';
import { expandPath, type ClassifiedSource } from '../io';

/** A file of a log. */
export interface LogFile {
  readonly path: string;
  readonly run: string;
}

/** The files of a source, those of one run together, in reading order; and the errors of names that have no file. */
export interface FoundLogs {
  readonly files: readonly LogFile[];
  readonly errors: readonly TFRecordError[];
}

type Paths = Extract<ClassifiedSource, { kind: 'paths' }>;

/** A folder in a log folder. */
interface Folder {
  readonly path: string;
  /** Its path below the log folder; `.` is the log folder. */
  readonly run: string;
  /** The real paths of the folders above, and its own, as far as a link leads here. */
  readonly above: readonly string[];
}

/**
 * Finds the files of `source`. A folder is a log folder: each folder in it that holds event files is a run. Any other name
 * means files, whose runs are the paths of their folders. If there are several names, runs of a log folder begin with its
 * path. Rejects with TFR_CLOSED soon after `isOver` returns true.
 */
export async function findLogs(source: Paths, isOver: () => boolean): Promise<FoundLogs> {
  const files: LogFile[] = [];
  const errors: TFRecordError[] = [];
  const several = source.paths.length > 1;
  for (const name of source.paths) {
    const { path } = name;
    if (await isFolder(path, source.folder)) {
      const found = await walk(path, source.folder, several ? path : '', isOver);
      files.push(...found.files);
      errors.push(...found.errors);
      continue;
    }
    for (const { path: file, error } of await expandPath(name, isOver, source.folder)) {
      if (error === undefined) files.push({ path: file, run: runOf(file) });
      else errors.push(error);
    }
  }
  return { files: byRun(files), errors };
}

/** True for a name in a log folder that TensorBoard takes for an event file. */
function isEventFile(name: string): boolean {
  return name.includes('tfevents') && !name.endsWith('.profile-empty');
}

async function isFolder(path: string, folder: string | undefined): Promise<boolean> {
  if (path === '-' || objectScheme(path) !== undefined) return false;
  const about = await stat(fullPath(path, folder)).catch(() => undefined);
  return about?.isDirectory() === true;
}

/** Finds the event files in and below the folder `top`. */
async function walk(top: string, base: string | undefined, prefix: string, isOver: () => boolean): Promise<FoundLogs> {
  const files: LogFile[] = [];
  const errors: TFRecordError[] = [];
  const folders: Folder[] = [{ path: top, run: '.', above: [] }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (isOver()) throw new TFRecordError('TFR_CLOSED', 'Closed while looking for files');
    try {
      for (const entry of await readdir(fullPath(folder.path, base), { withFileTypes: true })) {
        const path = joined(folder.path, entry.name);
        const isLink = entry.isSymbolicLink();
        const isInner = isLink ? await isFolder(path, base) : entry.isDirectory();
        if (!isInner) {
          if (isEventFile(entry.name)) files.push({ path, run: underPrefix(prefix, folder.run) });
          continue;
        }
        const { above } = folder;
        const real = isLink || above.length > 0 ? await realpath(fullPath(path, base)) : undefined;
        // A link to a folder above would lead here again and again.
        if (real !== undefined && (above.includes(real) || (await isAbove(real, folder.path, base)))) continue;
        const run = folder.run === '.' ? entry.name : `${folder.run}/${entry.name}`;
        folders.push({ path, run, above: real === undefined ? above : [...above, real] });
      }
    } catch (error) {
      const known = fromNodeError(error, folder.path, 'scandir');
      if (!(known instanceof TFRecordError)) throw known;
      // A folder may go while it is looked for.
      if (known.code !== 'ENOENT' || folder.path === top) errors.push(known);
    }
  }
  if (files.length === 0 && errors.length === 0) {
    errors.push(systemErrorOf('ENOENT', 'scandir', top, 'No file in or below it has "tfevents" in its name.'));
  }
  return { files, errors };
}

/** True if the folder with the real path `real` is `path`, or holds it. */
async function isAbove(real: string, path: string, base: string | undefined): Promise<boolean> {
  const inner = await realpath(fullPath(path, base));
  return inner === real || inner.startsWith(`${real}/`) || inner.startsWith(`${real}\\`);
}

function joined(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

function underPrefix(prefix: string, run: string): string {
  if (prefix === '') return run;
  const folder = prefix.replace(/(?<=.)\/+$/, '');
  return run === '.' ? folder : joined(folder, run);
}

/** The run of a file that was named: the path of its folder. */
export function runOf(file: string): string {
  return file === '-' ? '.' : posix.dirname(shownUrl(file).replaceAll('\\', '/'));
}

/** Puts the files of each run together: runs by name, and files in the order of their paths. */
function byRun(files: readonly LogFile[]): LogFile[] {
  return [...files].sort((a, b) => compareUtf8(a.run, b.run) || compareUtf8(a.path, b.path));
}
