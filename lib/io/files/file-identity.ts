import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

import { counted, folderError, fromNodeError, invalidArgValue, tfrecordError, aside, worded } from '../../base';

/** Tells whether a file is still the one that was opened. */
export class FileIdentity {
  readonly #file: string;
  readonly #at: string;
  readonly #stats: BigIntStats;

  private constructor(file: string, at: string, stats: BigIntStats) {
    this.#file = file;
    this.#at = at;
    this.#stats = stats;
  }

  /** Looks at the regular file `at`. @throws TFRecordError if it cannot, TypeError for other kinds of files */
  static async of(file: string, at: string): Promise<FileIdentity> {
    const stats = await look(file, at);
    if (stats.isDirectory()) throw folderError(file);
    if (!stats.isFile()) throw invalidArgValue('path', 'the path of a regular file, not of a pipe or a device', file);
    return new FileIdentity(file, at, stats);
  }

  /** @throws TFRecordError TFR_STATE_MISMATCH if the file was changed or replaced */
  async check(): Promise<void> {
    const now = await look(this.#file, this.#at);
    const then = this.#stats;
    if (now.dev === then.dev && now.ino === then.ino && now.size === then.size && now.mtimeNs === then.mtimeNs) return;
    throw tfrecordError(
      'TFR_STATE_MISMATCH',
      worded`${this.#file} has changed since its records were located: it was ${described(then)}, and is ${described(now)}.${aside` Open it again.`}`,
      { file: this.#file, expected: described(then), found: described(now) },
    );
  }
}

async function look(file: string, at: string): Promise<BigIntStats> {
  try {
    return await stat(at, { bigint: true });
  } catch (cause) {
    throw fromNodeError(cause, file, 'open');
  }
}

function described({ size, mtime }: BigIntStats): string {
  return `${counted(size, 'byte')} of ${mtime.toISOString()}`;
}
