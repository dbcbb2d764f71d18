/** Finds the files of logs, and the runs that they belong to, as TensorBoard does. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';

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
  /** Its path without links. */
  readonly real: string;
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

/** Finds the event files in and below the folder `top`. Each folder is visited once, even if links lead to it, too. */
async function walk(top: string, base: string | undefined, prefix: string, isOver: () => boolean): Promise<FoundLogs> {
  const files: LogFile[] = [];
  const errors: TFRecordError[] = [];
  const visited = new Set<string>();
  let folders: Folder[] = [];
  let links: Omit<Folder, 'real'>[] = [{ path: top, run: '.' }];
  while (links.length > 0) {
    // Folders keep their own names, and the first of several links gives its name to a folder elsewhere.
    const round = links.sort((a, b) => compareUtf8(a.run, b.run));
    links = [];
    for (const link of round) {
      const real = await realpath(fullPath(link.path, base)).catch(() => undefined);
      if (real !== undefined || link.path === top) folders = [{ ...link, real: real ?? fullPath(top, base) }];
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        if (isOver()) throw new TFRecordError('TFR_CLOSED', 'Closed while looking for files');
        if (visited.has(folder.real)) continue;
        visited.add(folder.real);
        try {
          for (const entry of await readdir(fullPath(folder.path, base), { withFileTypes: true })) {
            const path = joined(folder.path, entry.name);
            const run = folder.run === '.' ? entry.name : `${folder.run}/${entry.name}`;
            const about = entry.isSymbolicLink() ? await stat(fullPath(path, base)).catch(() => undefined) : entry;
            if (about?.isDirectory() !== true) {
              // A link that leads nowhere is an error when it is opened. A pipe might never give anything.
              const isFile = about?.isFile() !== false;
              if (isFile && isEventFile(entry.name)) files.push({ path, run: underPrefix(prefix, folder.run) });
            } else if (about === entry) folders.push({ path, run, real: join(folder.real, entry.name) });
            else if (!(await isAbove(path, folder.real, base))) links.push({ path, run });
          }
        } catch (error) {
          const known = fromNodeError(error, folder.path, 'scandir');
          if (!(known instanceof TFRecordError)) throw known;
          // A folder may go while it is looked for.
          if (known.code !== 'ENOENT' || folder.path === top) errors.push(known);
        }
      }
    }
  }
  if (files.length === 0 && errors.length === 0) {
    errors.push(systemErrorOf('ENOENT', 'scandir', top, 'No file in or below it has "tfevents" in its name.'));
  }
  return { files, errors };
}

/** True if the link at `path` leads to the folder `inner`, or to one that holds it. */
async function isAbove(path: string, inner: string, base: string | undefined): Promise<boolean> {
  const real = await realpath(fullPath(path, base));
  return inner === real || inner.startsWith(real.endsWith(sep) ? real : real + sep);
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
