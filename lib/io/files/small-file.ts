import { readFile, stat } from 'node:fs/promises';

import { fromNodeError, type TFRecordError } from '../../base';

/** Maximum size of a small file, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Returns the content of a small file that describes data. `refused`: the error for a file that is no regular one, or has more
 * than 64 MiB. `syscall`: see `fromNodeError`.
 * @throws TFRecordError with Node's code if the file cannot be read
 */
export async function readSmallFile(
  file: string,
  refused: (file: string, reason: string) => TFRecordError,
  syscall?: string,
): Promise<Buffer> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw refused(file, 'it is not a regular file');
    if (stats.size > MAX_BYTES) throw refused(file, `it is larger than ${MAX_BYTES} bytes`);
    return await readFile(file);
  } catch (error) {
    throw fromNodeError(error, file, syscall);
  }
}
