/** The loadable extension of DuckDB, built from the sources. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from '../running/compiled-sources';

/**
 * Builds the extension `name`; returns its path. `platform`: DuckDB's name of the platform, with `out`, the path of the
 * file. Default: those of this machine.
 */
export function builtExtension(name: 'tfrecord' | 'places', platform?: string, out?: string): string {
  const script = join(ROOT, 'scripts/duckdb-extension.mjs');
  const others = [
    ...(platform === undefined ? [] : ['--platform', platform]),
    ...(out === undefined ? [] : ['--out', out]),
  ];
  const printed = execFileSync(process.execPath, [script, '--name', name, ...others], { encoding: 'utf8' });
  return printed.trim();
}

/** The time in ms that a build may take. */
export const BUILD_TIMEOUT = 900_000;
