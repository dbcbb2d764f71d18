import { stat } from 'node:fs/promises';

import { expandPath } from '../record';
import { LineWriter } from './line-writer';
import { Progress } from './progress';
import { Reporter } from './reporter';
import type { Streams } from './streams';

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
        if (file.error === undefined) files.push(file.path);
        else this.reporter.error(file.error);
      }
    }
    return files;
  }

  /** A progress bar over `files`; `allowed` is what the user and the command say. */
  async startProgress(files: readonly string[], allowed: boolean): Promise<Progress> {
    const progress = new Progress(this.streams, await totalSize(files), allowed);
    this.reporter.progress = progress;
    return progress;
  }
}

/** Bytes of all files, undefined when one of them has no size that one can know. */
async function totalSize(files: readonly string[]): Promise<number | undefined> {
  let total = 0;
  for (const file of files) {
    if (file === '-') return undefined;
    const stats = await stat(file).catch(() => undefined);
    // What cannot be looked at is reported when it is read.
    if (stats === undefined) continue;
    if (!stats.isFile()) return undefined;
    total += stats.size;
  }
  return total;
}
