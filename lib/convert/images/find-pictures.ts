/** Finds the files in a folder of pictures, in byte order. */
import type { Dirent, Stats } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';

import { fromNodeError, fullPath, invalidArgValue, LoopTurns, TFRecordError } from '../../base';
import { Identity } from '../../io';
import type { InputFile, Inputs } from '../input/inputs';
import type { FindOptions } from '../format';
import { boundsOfPart, type Part } from '../job/parts';
import { statAll } from './file-calls';
import { NO_FILE, PictureList, UNKNOWN } from './picture-list';

/** Pictures to convert: those of a folder, or some files. */
export interface Pictures {
  /** The folder as the caller gave it; undefined for files. */
  readonly folder: string | undefined;
  /** The folder with a slash at its end, to be put before the paths of the list. */
  readonly root: Buffer;
  readonly list: PictureList;
  /** Number of pictures before those of `list`, which other parts convert. */
  readonly before: number;
  /** The pictures of all parts. */
  readonly whole: PictureList;
  /** The names of the sub-folders of the first level, with one character for each byte, in byte order. */
  readonly classes: readonly string[];
  /** The option `classes`. */
  readonly classNames: readonly string[] | undefined;
  /** The file of labels. */
  readonly labels: InputFile | undefined;
}

/** Number of entries that are sorted together, and of files that are inspected together. */
const RUN = 2048;

/** Pictures, and the inputs that they count as in a job. */
export interface FoundPictures {
  readonly pictures: Pictures;
  readonly inputs: Inputs;
}

/** Finds the pictures in `given`: one folder, or files. */
export async function findPictures(
  given: Inputs,
  { from, labels, classes: classNames, signal }: FindOptions,
): Promise<FoundPictures> {
  const { files, source } = given;
  if (from === undefined && files.length > 1 && files.every((file) => file.isFolder === true)) {
    throw invalidArgValue('input', 'one folder of pictures: that above these', files[0]!.file);
  }
  const cwd = source.kind === 'paths' ? source.folder : undefined;
  const labelFile = labels === undefined ? undefined : await lookAtLabels(labels, cwd);
  const [first] = files;
  const isFolder = files.length === 1 && first?.isFolder === true;
  if (source.kind !== 'paths' || (!isFolder && files.some(({ bytes }) => bytes === undefined))) {
    throw invalidArgValue('input', 'one folder of pictures, or files, to read pictures', files.at(-1)?.file);
  }
  if (!isFolder && labels !== undefined) {
    throw invalidArgValue('options.labels', 'absent, because the input is not a folder', labels);
  }
  const name = first?.file ?? '';
  const { list, classes, root } = isFolder
    ? await new Walk(name, fullPath(name, cwd), labels === undefined ? undefined : fullPath(labels, cwd), signal).run()
    : { list: listOf(files), classes: [], root: Buffer.from(cwd === undefined ? '' : `${cwd}/`) };
  if (list.length === 0) {
    const hint = 'Files whose names begin with a dot do not count.';
    throw new TFRecordError('ENOENT', `ENOENT: no pictures in the folder '${name}'. ${hint}`, { file: name });
  }
  const pictures: Pictures = {
    folder: isFolder ? name : undefined,
    root,
    list,
    before: 0,
    whole: list,
    classes,
    classNames,
    labels: labelFile,
  };
  return inputsOfPictures(
    pictures,
    [...(isFolder ? [] : given.paths), ...(labelFile === undefined ? [] : [fullPath(labelFile.file, cwd)])],
    isFolder ? await realpath(fullPath(name, cwd)) : undefined,
  );
}

/** The pictures and inputs of `part`. */
export function partOfPictures({ inputs, pictures }: FoundPictures, part: Part): FoundPictures {
  const [begin, end] = boundsOfPart(pictures.list.length, part);
  return inputsOfPictures(
    { ...pictures, list: pictures.list.slice(begin, end), before: begin },
    inputs.paths,
    inputs.root,
  );
}

