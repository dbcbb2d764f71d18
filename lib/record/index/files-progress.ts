import { stat } from 'node:fs/promises';

import { objectScheme } from '../../base';
import type { ScanProgress } from './index-options';

/** Time between two reports, in milliseconds. */
const INTERVAL = 50;

/** Returns the sizes of `paths`; 0 for an object of a store, and for a missing file, whose error comes from opening it. */
export async function sizesOf(paths: readonly string[]): Promise<number[]> {
  const sizes: number[] = [];
  for (const path of paths) {
    const found = objectScheme(path) === undefined ? await stat(path).catch(() => undefined) : undefined;
    sizes.push(found?.size ?? 0);
  }
  return sizes;
}

/** Joins the progress of the scans of several files. */
export class FilesProgress {
  readonly #each: ScanProgress[];
  readonly #report: (progress: ScanProgress) => void;
  #due = 0;

  constructor(sizes: readonly number[], report: (progress: ScanProgress) => void) {
    this.#each = sizes.map((totalBytes) => ({ records: 0, compressedBytes: 0, totalBytes, complete: false }));
    this.#report = report;
  }

  /** Returns the function that notes the progress of file number `at`. */
  of(at: number): (progress: ScanProgress) => void {
    return (progress) => {
      this.#each[at] = { ...progress, totalBytes: Math.max(progress.totalBytes, this.#each[at]!.totalBytes) };
      if (performance.now() < this.#due) return;
      this.#due = performance.now() + INTERVAL;
      this.#report(this.#sum(false));
    };
  }

  /** Notes that file number `at` is open: all of it counts, also what a saved index or damage left unread. */
  opened(at: number, progress: ScanProgress): void {
    const { totalBytes } = progress;
    this.of(at)({ ...progress, compressedBytes: totalBytes });
  }

  /** Reports that all files are open. */
  complete(): void {
    this.#report(this.#sum(true));
  }

  #sum(complete: boolean): ScanProgress {
    const sum = (field: 'records' | 'compressedBytes' | 'totalBytes'): number =>
      this.#each.reduce((total, progress) => total + progress[field], 0);
    return {
      records: sum('records'),
      compressedBytes: sum('compressedBytes'),
      totalBytes: sum('totalBytes'),
      complete,
    };
  }
}
