import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codeOf, fromNodeError, tfrecordError, worded } from '../../base';

/** Text is written in chunks of about this size. */
const CHUNK = 64 * 1024;

/** The new folder of a data set. */
export class FolderFiles {
  readonly #path: string;
  readonly #folders = new Set<string>();
  /** Number of bytes that were written. */
  bytes = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Makes the folder `path`. @throws the errors of the file system */
  static async create(path: string): Promise<FolderFiles> {
    try {
      await mkdir(path);
    } catch (error) {
      throw fromNodeError(error, path, 'mkdir');
    }
    return new FolderFiles(path);
  }

  /** Writes a new file. @throws TFRecordError TFR_FEATURE if there is one with this name */
  async write(name: string, content: string | Uint8Array): Promise<void> {
    const file = await this.#open(name);
    try {
      const data = typeof content === 'string' ? Buffer.from(content) : content;
      await file.writeFile(data);
      this.bytes += data.length;
    } catch (error) {
      throw fromNodeError(error, name, 'write');
    } finally {
      await file.close();
    }
  }

  /** Makes a new file of text, which grows. */
  async text(name: string): Promise<GrowingText> {
    return new GrowingText(name, await this.#open(name), (bytes) => {
      this.bytes += bytes;
    });
  }

  async remove(name: string): Promise<void> {
    try {
      await rm(join(this.#path, name));
    } catch (error) {
      throw fromNodeError(error, name, 'unlink');
    }
  }

  async #open(name: string): Promise<FileHandle> {
    const path = join(this.#path, name);
    const folder = dirname(path);
    try {
      if (!this.#folders.has(folder)) await mkdir(folder, { recursive: true });
      this.#folders.add(folder);
      // It also finds names that differ in nothing that the file system tells apart.
      return await open(path, 'wx+');
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' && codeOf(error) !== 'ENOTDIR') throw fromNodeError(error, name, 'open');
      const [expected, found] = ['names of files that differ', `${JSON.stringify(name)} again`];
      const feature = 'image/filename';
      const message = worded`feature ${JSON.stringify(feature)}: expected ${expected}, found ${found}`;
      throw tfrecordError('TFR_FEATURE', message, { feature, expected, found });
    }
  }
}

/** A file of text that is written piece by piece. */
export class GrowingText {
  readonly #name: string;
  readonly #file: FileHandle;
  readonly #written: (bytes: number) => void;
  #pending = '';

  constructor(name: string, file: FileHandle, written: (bytes: number) => void) {
    this.#name = name;
    this.#file = file;
    this.#written = written;
  }

  add(text: string): Promise<void> | undefined {
    this.#pending += text;
    return this.#pending.length >= CHUNK ? this.#send() : undefined;
  }

  /** Adds all of `other`, which is at its end. */
  async addAll(other: GrowingText): Promise<void> {
    await other.#send();
    await this.#send();
    const memory = Buffer.allocUnsafe(CHUNK);
    for (let at = 0; ;) {
      const { bytesRead } = await this.#tried(other.#file.read(memory, 0, CHUNK, at));
      if (bytesRead === 0) return;
      at += bytesRead;
      await this.#tried(this.#file.writeFile(memory.subarray(0, bytesRead)));
    }
  }

  async close(): Promise<void> {
    try {
      await this.#send();
    } finally {
      await this.#file.close();
    }
  }

  /** Closes the file without its last text. Never rejects. */
  async abort(): Promise<void> {
    this.#pending = '';
    await this.#file.close().catch(() => undefined);
  }

  async #send(): Promise<void> {
    const data = Buffer.from(this.#pending);
    this.#pending = '';
    await this.#tried(this.#file.writeFile(data));
    this.#written(data.length);
  }

  async #tried<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw fromNodeError(error, this.#name, 'write');
    }
  }
}
