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
for (const name of ['typescript-5.7', 'typescript', 'typescript-7']) {
  const version = tsc(name, '--version').stdout.trim();
  for (const project of ['test/types', 'test/types/tfjs']) {
    const { status, stdout, stderr } = tsc(name, '-p', project);
    const outcome = status === 0 ? 'ok' : `FAILED\n${stdout}${stderr}`;
    console.log(`${version.replace('Version', 'TypeScript')}, ${project}: ${outcome}`);
    failed ||= status !== 0 || version === '';
  }
}
process.exitCode = failed ? 1 : 0;
