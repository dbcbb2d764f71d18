/** Finds the files of logs, and the runs that they belong to, as TensorBoard does. */
import { realpathSync, type Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';

import { objectScheme, shownUrl, systemErrorOf, type TFRecordError } from '../base';
import { compareUtf8 } from '../example';
import {
  expansionOf,
  listFolder,
  lookSoon,
  lookThrough,
  queryFiles,
  refusal,
  type ClassifiedSource,
  type FileQueries,
} from '../io';

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
 * path.
 */
export function* findLogs({ paths }: Pick<Paths, 'paths'>): FileQueries<FoundLogs> {
  const files: LogFile[] = [];
  const errors: TFRecordError[] = [];
  const several = paths.length > 1;
  for (const name of paths) {
    const { path } = name;
    if (yield* isFolder(path)) {
      const found = yield* new Walk(path, several ? path : '').run();
      files.push(...found.files);
      errors.push(...found.errors);
      continue;
    }
    for (const { path: file, error } of yield* expansionOf(name)) {
      if (error === undefined) files.push({ path: file, run: runOf(file) });
      else errors.push(error);
    }
  }
  return { files: byRun(files), errors };
}

/** Resolves with true if `path` is a folder that holds event files. */
export async function hasLogs(path: string, signal: AbortSignal): Promise<boolean> {
  return lookSoon(holdsLogs(path), () => signal.aborted);
}

function* holdsLogs(path: string): FileQueries<boolean> {
  if (!(yield* isFolder(path))) return false;
  const { files } = yield* new Walk(path, '').run();
  return files.length > 0;
}

/** True for a name in a log folder that TensorBoard takes for an event file. */
export function isEventFile(name: string): boolean {
  return name.includes('tfevents') && !name.endsWith('.profile-empty') && !TEMPORARY.test(name);
}

/** The name of an output of this package that is not complete: its values would come twice. */
const TEMPORARY = /^\..*\.\d+-[0-9a-f]{12}\.tmp$/;

function* isFolder(path: string): FileQueries<boolean> {
  if (path === '-' || objectScheme(path) !== undefined) return false;
  const about = yield* known(lookThrough(path));
  return about?.isDirectory() === true;
}

/** Returns the absolute path of the file or folder that `path` leads to, without links. */
function realPathOf(path: string): FileQueries<string> {
  return queryFiles(
    path,
    (at) => realpathSync(at),
    (at) => realpath(at),
  );
}

/** The answer of `query`; undefined if it fails. */
function* known<T>(query: FileQueries<T>): FileQueries<T | undefined> {
  try {
    return yield* query;
  } catch {
    return undefined;
  }
}

/** A link to a folder, or the log folder itself. */
type Link = Omit<Folder, 'real'>;

/** Finds the event files in and below a folder. Each folder is visited once, even if links lead to it, too. */
class Walk {
  readonly files: LogFile[] = [];
  readonly errors: TFRecordError[] = [];
  readonly #top: string;
  readonly #prefix: string;
  /** The folders that were visited, without links. */
  readonly #visited = new Set<string>();
  #links: Link[];
  readonly #folders: Folder[] = [];

  constructor(top: string, prefix: string) {
    this.#top = top;
    this.#prefix = prefix;
    this.#links = [{ path: top, run: '.' }];
  }

  *run(): FileQueries<FoundLogs> {
    while (this.#links.length > 0) {
      // Folders keep their own names, and the first of several links gives its name to a folder elsewhere.
      const round = this.#links.sort((a, b) => compareUtf8(a.run, b.run));
      this.#links = [];
      for (const link of round) yield* this.#below(link);
    }
    const { files, errors } = this;
    if (files.length === 0 && errors.length === 0) {
      errors.push(systemErrorOf('ENOENT', 'scandir', this.#top, 'No file in or below it has "tfevents" in its name.'));
    }
    return { files, errors };
  }

  *#below(link: Link): FileQueries<void> {
    const real = yield* known(realPathOf(link.path));
    if (real !== undefined || link.path === this.#top) this.#folders.push({ ...link, real: real ?? link.path });
    for (let folder = this.#folders.pop(); folder !== undefined; folder = this.#folders.pop()) {
      if (this.#visited.has(folder.real)) continue;
      this.#visited.add(folder.real);
      yield* this.#visit(folder);
    }
  }

  *#visit(folder: Folder): FileQueries<void> {
    try {
      for (const entry of yield* listFolder(folder.path)) yield* this.#enter(folder, entry);
    } catch (error) {
      const refused = refusal(error, folder.path, 'scandir');
      // A folder may go while it is looked for.
      if (refused.code !== 'ENOENT' || folder.path === this.#top) this.errors.push(refused);
    }
  }

  *#enter(folder: Folder, entry: Dirent<Buffer>): FileQueries<void> {
    const name = entry.name.toString();
    const path = joined(folder.path, name);
    const run = folder.run === '.' ? name : `${folder.run}/${name}`;
    const about = entry.isSymbolicLink() ? yield* known(lookThrough(path)) : entry;
    if (about?.isDirectory() !== true) {
      // A link that leads nowhere is an error when it is opened. A pipe might never give anything.
      const isFile = about?.isFile() !== false;
      if (isFile && isEventFile(name)) this.files.push({ path, run: underPrefix(this.#prefix, folder.run) });
    } else if (about === entry) this.#folders.push({ path, run, real: join(folder.real, name) });
    else if (!(yield* isAbove(path, folder.real))) this.#links.push({ path, run });
  }
}

/** True if the link at `path` leads to the folder `inner`, or to one that holds it. */
function* isAbove(path: string, inner: string): FileQueries<boolean> {
  const real = yield* realPathOf(path);
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
