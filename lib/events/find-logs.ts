/** Finds the files of logs, and the runs that they belong to, as TensorBoard does. */
import type { Dirent } from 'node:fs';
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
      const found = await new Walk(path, source.folder, several ? path : '', isOver).run();
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

/** A link to a folder, or the log folder itself. */
type Link = Omit<Folder, 'real'>;

/** Finds the event files in and below a folder. Each folder is visited once, even if links lead to it, too. */
class Walk {
  readonly files: LogFile[] = [];
  readonly errors: TFRecordError[] = [];
  readonly #top: string;
  /** The folder against which relative paths are resolved. */
  readonly #base: string | undefined;
  readonly #prefix: string;
  readonly #isOver: () => boolean;
  /** The folders that were visited, without links. */
  readonly #visited = new Set<string>();
  #links: Link[];
  readonly #folders: Folder[] = [];

  constructor(top: string, base: string | undefined, prefix: string, isOver: () => boolean) {
    this.#top = top;
    this.#base = base;
    this.#prefix = prefix;
    this.#isOver = isOver;
    this.#links = [{ path: top, run: '.' }];
  }

  async run(): Promise<FoundLogs> {
    while (this.#links.length > 0) {
      // Folders keep their own names, and the first of several links gives its name to a folder elsewhere.
      const round = this.#links.sort((a, b) => compareUtf8(a.run, b.run));
      this.#links = [];
      for (const link of round) await this.#below(link);
    }
    const { files, errors } = this;
    if (files.length === 0 && errors.length === 0) {
      errors.push(systemErrorOf('ENOENT', 'scandir', this.#top, 'No file in or below it has "tfevents" in its name.'));
    }
    return { files, errors };
  }

  async #below(link: Link): Promise<void> {
    const at = fullPath(link.path, this.#base);
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined || link.path === this.#top) this.#folders.push({ ...link, real: real ?? at });
    for (let folder = this.#folders.pop(); folder !== undefined; folder = this.#folders.pop()) {
      if (this.#isOver()) throw new TFRecordError('TFR_CLOSED', 'Closed while looking for files');
      if (this.#visited.has(folder.real)) continue;
      this.#visited.add(folder.real);
      await this.#visit(folder);
    }
  }

  async #visit(folder: Folder): Promise<void> {
    try {
      const entries = await readdir(fullPath(folder.path, this.#base), { withFileTypes: true });
      for (const entry of entries) await this.#enter(folder, entry);
    } catch (error) {
      const known = fromNodeError(error, folder.path, 'scandir');
      if (!(known instanceof TFRecordError)) throw known;
      // A folder may go while it is looked for.
      if (known.code !== 'ENOENT' || folder.path === this.#top) this.errors.push(known);
    }
  }

  async #enter(folder: Folder, entry: Dirent): Promise<void> {
    const base = this.#base;
    const path = joined(folder.path, entry.name);
    const run = folder.run === '.' ? entry.name : `${folder.run}/${entry.name}`;
    const about = entry.isSymbolicLink() ? await stat(fullPath(path, base)).catch(() => undefined) : entry;
    if (about?.isDirectory() !== true) {
      // A link that leads nowhere is an error when it is opened. A pipe might never give anything.
      const isFile = about?.isFile() !== false;
      if (isFile && isEventFile(entry.name)) this.files.push({ path, run: underPrefix(this.#prefix, folder.run) });
    } else if (about === entry) this.#folders.push({ path, run, real: join(folder.real, entry.name) });
    else if (!(await isAbove(path, folder.real, base))) this.#links.push({ path, run });
  }
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
