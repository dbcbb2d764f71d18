import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

import { counted, folderError, fromNodeError, invalidArgValue, tfrecordError, aside, worded } from '../../base';

/** The kinds of files that are read in different ways. */
type FileKind = 'file' | 'folder' | 'pipe' | 'other';

const NS_PER_SECOND = 1_000_000_000n;

/** Tells one state of a file from another one and from other files, by one look at it. */
export class Identity {
  readonly kind: FileKind;
  /** Number of bytes. */
  readonly size: number;
  /** Time of the last change, in milliseconds with fractions: that of `fs.Stats`. */
  readonly mtimeMs: number;
  readonly #file: string;
  readonly #stats: BigIntStats;
  readonly #look: () => Promise<BigIntStats>;

  private constructor(file: string, stats: BigIntStats, look: () => Promise<BigIntStats>) {
    this.kind = kindOf(stats);
    this.size = Number(stats.size);
    this.mtimeMs = milliseconds(stats.mtimeNs);
    this.#file = file;
    this.#stats = stats;
    this.#look = look;
  }

  /** Looks at the file at the path `at`; `file` is its name in errors. @throws TFRecordError if that fails */
  static of(file: string, at: string): Promise<Identity> {
    return Identity.by(file, () => stat(at, { bigint: true }));
  }

  /** The same for an open file, of which `look` gives the stats. */
  static async by(file: string, look: () => Promise<BigIntStats>): Promise<Identity> {
    return new Identity(file, await lookAt(file, look), look);
  }

  /** Looks at the regular file `at`. @throws TFRecordError if that fails, TypeError for other kinds of files */
  static async ofRegular(file: string, at: string): Promise<Identity> {
    const identity = await Identity.of(file, at);
    if (identity.kind === 'folder') throw folderError(file);
    if (identity.kind === 'file') return identity;
    throw invalidArgValue('path', 'the path of a regular file, not of a pipe or a device', file);
  }

  /** Time of the last change, in nanoseconds since 1970. */
  get time(): bigint {
    return this.#stats.mtimeNs;
  }

  /** A text that is the same only for the same state of the same file. */
  get key(): string {
    const { dev, ino, size, mtimeNs } = this.#stats;
    return [dev, ino, size, mtimeNs].join(':');
  }

  /** Looks at the file again. @throws TFRecordError TFR_STATE_MISMATCH if it was changed or replaced */
  async check(): Promise<void> {
    const now = await lookAt(this.#file, this.#look);
    const then = this.#stats;
    if (now.dev === then.dev && now.ino === then.ino && now.size === then.size && now.mtimeNs === then.mtimeNs) return;
    throw tfrecordError(
      'TFR_STATE_MISMATCH',
      worded`${this.#file} has changed since its records were located: it was ${described(then)}, and is ${described(now)}.${aside` Open it again.`}`,
      { file: this.#file, expected: described(then), found: described(now) },
    );
  }
}

async function lookAt(file: string, look: () => Promise<BigIntStats>): Promise<BigIntStats> {
  try {
    return await look();
  } catch (cause) {
    throw fromNodeError(cause, file, 'open');
  }
}

function kindOf(stats: BigIntStats): FileKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isFIFO() ? 'pipe' : 'other';
}

/** Computed as Node computes `mtimeMs`, because keys of caches contain that very number. */
function milliseconds(nanoseconds: bigint): number {
  const rest = ((nanoseconds % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
  return Number((nanoseconds - rest) / NS_PER_SECOND) * 1000 + Number(rest) / 1e6;
}

function described({ size, mtime }: BigIntStats): string {
  return `${counted(size, 'byte')} of ${mtime.toISOString()}`;
}
