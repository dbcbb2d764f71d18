/**
 * Paths as DuckDB must be given them: absolute and literal. DuckDB expands `~` and `file:` at the beginning of a relative
 * path, and takes a path to read for a pattern.
 */
import { isAbsolute } from 'node:path';

import { fullPath, TFRecordError, workingFolder } from '../base';

/** A path without a pattern for DuckDB, to which a backslash hides the character that follows. */
const PLAIN = /^(?:[^\\*?[]|\\(?:[^]|$))*$/;

/** Returns `path` for a file that DuckDB writes. */
export function pathToWrite(path: string): string {
  const full = fullPath(path, workingFolder());
  // Longer than the system's longest path.
  const own = isAbsolute(full) ? full : `./${full}`;
  return process.platform === 'win32' ? own.replaceAll('\\', '/') : own;
}

/** Returns `path` for a file that DuckDB reads. @throws TFRecordError TFR_SQL for a path that DuckDB has no words for */
export function pathToRead(path: string): string {
  const full = pathToWrite(path);
  if (PLAIN.test(full)) return full;
  // In a pattern it separates folders.
  if (full.includes('\\'))
    throw new TFRecordError('TFR_SQL', 'DuckDB reads no file with both [, * or ? and \\ in its path: rename it');
  return full.replace(/[*?[]/g, '[$&]');
}
