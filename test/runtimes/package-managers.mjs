/** The package where other package managers than npm have put it: pnpm's links, and Yarn's Plug'n'Play. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { keptPackages, registryAnswers } from './registry.mjs';

/** Versions that run on the oldest supported Node. */
const MANAGERS = ['pnpm@10.34.9', '@yarnpkg/cli-dist@4.18.1'];

/**
 * Installs `tarball` by each of them, in a folder below `work`. `check` calls a function and reports its error; `expected`
 * is what the scripts of `cases` print of the file `example`.
 */
export function packageManagers(work, tarball, example, expected, check) {
  if (!registryAnswers()) {
    console.log("skipped: pnpm and Yarn's Plug'n'Play, for the npm registry does not answer");
    return;
  }
  const modules = keptPackages('package-managers', MANAGERS);
  const projects = {
    pnpm: {
      tool: join(modules, 'pnpm', 'bin', 'pnpm.cjs'),
      add: ['add', '--ignore-scripts', `--store-dir=${join(work, 'pnpm-store')}`, tarball],
      node: [],
      files: {},
    },
    yarn: {
      tool: join(modules, '@yarnpkg', 'cli-dist', 'bin', 'yarn.js'),
      add: ['add', `tfrecord-native@file:${tarball}`],
      // The options that `yarn node` adds.
      node: ['--require=./.pnp.cjs', '--experimental-loader=./.pnp.loader.mjs'],
      files: { 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\nenableScripts: false\n' },
    },
  };
  for (const [name, { tool, add, node, files }] of Object.entries(projects)) {
    const folder = join(work, name);
    mkdirSync(folder);
    cpSync(new URL('cases/', import.meta.url), folder, { recursive: true });
    const all = { 'package.json': '{ "name": "project", "private": true }\n', ...files };
    for (const [path, text] of Object.entries(all)) writeFileSync(join(folder, path), text);
    // A home of its own, so that caches of the user stay as they are. Yarn asks it for its folder of packages.
    const env = { ...process.env, HOME: work, CI: '', NODE_OPTIONS: '', YARN_ENABLE_GLOBAL_CACHE: 'false' };
    const run = (...args) => {
      const options = { cwd: folder, encoding: 'utf8', timeout: 120_000, env };
      const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
      assert.equal(status, 0, stdout + stderr);
      // A warning would say that the WebAssembly build was taken.
      assert.equal(stderr, '');
      return stdout;
    };
    let installed = false;
    check(`${name} installs the package`, () => {
      run(tool, ...add);
      installed = true;
    });
    if (!installed) continue;
    for (const script of ['read.cjs', 'read.mjs', 'worker.cjs']) {
      check(`${name}: ${script}`, () => assert.deepEqual(JSON.parse(run(...node, script, example)), expected));
    }
    check(`${name}: Examples and worker threads`, () => {
      assert.deepEqual(JSON.parse(run(...node, 'parts.cjs')), { label: 3, doubled: [0, 2, 4] });
    });
    check(`${name}: a missing optional package is named, with what to install`, () => {
      for (const script of ['tfjs.cjs', 'tfjs.mjs']) {
        const { records, ...calls } = JSON.parse(run(...node, script, example, 'without-tfjs'));
        assert.equal(records, expected.records);
        for (const { message } of Object.values(calls)) assert.match(message, /npm install @tensorflow\/tfjs-core@/);
      }
    });
    check(`${name}: tfrecord count`, () => {
      assert.match(run(tool, 'exec', 'tfrecord', 'count', example), new RegExp(`\\b${expected.records}\\b`));
    });
  }
}