function inputsOfPictures(pictures: Pictures, paths: readonly string[], root: string | undefined): FoundPictures {
  return { pictures, inputs: pictureInputs(pictures, paths, root) };
}

/** A folder of pictures is one input, because a manifest could not list a million. `root`: its real path. */
export function pictureInputs(
  { list, folder }: Pick<Pictures, 'list' | 'folder'>,
  paths: readonly string[],
  root: string | undefined,
): Inputs {
  const { length } = list;
  const { bytes, modified, crc32c } = list.summary();
  const more = length > 1 ? ` and ${length - 1} more` : '';
  const file = folder ?? (length === 0 ? '' : `${list.path(0).toString()}${more}`);
  const files = length === 0 ? [] : [{ file, bytes, modified: Math.round(modified), pictures: length, list: crc32c }];
  return { files, source: { kind: 'paths', paths: [] }, repeatable: true, paths, root };
}

/** All files below the folder at `path`, which the caller calls `name`, but for hidden ones, in byte order. */
export async function filesBelow(name: string, path: string, signal: AbortSignal | undefined): Promise<PictureList> {
  return (await new Walk(name, path, undefined, signal).run()).list;
}

function listOf(files: readonly InputFile[]): PictureList {
  const list = new PictureList();
  for (const { file, bytes, exact } of files) list.add(Buffer.from(file).toString('latin1'), bytes!, exact!);
  return list;
}

async function lookAtLabels(file: string, cwd: string | undefined): Promise<InputFile> {
  const { kind, size, mtimeMs } = await Identity.of(file, fullPath(file, cwd));
  if (kind !== 'file') throw invalidArgValue('options.labels', 'a file', file);
  return { file, bytes: size, modified: Math.round(mtimeMs) };
}

/**
 * A folder that is being walked. Its path is relative to the top, with one character for each byte and a slash at its
 * end.
 */
interface Folder {
  readonly path: string;
  readonly parent: Folder | undefined;
  /** True if a link leads to it, or to a folder above it. */
  readonly linked: boolean;
}

/** Entries of a folder, in byte order: names of folders end with a slash. */
interface Entries {
  readonly names: readonly string[];
  /** The entries that are links. */
  readonly links: ReadonlySet<string>;
}

/** One walk through a folder. Follows links, but walks a cycle of links only once. */
class Walk {
  readonly #name: string;
  readonly #root: Buffer;
  readonly #labels: string | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #turns = new LoopTurns();
  readonly #list = new PictureList();
  readonly #classes: string[] = [];

  constructor(name: string, path: string, labels: string | undefined, signal: AbortSignal | undefined) {
    this.#name = name.replace(/\/+$/, '') || '/';
    this.#root = Buffer.from(path.endsWith('/') ? path : `${path}/`);
    const root = this.#root.toString();
    // A file of labels in the folder is not a picture.
    this.#labels =
      labels?.startsWith(root) === true ? Buffer.from(labels.slice(root.length)).toString('latin1') : undefined;
    this.#signal = signal;
  }

