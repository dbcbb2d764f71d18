/** Files that describe messages, and errors about them. */
import { stat } from 'node:fs/promises';

import { TFRecordError } from '../../base';
import { readSmallFile } from '../../io';

/** Returns the content of a regular file. @throws TFRecordError with Node's code, or TFR_SPEC */
export function readSmall(file: string): Promise<Buffer> {
  return readSmallFile(file, specFault, 'open');
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
