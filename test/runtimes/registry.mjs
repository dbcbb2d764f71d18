/** The packages that the tests take from the npm registry. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
let answers;

/** The reason to skip what needs packages. */
export const NO_REGISTRY = 'the npm registry does not answer';

/** True if the npm registry answers. Asks it once. */
export function registryAnswers() {
  const options = ['--fetch-retries=0', '--fetch-timeout=15000'];
  const ask = () =>
    spawnSync('npm', ['view', 'jest@30.5.2', 'version', ...options], { stdio: 'ignore', timeout: 60_000 });
  return (answers ??= ask().status === 0);
}

/** Returns a folder `node_modules` that has `packages`, with exact versions, kept as `.cache/runtimes/NAME`. */
export function keptPackages(name, packages) {
  const folder = join(root, '.cache', 'runtimes', name);
  const done = join(folder, `${packages.join('-').replaceAll('/', '-')}.done`);
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: folder });
    writeFileSync(done, '');
  }
  return join(folder, 'node_modules');
}
