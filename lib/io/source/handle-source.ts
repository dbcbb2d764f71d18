import type { FileHandle } from 'node:fs/promises';

import { counted, folderError, fromNodeError, tfrecordError, advice, worded, lengthOf } from '../../base';
import { Identity } from '../files/identity';
import type { ByteSource, ChunkPull, RangedSource } from './byte-source';
import { pullDevice } from './pull-device';
import { pullRanges } from './ranges';

const HANDLE = '<handle>';

/**
 * An open file. Any range of a regular file can be read, and the position of the handle stays. A pipe or a device is opened
 * once more, to be read in order: a read of the handle itself would block a thread of Node's until there is data. The
 * handle stays open: it is the caller's.
 */
export class HandleSource implements ByteSource {
  readonly name = HANDLE;
  readonly repeatable = true;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Resolves with itself for a file that cannot be looked at: reading reports the error. */
  async known(): Promise<ByteSource> {
    try {
      const stats = await this.#handle.stat();
      return stats.isFile() ? new FileOfHandle(this.#handle, stats.size) : this;
    } catch {
      return this;
    }
  }

  async identity(): Promise<Identity | undefined> {
    const identity = await Identity.by(HANDLE, () => this.#handle.stat({ bigint: true }));
    return identity.kind === 'file' ? identity : undefined;
  }

  /** Pulls the bytes; those of a pipe or a device as far as they were not read. */
  pull(from: number): ChunkPull {
    let pull: ChunkPull | undefined;
    let over = false;
    return {
      next: async () => {
        if (over) return undefined;
        try {
          pull ??= await this.#open(from);
          const chunk = over ? undefined : await pull.next();
          over ||= chunk === undefined;
          return over ? undefined : chunk;
        } catch (cause) {
          over = true;
          throw fromNodeError(cause, HANDLE);
        }
      },
      async close() {
        over = true;
        await pull?.close();
      },
    };
  }

  async #open(from: number): Promise<ChunkPull> {
    const stats = await this.#handle.stat();
    if (stats.isDirectory()) throw folderError(HANDLE);
    if (stats.isFile()) return new FileOfHandle(this.#handle, stats.size).pull(from);
    const special = stats.isFIFO() || stats.isCharacterDevice();
    if (special && process.platform !== 'win32') return pullDevice(`/dev/fd/${this.#handle.fd}`);
    return new FileOfHandle(this.#handle, 0, true).pull(from);
  }
}

/** The regular file of a handle. `inOrder`: another kind of file, which is read from the position of the handle. */
class FileOfHandle implements RangedSource {
  readonly name = HANDLE;
  /** Undefined for an empty file, too: files of /proc have content, but no size. */
  readonly size: number | undefined;
  readonly repeatable = true;
  readonly #handle: FileHandle;
  readonly #inOrder: boolean;

  /** `size`: that of the file when reading begins. A file that is shorter later has lost bytes, which is an error. */
  constructor(handle: FileHandle, size: number, inOrder = false) {
    this.size = size === 0 ? undefined : size;
    this.#handle = handle;
    this.#inOrder = inOrder;
  }

  identity(): Promise<Identity | undefined> {
    return new HandleSource(this.#handle).identity();
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    const chunk = Buffer.allocUnsafeSlow(length);
    try {
      const { bytesRead } = await this.#handle.read(chunk, 0, length, this.#inOrder ? null : at);
      return chunk.subarray(0, bytesRead);
    } catch (cause) {
      throw fromNodeError(cause, HANDLE);
    }
  }

  pull(from: number): ChunkPull {
    const { name, size } = this;
    const read = async (at: number, length: number): Promise<Uint8Array> => {
      const bytes = await this.read(at, length);
      if (lengthOf(bytes) === 0 && size !== undefined) throw shortened(name, size, at);
      return bytes;
    };
    return pullRanges({ name, size, read }, from);
  }
}

function shortened(file: string, size: number, at: number): Error {
  const [expected, found] = [counted(size, 'byte'), counted(at, 'byte')];
  return tfrecordError(
    'TFR_TRUNCATED',
    worded`${file} became shorter while it was read: expected ${expected}, found ${found}.${advice` Read it again from its start.`}`,
    { file, expected, found },
  );
}
