/** Finds Python with a package, and runs the scripts that use it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from '../support/running/compiled-sources';

/** The packages, by the scripts that find or make an interpreter with them. */
const SCRIPTS = { pyarrow: 'scripts/pyarrow-venv.sh', tensorboard: 'scripts/tensorboard-venv.sh' } as const;

/** The interpreter with `name`, or why there is none. */
function findPython(name: keyof typeof SCRIPTS): { python?: string; reason?: string } {
  try {
    return { python: execFileSync(join(ROOT, SCRIPTS[name]), { encoding: 'utf8', stdio: 'pipe' }).trim() };
  } catch (error) {
    return { reason: String((error as { stderr?: unknown }).stderr).trim() };
  }
}

/** `describe`, which skips without the package `name`, and a function that runs `script` and returns what it prints. */
export function withPackage(
  name: keyof typeof SCRIPTS,
  script: string,
): { describe: jest.Describe; python: (...args: readonly string[]) => string } {
  const { python, reason } = findPython(name);
  if (python === undefined) process.stderr.write(`test:interop: skipped, no ${name} (${reason})\n`);
  return {
    describe: python === undefined ? describe.skip : describe,
    python: (...args) => execFileSync(python!, [script, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 }),
  };
}
