/** Files that describe messages, and errors about them. */
import { readFile, stat } from 'node:fs/promises';

import { fromNodeError, TFRecordError } from '../../base';

/** Maximum size of a file, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Returns the content of a regular file. @throws TFRecordError with Node's code, or TFR_SPEC */
export async function readSmall(file: string): Promise<Buffer> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw specFault(file, 'it is not a regular file');
    if (stats.size > MAX_BYTES) throw specFault(file, `it is larger than ${MAX_BYTES} bytes`);
    return await readFile(file);
  } catch (error) {
    throw fromNodeError(error, file, 'open');
  }
}

/** True if `file` is a regular file. */
export function exists(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

/** Returns the error TFR_SPEC for a file that does not describe messages because of `found`. */
export function specFault(file: string, found: string, cause?: unknown, line?: number): TFRecordError {
  const place = line === undefined ? '' : `, line ${line}`;
  const at = line === undefined ? found : `${found}, on line ${line}`;
  return new TFRecordError('TFR_SPEC', `${file}${place}: ${found}`, {
    file,
    expected: 'definitions of protobuf messages',
    found: at,
    cause,
  });
}
