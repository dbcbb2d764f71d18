import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { expandPath, isLeftoverFile, isLeftoverFolder } from '../record';
import { LineWriter } from './line-writer';
import { plural } from './plural';
import { Progress } from './progress';
import { Reporter } from './reporter';
import type { Streams } from './streams';

/** Leftovers that are named for each folder; the others are only counted. */
const MAX_NAMED = 20;

/** What a command works with. */
export class Context {
  readonly out: LineWriter;
  readonly reporter: Reporter;

  constructor(readonly streams: Streams) {
    this.out = new LineWriter(streams.stdout);
    this.reporter = new Reporter(streams);
  }

  /** The files that `names` mean, in order; what is missing is reported in its place. */
  async files(names: readonly string[]): Promise<string[]> {
    const files: string[] = [];
    for (const path of names) {
      for (const file of await expandPath({ path, expands: true })) {
        if (file.error === undefined) {
          files.push(file.path);
          await this.#tellLeftovers(file.path);
        } else this.reporter.error(file.error);
      }
    }
    return files;
  }

  /**
   * Reports `path`, or the entries of the folder `path`, if a writer or a cache left them unfinished. Patterns never
   * match such files, and users may not know their names.
   */
  async #tellLeftovers(path: string): Promise<void> {
    if (isLeftoverFile(basename(path))) {
      this.reporter.note(leftoverText(path, false));
      return;
    }
    // Reading reports paths that cannot be listed.
    const entries = path === '-' ? [] : await readdir(path, { withFileTypes: true }).catch(() => []);
    const left = entries.filter((entry) =>
      entry.isDirectory() ? isLeftoverFolder(entry.name) : isLeftoverFile(entry.name),
    );
    for (const entry of left.slice(0, MAX_NAMED)) {
      this.reporter.note(leftoverText(join(path, entry.name), entry.isDirectory()));
    }
    if (left.length > MAX_NAMED) this.reporter.note(`${plural(left.length - MAX_NAMED, 'more leftover')} in ${path}`);
  }

  /** A progress bar over `files`; `allowed` is what the user and the command say. */
  async startProgress(files: readonly string[], allowed: boolean): Promise<Progress> {
    const progress = new Progress(this.streams, await totalSize(files), allowed);
    this.reporter.progress = progress;
    return progress;
  }
}

/** The name ends in a process id, a random number and `.tmp`. */
function leftoverText(path: string, isFolder: boolean): string {
  const [, process] = /\.(\d+)-[\da-f]+\.tmp$/.exec(path) ?? [];
  const what = isFolder ? 'the folder of a cache' : 'the temporary file of a writer';
  return `${path} is ${what} that process ${process} left behind, or still writes: it may be incomplete`;
}

/** Bytes of all files, undefined when one of them has no size that one can know. */
async function totalSize(files: readonly string[]): Promise<number | undefined> {
  let total = 0;
  for (const file of files) {
    if (file === '-') return undefined;
    const stats = await stat(file).catch(() => undefined);
    // Reading reports paths that cannot be listed.
    if (stats === undefined) continue;
    if (!stats.isFile()) return undefined;
    total += stats.size;
  }
  return total;
}
