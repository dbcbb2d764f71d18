/**
 * Builds the addon (Release) for the package: `prebuilds/<platform>-<arch>[-musl]/tfrecord.node`.
 *
 *   node scripts/prebuild.mjs [--no-build]
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

if (!process.argv.includes('--no-build')) {
  const cmakeJs = createRequire(import.meta.url).resolve('cmake-js/bin/cmake-js');
  execFileSync(process.execPath, [cmakeJs, 'build', '-B', 'Release'], { cwd: fileURLToPath(root), stdio: 'inherit' });
}

process.report.excludeNetwork = true; // Otherwise the report looks up host names, for seconds.
const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
const folder = new URL(`prebuilds/${process.platform}-${process.arch}${musl ? '-musl' : ''}/`, root);
mkdirSync(folder, { recursive: true });
copyFileSync(new URL('build/Release/tfrecord.node', root), new URL('tfrecord.node', folder));
console.log(fileURLToPath(new URL('tfrecord.node', folder)));
