import { rm, writeFile } from 'node:fs/promises';

import { giveName } from './give-name';
import { forgetTemporary, temporaryName } from './temporaries';

export interface WriteWholeOptions {
  /** A name of `temporaryName` in the folder of the file. Default: one that contains the name of the file. */
  readonly temporary?: string;
  /** Gives the finished file its name. Default: `giveName`, which replaces an older file. */
  readonly publish?: (temporary: string, path: string) => Promise<void>;
}

/**
 * Writes a file, which gets the name `path` when it is complete; until then, and after a failure, whatever is called
 * `path` stays as it was, and no temporary file is left. The data is not flushed to the disk.
 * @throws errors of Node, which may name the temporary file; what `publish` throws
 */
export async function writeWhole(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { temporary = temporaryName(path), publish = giveName }: WriteWholeOptions = {},
): Promise<void> {
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    await publish(temporary, path);
  } catch (error) {
    // The error that led here is more important than a failure to remove the file.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    forgetTemporary(temporary);
  }
}
