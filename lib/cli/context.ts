import type { Command } from 'commander';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { fromNodeError, objectScheme } from '../base';
import { expandPath, leftoverOf } from '../io';
import { filesIn, type LeftOut } from '../record';
import { Progress } from './terminal/progress';
import { Reporter } from './terminal/reporter';
import { LineWriter, type Streams } from './terminal/streams';
import type { Flags } from './terminal/terms';
import { lineText, plural } from './terminal/text';

/** Maximum number of leftovers to list for each folder. Others are only counted. */
const MAX_NAMED = 20;
/** Maximum number of files that a note about those left out names. */
const MAX_NAMED_LEFT_OUT = 3;

/**
 * Adds a command to `program`: arguments, options, help and action. The action calls `begin` after the arguments were
 * checked.
 */
export type CommandDefinition = (program: Command, begin: () => Context) => Command;

/** The output, messages and signal of one run of a command. */
export class Context {
  readonly out: LineWriter;
  readonly reporter: Reporter;
  readonly #interrupt = new AbortController();
  readonly #endAtSignals: () => void;
  /** The pending calls of `writing`. */
  readonly #writing = new Set<Promise<unknown>>();

  /** True while DuckDB may compute on a thread that only a signal ends: `process.exit` would wait for it. */
  exitWaits = false;

  /** `endAtSignals`: see the method. `flags`: those of the command, which messages may advise. */
  constructor(
    readonly streams: Streams,
    endAtSignals: () => void = () => undefined,
    readonly flags?: Flags,
  ) {
    this.#endAtSignals = endAtSignals;
    this.out = new LineWriter(streams.stdout);
    this.reporter = new Reporter(streams, flags);
  }

  /** Aborted when the command is interrupted. */
  get signal(): AbortSignal {
    return this.#interrupt.signal;
  }

  /**
   * Runs `work`, which writes files. When `signal` is aborted, `work` must end and remove its temporary files; an
   * interrupt waits for that.
   */
  async writing<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = work(this.signal);
    this.#writing.add(running);
    try {
      return await running;
    } finally {
      this.#writing.delete(running);
    }
  }

  /**
   * Lets the operating system end the process at a signal, from now on: for commands that block without returning to
   * the event loop, and that write no files.
   */
  endAtSignals(): void {
    this.#endAtSignals();
  }

  /** Removes the progress bar, and aborts work that writes files. Resolves when its temporary files are removed. */
  async interrupt(): Promise<void> {
    this.reporter.progress?.clear();
    this.out.close();
    this.#interrupt.abort();
    await Promise.allSettled(this.#writing);
  }

  /** Expands `names` to files, in order. Reports missing ones. */
  async files(names: readonly string[]): Promise<string[]> {
    const files: string[] = [];
    for (const path of names) {
      for (const file of await expandPath({ path, expands: true })) {
        if (file.error !== undefined) {
          this.reporter.error(file.error);
          continue;
        }
        await this.#noteLeftovers(file.path);
        files.push(...(await this.#filesOf(file.path)));
      }
    }
    return files;
  }

  /** Returns the TFRecord files in and below the folder `path`; for other paths, the path itself. */
  async #filesOf(path: string): Promise<readonly string[]> {
    const about = path === '-' ? undefined : await stat(path).catch(() => undefined);
    if (about?.isDirectory() !== true) return [path];
    try {
      const onLeftOut = (left: LeftOut): void => this.noteLeftOut(path, left);
      const files = await filesIn(path, { onLeftOut });
      // Reading a folder reports the error.
      return files.length === 0 ? [path] : files;
    } catch (error) {
      this.reporter.error(fromNodeError(error, path, 'scandir'));
      return [];
    }
  }

  /**
   * Prints a note if `path`, or entries of the folder `path`, are unfinished files of a writer or a cache. Patterns
   * never match such files, and users may not know their names.
   */
  async #noteLeftovers(path: string): Promise<void> {
    const itself = leftoverText(path, false);
    if (itself !== undefined) {
      this.reporter.note(itself);
      return;
    }
    // If the path cannot be listed, reading it reports the error.
    const entries = path === '-' ? [] : await readdir(path, { withFileTypes: true }).catch(() => []);
    const left = entries.flatMap((entry) => leftoverText(join(path, entry.name), entry.isDirectory()) ?? []);
    for (const text of left.slice(0, MAX_NAMED)) this.reporter.note(text);
    if (left.length > MAX_NAMED) this.reporter.note(`${plural(left.length - MAX_NAMED, 'more leftover')} in ${path}`);
  }

  /** Prints a note about the files of `folder` that are not read. */
  noteLeftOut(folder: string, { files, unread }: LeftOut): void {
    if (files.length > 0) {
      const names = files
        .slice(0, MAX_NAMED_LEFT_OUT)
        .map((file) => lineText(file))
        .join(', ');
      const more = files.length > MAX_NAMED_LEFT_OUT ? ', …' : '';
      this.reporter.note(
        `${plural(files.length, 'file')} of ${lineText(folder)} left out, with neither the name nor the first bytes of a TFRecord file ` +
          `(${names}${more}); name a file to see it`,
      );
    }
    if (unread)
      this.reporter.note(`${lineText(folder)} has too many entries, and not all were checked: name its folders`);
  }

  /** Returns a progress bar for `files`. It is shown only if `allowed`. */
  async startProgress(files: readonly string[], allowed: boolean): Promise<Progress> {
    const progress = new Progress(this.streams, await totalSize(files), allowed);
    this.reporter.progress = progress;
    return progress;
  }
}

/** Returns a note about `path` if it is a leftover. */
function leftoverText(path: string, isFolder: boolean): string | undefined {
  const writer = leftoverOf(basename(path), isFolder);
  if (writer === undefined) return undefined;
  const what = isFolder ? 'the folder of a cache' : 'the temporary file of a writer';
  return `${path} is ${what} that process ${writer} left behind, or still writes: it may be incomplete`;
}

/** Returns the total size of the files; undefined if that of one is unknown. */
async function totalSize(files: readonly string[]): Promise<number | undefined> {
  let total = 0;
  for (const file of files) {
    // Nobody knows before it is opened.
    if (file === '-' || objectScheme(file) !== undefined) return undefined;
    const stats = await stat(file).catch(() => undefined);
    // Reading reports the error.
    if (stats === undefined) continue;
    if (!stats.isFile()) return undefined;
    total += stats.size;
  }
  return total;
}
