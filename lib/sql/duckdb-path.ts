/**
 * Makes paths for DuckDB: absolute and literal. DuckDB expands `~` and `file:` at the start of a relative path, and
 * takes a path to read for a pattern.
 */
import { isAbsolute } from 'node:path';

import { fullPath, TFRecordError, workingFolder } from '../base';

/** Matches a path without a pattern. In DuckDB, a backslash escapes the next character. */
const PLAIN = /^(?:[^\\*?[]|\\(?:[^]|$))*$/;

/** Returns `path` for a file that DuckDB writes. */
export function pathToWrite(path: string): string {
  const full = fullPath(path, workingFolder());
  // `full` is not absolute if it would be longer than the system's longest path.
  const own = isAbsolute(full) ? full : `./${full}`;
  return process.platform === 'win32' ? own.replaceAll('\\', '/') : own;
}

/** Returns `path` for a file that DuckDB reads. @throws TFRecordError TFR_SQL for a path that DuckDB cannot express */
export function pathToRead(path: string): string {
  const full = pathToWrite(path);
  if (PLAIN.test(full)) return full;
  // In a pattern, a backslash would separate folders.
  if (full.includes('\\'))
    throw new TFRecordError(
      'TFR_SQL',
      'DuckDB cannot read a file whose path has \\ together with [, * or ?: rename it',
    );
  return full.replace(/[*?[]/g, '[$&]');
}
