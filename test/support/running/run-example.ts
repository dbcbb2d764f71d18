/** Runs the programs of `examples/` with the compiled package. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './compiled-sources';

/** Returns the output of example `name`. */
export function runExample(name: string, args: readonly string[] = [], input?: Buffer): string {
  checkBuilt();
  return execFileSync(process.execPath, [join(ROOT, 'examples', name), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  });
}

export function checkBuilt(): void {
  if (!existsSync(join(ROOT, 'dist', 'index.mjs'))) throw new Error('dist/ is not built: npm run build:ts');
}