  async run(): Promise<{ list: PictureList; classes: readonly string[]; root: Buffer }> {
    await this.#walk({ path: '', parent: undefined, linked: false });
    // Names without slashes sort in another order.
    return { list: this.#list, classes: this.#classes.sort(), root: this.#root };
  }

  async #walk(folder: Folder): Promise<void> {
    if (await this.#isRepeated(folder)) return;
    const { path } = folder;
    if (path !== '' && folder.parent?.path === '') this.#classes.push(path.slice(0, -1));
    const { names, links } = await this.#entriesOf(path);
    let at = 0;
    while (at < names.length) {
      this.#signal?.throwIfAborted();
      const name = names[at]!;
      if (name.endsWith('/')) {
        await this.#walk({ path: path + name, parent: folder, linked: folder.linked || links.has(name) });
        at++;
        continue;
      }
      const end = Math.min(at + RUN, names.length);
      let stop = at;
      while (stop < end && !names[stop]!.endsWith('/')) stop++;
      await this.#addFiles(path, names.slice(at, stop));
      at = stop;
    }
  }

  async #addFiles(path: string, names: readonly string[]): Promise<void> {
    const found = await statAll(names.map((name) => this.#at(path + name)));
    await this.#turns.breathe();
    for (const [i, stats] of found.entries()) {
      if (isError(stats)) this.#list.add(path + names[i]!, UNKNOWN, 0);
      else this.#list.add(path + names[i]!, stats.isFile() ? stats.size : NO_FILE, stats.mtimeMs);
    }
  }

  async #entriesOf(path: string): Promise<Entries> {
    const runs: string[][] = [];
    const links = new Set<string>();
    let run: string[] = [];
    const endRun = (): void => {
      if (run.length > 0) runs.push(run.sort());
      run = [];
    };
    try {
      for await (const entry of await opendir(this.#at(path), { encoding: 'latin1', bufferSize: 256 })) {
        if (isHidden(entry.name) || path + entry.name === this.#labels) continue;
        const isFolder = await this.#leadsToFolder(path, entry);
        const name = isFolder ? `${entry.name}/` : entry.name;
        if (isFolder && !entry.isDirectory()) links.add(name);
        run.push(name);
        if (run.length < RUN) continue;
        endRun();
        this.#signal?.throwIfAborted();
        await this.#turns.breathe();
      }
    } catch (error) {
      throw fromNodeError(error, this.#shown(path), 'scandir');
    }
    endRun();
    return { names: await merged(runs, this.#turns), links };
  }

  /** Also handles links, and entries whose kind the file system does not report. */
  async #leadsToFolder(path: string, entry: Dirent): Promise<boolean> {
    if (entry.isDirectory() || entry.isFile()) return entry.isDirectory();
    // Opening the file reports the error.
    const found = await stat(this.#at(path + entry.name)).catch(() => undefined);
    return found?.isDirectory() === true;
  }

  /** True if links form a cycle: this folder is the same as one above it. */
  async #isRepeated(folder: Folder): Promise<boolean> {
    if (!folder.linked) return false;
    const identity = await this.#identityOf(folder);
    for (let above = folder.parent; above !== undefined; above = above.parent) {
      if ((await this.#identityOf(above)) === identity) return true;
    }
    return false;
  }

  async #identityOf({ path }: Folder): Promise<string> {
    try {
      const { dev, ino } = await stat(this.#at(path), { bigint: true });
      return `${dev}:${ino}`;
    } catch (error) {
      throw fromNodeError(error, this.#shown(path), 'stat');
    }
  }

  #at(path: string): Buffer {
    return Buffer.concat([this.#root, Buffer.from(path, 'latin1')]);
  }

  #shown(path: string): string {
    return shownPath(this.#name, Buffer.from(path, 'latin1'));
  }
}

function isError(found: Stats | Error): found is Error {
  return !('mtimeMs' in found);
}

/** Dot files, and files that Windows adds to folders of pictures. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || /^(?:thumbs\.db|desktop\.ini)$/i.test(name);
}

/** Merges sorted lists into one. */
async function merged(runs: readonly (readonly string[])[], turns: LoopTurns): Promise<readonly string[]> {
  let lists = runs;
  while (lists.length > 1) {
    const next: (readonly string[])[] = [];
    for (let i = 0; i < lists.length; i += 2) {
      const [a, b] = [lists[i]!, lists[i + 1] ?? []];
      const all: string[] = [];
      for (let x = 0, y = 0; x < a.length || y < b.length;) {
        if (all.length % RUN === 0) await turns.breathe();
        all.push(y === b.length || (x < a.length && a[x]! < b[y]!) ? a[x++]! : b[y++]!);
      }
      next.push(all);
    }
    lists = next;
  }
  return lists[0] ?? [];
}

/** The path of a picture, for messages. */
export function shownPath(folder: string | undefined, path: Buffer): string {
  const text = path.toString();
  const shown = Buffer.from(text).equals(path) ? text : path.toString('latin1').replace(/[^ -~]/g, escaped);
  return folder === undefined ? shown : `${folder.replace(/\/+$/, '')}/${shown}`;
}

function escaped(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
