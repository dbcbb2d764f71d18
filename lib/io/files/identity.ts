import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

import { counted, folderError, fromNodeError, invalidArgValue, tfrecordError, aside, worded } from '../../base';

/** The kinds of files that are read in different ways. */
type FileKind = 'file' | 'folder' | 'pipe' | 'other';

const NS_PER_SECOND = 1_000_000_000n;

/** The facts that one look at a file gives. */
interface Look {
  readonly kind: FileKind;
  readonly size: number;
  /** Time of the last change, in nanoseconds; for an object with a tag, a number made of the tag. */
  readonly time: bigint;
  readonly mtimeMs: number;
  readonly key: string;
  /** The state in words. */
  readonly words: string;
}

/** Tells one state of a file or of an object of a store from another one and from others, by one look at it. */
export class Identity {
  readonly kind: FileKind;
  /** Number of bytes. */
  readonly size: number;
  /** Time of the last change, in milliseconds with fractions: that of `fs.Stats`. */
  readonly mtimeMs: number;
  /**
   * Time of the last change, in nanoseconds since 1970. For an object of a store with a tag, a number made of that: its
   * servers need not agree about times.
   */
  readonly time: bigint;
  /** A text that is the same only for the same state of the same file. */
  readonly key: string;
  readonly #file: string;
  readonly #words: string;
  readonly #again: (() => Promise<Look>) | undefined;

  private constructor(file: string, { kind, size, mtimeMs, time, key, words }: Look, again?: () => Promise<Look>) {
    this.kind = kind;
    this.size = size;
    this.mtimeMs = mtimeMs;
    this.time = time;
    this.key = key;
    this.#file = file;
    this.#words = words;
    this.#again = again;
  }

  /** Looks at the file at the path `at`; `file` is its name in errors. @throws TFRecordError if that fails */
  static of(file: string, at: string): Promise<Identity> {
    return Identity.by(file, () => stat(at, { bigint: true }));
  }

  /** The same for an open file, of which `look` gives the stats. */
  static async by(file: string, look: () => Promise<BigIntStats>): Promise<Identity> {
    const again = async (): Promise<Look> => lookOf(await lookAt(file, look));
    return new Identity(file, await again(), again);
  }

  /** The object at `url`, `file` in errors. Each range that is read of it is checked against the tag and the size. */
  static ofObject(
    file: string,
    url: string,
    {
      size,
      tag,
      mtimeMs = 0,
    }: { readonly size: number; readonly tag?: string | undefined; readonly mtimeMs?: number | undefined },
  ): Identity {
    const state = [size, tag ?? mtimeMs].join(':');
    const time = tag === undefined ? BigInt(mtimeMs) * 1_000_000n : digest(tag);
    const words = `${counted(size, 'byte')}${tag === undefined ? '' : `, tag "${tag}"`}`;
    return new Identity(file, { kind: 'file', size, time, mtimeMs, key: `${digest(url)}:${state}`, words });
  }

  /** Looks at the regular file `at`. @throws TFRecordError if that fails, TypeError for other kinds of files */
  static async ofRegular(file: string, at: string): Promise<Identity> {
    const identity = await Identity.of(file, at);
    if (identity.kind === 'folder') throw folderError(file);
    if (identity.kind === 'file') return identity;
    throw invalidArgValue('source', 'a regular file, not a pipe or a device: copy its bytes to a file first', file);
  }

  /** True if `other` is the same file, maybe in another state. */
  isFile(other: Identity): boolean {
    const [device, inode] = this.key.split(':');
    const [otherDevice, otherInode] = other.key.split(':');
    return device === otherDevice && inode === otherInode;
  }

  /** Looks at the file again. @throws TFRecordError TFR_STATE_MISMATCH if it was changed or replaced */
  async check(): Promise<void> {
    const now = await this.#again?.();
    if (now === undefined || now.key === this.key) return;
    throw tfrecordError(
      'TFR_STATE_MISMATCH',
      worded`${this.#file} has changed since its records were located: it was ${this.#words}, and is ${now.words}.${aside` Open it again.`}`,
      { file: this.#file, expected: this.#words, found: now.words },
    );
  }
}

function lookOf(stats: BigIntStats): Look {
  const { dev, ino, size, mtimeNs } = stats;
  return {
    kind: kindOf(stats),
    size: Number(size),
    mtimeMs: milliseconds(mtimeNs),
    time: mtimeNs,
    key: [dev, ino, size, mtimeNs].join(':'),
    words: described(stats),
  };
}

/** Returns a number of 63 bits for `text`, another one for almost every other text (FNV-1a). */
function digest(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return BigInt.asUintN(63, hash);
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
