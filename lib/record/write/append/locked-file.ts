/** The file that a writer appends to, which no other writer of this package may have meanwhile. */
import {
  closeSync,
  constants,
  fstat,
  fsync,
  ftruncate,
  openSync,
  read,
  write,
  type BigIntStats,
  type NoParamCallback,
} from 'node:fs';
import { stat } from 'node:fs/promises';

import { codeOf, folderError, fromNodeError, systemErrorOf } from '../../../base';
import { settled } from '../../../io';
import { native } from '../../../native';

const { O_RDWR, O_CREAT, O_EXCL, O_NONBLOCK } = constants;
/** A pipe or a device must not hold the thread. Windows lacks the flag: undefined counts as 0. */
const FLAGS = O_RDWR | O_NONBLOCK;

/**
 * A descriptor and its lock. Opening and closing are synchronous, so that a worker thread which is terminated leaves
 * neither behind: Node closes what `openSync` opened in the thread, but its asynchronous calls lose a descriptor that is
 * being opened or closed. No call may follow `close`.
 */
export class LockedFile {
  /** True if the file did not exist. */
  readonly made: boolean;
  readonly #path: string;
  readonly #descriptor: number;
  #open = true;

  private constructor(path: string, { descriptor, made }: Opened) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.made = made;
  }

  /**
   * Opens `path`, or makes it; `file` is its name in errors.
   * @throws TFRecordError EBUSY if another writer, of any process, has the file; ENOSYS without an addon; Node's codes
   */
  static open(file: string, path: string): LockedFile {
    const { lockFile } = native();
    // Two writers without a lock would mix their records, and lose some of them.
    if (lockFile === undefined) throw systemErrorOf('ENOSYS', 'open', file, NO_LOCK);
    const opened = new LockedFile(path, openFile(file, path));
    if (lockFile(opened.#descriptor)) return opened;
    // Another writer may have the file by now: it stays, even if it was made here.
    opened.close();
    throw systemErrorOf('EBUSY', 'open', file, IN_USE);
  }

  stat(): Promise<BigIntStats> {
    return settled((done) => fstat(this.#fd(), { bigint: true }, done));
  }

  /** True if the path still leads to this file. */
  async hasName(): Promise<boolean> {
    const [own, named] = await Promise.all([this.stat(), stat(this.#path, { bigint: true }).catch(() => undefined)]);
    return own.dev === named?.dev && own.ino === named.ino;
  }

  /** Reads the first bytes, at most `size`. */
  async head(size: number): Promise<Buffer> {
    const head = Buffer.alloc(size);
    const found = await settled<number>((done) => read(this.#fd(), head, 0, size, 0, done));
    return head.subarray(0, found);
  }

  /** Writes bytes of `chunk` from `at` on; returns how many. */
  write(chunk: Uint8Array, at: number, position: number): Promise<number> {
    return settled((done) => write(this.#fd(), chunk, at, chunk.length - at, position, done));
  }

  truncate(size: number): Promise<void> {
    return settled((done: NoParamCallback) => ftruncate(this.#fd(), size, done));
  }

  sync(): Promise<void> {
    return settled((done: NoParamCallback) => fsync(this.#fd(), done));
  }

  /** Unlocks and closes the file. Does nothing the second time. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      closeSync(this.#descriptor);
    } catch {
      // The bytes were synced before, or are given up.
    }
  }

  /** The system may have given the number of a closed descriptor to another file. */
  #fd(): number {
    if (this.#open) return this.#descriptor;
    throw new Error(`${this.#path} was closed`);
  }
}

const IN_USE = 'Another writer appends to it, or writes it in place: close that one first';
const NO_LOCK =
  'The WebAssembly build cannot lock a file against a second writer, so it does not append. Install the addon, or ' +
  'write the records to a file of their own';

interface Opened {
  readonly descriptor: number;
  readonly made: boolean;
}

function openFile(file: string, path: string): Opened {
  try {
    return { descriptor: openSync(path, FLAGS), made: false };
  } catch (error) {
    if (codeOf(error) === 'EISDIR') throw folderError(file);
    if (codeOf(error) !== 'ENOENT') throw fromNodeError(error, file, 'open');
  }
  try {
    return { descriptor: openSync(path, FLAGS | O_CREAT | O_EXCL), made: true };
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw fromNodeError(error, file, 'open');
  }
  try {
    // Somebody else made it meanwhile, or it is a link that leads nowhere: its file is made.
    return { descriptor: openSync(path, FLAGS | O_CREAT), made: false };
  } catch (error) {
    throw fromNodeError(error, file, 'open');
  }
}
