/**
 * Builds dist from lib: declarations and the compiled tree in .cache/compiled, then, side by side, what is made of
 * them: the bundles, the page of the viewer, the ESM entries and the manual page.
 */
import { spawn } from 'node:child_process';

/** Runs a script; rejects when it fails. */
function run(...words) {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, words, { stdio: 'inherit' })
      .on('error', reject)
      .on('exit', (code, signal) => {
        if (code === 0) resolve();
        else reject(new Error(`node ${words.join(' ')} ended with ${signal ?? code}`));
      });
  });
}

await run('scripts/clean.mjs', 'dist', '.cache/compiled');
await run('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json');
await run('scripts/build-proto.mjs', '--copy', 'dist');
const results = await Promise.allSettled([
  // The manual page asks the command.
  run('scripts/bundle.mjs').then(() => run('scripts/build-man.mjs')),
  run('scripts/bundle-page.mjs'),
  run('scripts/build-view.mjs'),
  run('scripts/build-esm.mjs'),
]);
for (const { reason } of results) {
  if (reason === undefined) continue;
  console.error(reason.message);
  process.exitCode = 1;
}
