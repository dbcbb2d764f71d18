import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';

import { fromNodeError } from '../../base';
import { forgetTemporary, temporaryName } from '../../io';
import type { OutputSink, WriteSettings } from '../format';
import type { FinishedOutput } from './output-file';

/** A folder that gets its name when it is complete. */
export class FolderOutput {
  readonly #path: string;
  readonly #temporary: string;
  readonly #sink: OutputSink;

  private constructor(path: string, temporary: string, sink: OutputSink) {
    this.#path = path;
    this.#temporary = temporary;
    this.#sink = sink;
  }

  static async create(
    path: string,
    settings: WriteSettings,
    open: (target: string, settings: WriteSettings) => Promise<OutputSink>,
  ): Promise<FolderOutput> {
    const temporary = temporaryName(path, true);
    try {
      await mkdir(dirname(path), { recursive: true });
      return new FolderOutput(path, temporary, await open(temporary, settings));
    } catch (error) {
      await removeFolder(temporary);
      throw fromNodeError(error, path, 'mkdir');
    }
  }

  write(batch: Parameters<OutputSink['write']>[0]): Promise<void> | undefined {
    return this.#sink.write(batch);
  }

  async finish(): Promise<FinishedOutput> {
    const { records, fileBytes } = await this.#sink.close();
    try {
      // Not every system replaces an empty folder.
      await rmdir(this.#path).catch(() => undefined);
      await rename(this.#temporary, this.#path);
    } catch (error) {
      throw fromNodeError(error, this.#path, 'rename');
    }
    forgetTemporary(this.#temporary);
    return { records, bytes: fileBytes, crc32c: undefined };
  }

  /** Never rejects. */
  async abort(): Promise<void> {
    await this.#sink.abort();
    await removeFolder(this.#temporary);
  }
}

async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
  forgetTemporary(path);
}
