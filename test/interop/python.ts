/** Finds Python with a package, and runs the scripts that use it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from '../support/running/compiled-sources';

/** What each package needs beside it. */
const REQUIREMENTS = { datasets: ['pillow'], pyarrow: [], tensorboard: ['setuptools<81'] } as const;

/** The interpreter with `name`, or why there is none. */
function findPython(name: keyof typeof REQUIREMENTS): { python?: string; reason?: string } {
  try {
    const script = join(ROOT, 'scripts', 'package-venv.sh');
    const found = execFileSync(script, [name, ...REQUIREMENTS[name]], { encoding: 'utf8', stdio: 'pipe' });
    return { python: found.trim() };
  } catch (error) {
    return { reason: String((error as { stderr?: unknown }).stderr).trim() };
  }
}

/** `describe`, which skips without the package `name`, and a function that runs `script` and returns what it prints. */
export function withPackage(
  name: keyof typeof REQUIREMENTS,
  script: string,
): { describe: jest.Describe; python: (...args: readonly string[]) => string } {
  const { python, reason } = findPython(name);
  if (python === undefined) process.stderr.write(`test:interop: skipped, no ${name} (${reason})\n`);
  return {
    describe: python === undefined ? describe.skip : describe,
    python: (...args) => execFileSync(python!, [script, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 }),
  };
}
