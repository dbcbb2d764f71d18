/** Finds Python with pyarrow, and runs the scripts that use it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from '../support/running/compiled-sources';

/** The interpreter with pyarrow, or why there is none. */
function findPython(): { python?: string; reason?: string } {
  try {
    return { python: execFileSync(join(ROOT, 'scripts/pyarrow-venv.sh'), { encoding: 'utf8', stdio: 'pipe' }).trim() };
  } catch (error) {
    return { reason: String((error as { stderr?: unknown }).stderr).trim() };
  }
}

/** `describe`, which skips without pyarrow, and a function that runs `script` and returns what it prints. */
export function withPyarrow(script: string): {
  describe: jest.Describe;
  pyarrow: (...args: readonly string[]) => string;
} {
  const { python, reason } = findPython();
  if (python === undefined) process.stderr.write(`test:interop: skipped, no pyarrow (${reason})\n`);
  return {
    describe: python === undefined ? describe.skip : describe,
    pyarrow: (...args) => execFileSync(python!, [script, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  };
}
