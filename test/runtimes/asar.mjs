/** The package in an asar archive, packed with the settings of docs/electron.md, in Node with a shim of Electron's support. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { NO_WASM, Skipped } from './checks.mjs';
import { keptPackages, NO_REGISTRY, registryAnswers } from './registry.mjs';

/** The last version that runs on the oldest supported Node. */
const ASAR = '@electron/asar@3.4.1';
const shim = fileURLToPath(new URL('asar-shim.cjs', import.meta.url));
const cases = fileURLToPath(new URL('cases/', import.meta.url));
const page = readFileSync(new URL('../../docs/electron.md', import.meta.url), 'utf8');

/**
 * Packs the package that is installed in `installed`, in a folder below `work`, and reads `example` from there. `check`
 * calls a function and reports its error, `skip` takes the reason why none is called; `expected` is what the scripts of `cases` print of `example`.
 */
export async function asarArchives(work, installed, example, expected, { check, skip }) {
  if (!registryAnswers()) {
    skip('asar archives', NO_REGISTRY);
    return;
  }
  const folder = join(work, 'asar');
  const app = join(folder, 'app');
  mkdirSync(folder);
  cpSync(cases, app, { recursive: true });
  cpSync(example, join(app, 'shipped.tfrecord.gz'));
  // Without links of commands, which lead outside, and what no program loads.
  const filter = (path) =>
    !/^\.bin$|^@types$|^native$|^docs$|\.d\.m?ts$/.test(basename(path)) || /dist.native$/.test(path);
  cpSync(dirname(installed), join(app, 'node_modules'), { recursive: true, filter });
  const ASAR_PACKAGE = join(keptPackages('asar', [ASAR]), '@electron', 'asar');
  const asar = createRequire(import.meta.url)(ASAR_PACKAGE);

  const run = (archive, script, args = [], env = {}) => {
    const file = join(folder, archive, script);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', shim, file, ...args], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
      env: { PATH: process.env.PATH, ASAR_PACKAGE, ...env },
    });
    assert.equal(status, 0, stdout + stderr);
    return { printed: JSON.parse(stdout), stderr };
  };
  const reads = (archive, script) => {
    // A warning would say that the WebAssembly build was taken.
    assert.deepEqual(run(archive, script, [example]), { printed: expected, stderr: '' });
  };

  const [, unpack] = /"asarUnpack": \["([^"]+)"\]/.exec(page);
  await asar.createPackageWithOptions(app, join(folder, 'app.asar'), { unpack });
  check('asar, unpacked as docs/electron.md says', () => {
    for (const script of ['read.cjs', 'worker.cjs']) reads('app.asar', script);
    const { printed } = run('app.asar', 'parts.cjs', [join(cases, 'double.cjs')]);
    assert.deepEqual(printed, { label: 3, doubled: [0, 2, 4] });
  });
  check('asar, unpacked: the addon and ISA-L are loaded from beside the archive', () => {
    const prebuilds = join(folder, 'app.asar.unpacked', 'node_modules', 'tfrecord-native', 'prebuilds');
    const { loaded } = run('app.asar', 'shipped.cjs').printed;
    const isal = loaded.filter((path) => path.startsWith(prebuilds) && path.includes('libisal'));
    assert.ok(
      loaded.some((path) => path.startsWith(prebuilds) && path.endsWith('tfrecord.node')),
      String(loaded),
    );
    // Without `npm run build:prebuilds` there is none in the package.
    const shipped = existsSync(join(prebuilds, `${process.platform}-${process.arch}`, 'libisal.so.2'));
    assert.equal(isal.length, shipped ? 1 : 0, String(loaded));
  });
  check('asar: a record file in the archive is read in JavaScript, and its path fails', () => {
    const { byPath, byStream } = run('app.asar', 'shipped.cjs').printed;
    assert.equal(byStream, expected.records);
    assert.equal(byPath.code, 'ENOTDIR');
    assert.match(byPath.message, /app\.asar.shipped\.tfrecord\.gz/);
  });

  await asar.createPackage(app, join(folder, 'packed.asar'));
  check('asar, all packed: the addon is loaded by a copy', () => reads('packed.asar', 'read.cjs'));
  const advice = /lies in an asar archive: pack its folder "prebuilds\/\S+" .* "asarUnpack", as docs\/electron\.md/;
  check('asar, all packed, where no copy can be loaded: WebAssembly, and what to do', () => {
    if (!existsSync(join(installed, 'prebuilds', 'wasm32'))) throw new Skipped(NO_WASM);
    const { printed, stderr } = run('packed.asar', 'read.cjs', [example], { DLOPEN_FAILS: '1' });
    assert.deepEqual(printed, expected);
    assert.match(stderr, advice);
    assert.doesNotMatch(stderr, /cmake/);
  });
  rmSync(join(app, 'node_modules', 'tfrecord-native', 'prebuilds'), { recursive: true });
  await asar.createPackage(app, join(folder, 'without.asar'));
  check('asar without the addon: one error that says what to do', () => {
    assert.throws(() => run('without.asar', 'read.cjs', [example]), advice);
  });
}
