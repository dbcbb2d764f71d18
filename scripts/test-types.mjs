/**
 * Checks test/types against the compiled declarations with every supported TypeScript, as CommonJS (.ts) and as ESM
 * (.mts). Everything must compile, and each `@ts-expect-error` must mark an error.
 *
 *   node scripts/test-types.mjs
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const tsc = (name, ...args) =>
  spawnSync(process.execPath, [`${root}node_modules/${name}/bin/tsc`, ...args], { cwd: root, encoding: 'utf8' });

let failed = false;
const ALL = ['test/types/oldest', 'test/types', 'test/types/arrow', 'test/types/duckdb', 'test/types/tfjs'];
/** The README names the oldest two: from 5.7 on, declarations need no `skipLibCheck`. */
const PROJECTS = {
  'typescript-5.0': ['test/types/oldest'],
  'typescript-5.7': ALL,
  // The newest ones check examples/electron, too, against Electron's own declarations.
  typescript: [...ALL, 'test/types/electron'],
  'typescript-7': [...ALL, 'test/types/electron'],
};

for (const [name, projects] of Object.entries(PROJECTS)) {
  const version = tsc(name, '--version').stdout.trim();
  for (const project of projects) {
    const { status, stdout, stderr } = tsc(name, '-p', project);
    const outcome = status === 0 ? 'ok' : `FAILED\n${stdout}${stderr}`;
    console.log(`${version.replace('Version', 'TypeScript')}, ${project}: ${outcome}`);
    failed ||= status !== 0 || version === '';
  }
}
process.exitCode = failed ? 1 : 0;
