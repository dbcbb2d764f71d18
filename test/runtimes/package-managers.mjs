/**
 * The package where package managers put it: pnpm's links, and Yarn's Plug'n'Play; and the releases of optional packages
 * that npm, pnpm and Yarn install beside it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Skipped } from './checks.mjs';
import { keptPackages, NO_REGISTRY, registryAnswers } from './registry.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Versions that run on the oldest supported Node. */
const MANAGERS = ['pnpm@10.34.9', '@yarnpkg/cli-dist@4.18.1'];

const YARN_FILES = {
  'yarn.lock': '',
  '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\nenableScripts: false\n',
};
/** The options that `yarn node` adds. */
const YARN_NODE = ['--require=./.pnp.cjs', '--experimental-loader=./.pnp.loader.mjs'];

/** Makes the folder of a project with `files` and the scripts of `cases`. Returns a function that runs a program there. */
function project(work, name, files) {
  const folder = join(work, name);
  mkdirSync(folder);
  cpSync(new URL('cases/', import.meta.url), folder, { recursive: true });
  const all = { 'package.json': '{ "name": "project", "private": true }\n', ...files };
  for (const [path, text] of Object.entries(all)) writeFileSync(join(folder, path), text);
  // A home of its own, so that caches of the user stay as they are. Yarn asks it for its folder of packages.
  const env = { ...process.env, HOME: work, CI: '', NODE_OPTIONS: '', YARN_ENABLE_GLOBAL_CACHE: 'false' };
  return (program, ...args) => {
    const options = { cwd: folder, encoding: 'utf8', timeout: 120_000, env };
    const { status, stdout, stderr } = spawnSync(program, args, options);
    assert.equal(status, 0, stdout + stderr);
    // A warning would say that the WebAssembly build was taken.
    assert.equal(stderr, '');
    return stdout;
  };
}

/**
 * Installs `tarball` by each of them, in a folder below `work`. `check` calls a function and reports its error,
 * `skip` takes the reason why none is called; `expected` is what the scripts of `cases` print of the file `example`.
 */
export function packageManagers(work, tarball, example, expected, { check, skip }) {
  if (!registryAnswers()) {
    skip("pnpm and Yarn's Plug'n'Play", NO_REGISTRY);
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
      node: YARN_NODE,
      files: YARN_FILES,
    },
  };
  for (const [name, { tool, add, node, files }] of Object.entries(projects)) {
    const start = project(work, name, files);
    const run = (...args) => start(process.execPath, ...args);
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

/** A release that cannot add table functions in JavaScript, and the one that we develop with. */
const DUCKDB = [
  { release: '1.4.0-r.2', hasTables: false },
  {
    release: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies['@duckdb/node-api'],
    hasTables: true,
  },
];
/** Releases of other optional packages below those of their ranges in our own development. */
const OLDER = ['apache-arrow@20.0.0', '@tensorflow/tfjs-core@3.21.0'];

/**
 * Installs `tarball` with npm, pnpm and Yarn beside the lowest and the newest DuckDB, after them: none refuses. What needs a
 * newer one says so in one line.
 */
export function optionalPackages(work, tarball, example, { records }, { check, skip }) {
  if (!registryAnswers()) {
    skip('releases of optional packages', NO_REGISTRY);
    return;
  }
  const modules = keptPackages('package-managers', MANAGERS);
  const { execPath } = process;
  const managers = {
    npm: { add: ['npm', 'install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'] },
    pnpm: {
      add: [
        execPath,
        join(modules, 'pnpm', 'bin', 'pnpm.cjs'),
        ...['add', '--ignore-scripts', `--store-dir=${join(work, 'pnpm-store')}`],
      ],
    },
    yarn: {
      add: [execPath, join(modules, '@yarnpkg', 'cli-dist', 'bin', 'yarn.js'), 'add'],
      node: YARN_NODE,
      files: YARN_FILES,
    },
  };
  for (const [name, { add, node = [], files = {} }] of Object.entries(managers)) {
    for (const { release, hasTables } of DUCKDB) {
      check(`${name}: beside @duckdb/node-api ${release}`, () => {
        const place = `${name}-duckdb-${release}`;
        const run = project(work, place, files);
        try {
          run(...add, `@duckdb/node-api@${release}`, ...OLDER);
        } catch (error) {
          // Yarn asks for the packages of all platforms, which a mirror may not have.
          const [, lacking] = /(\S+): No candidates found/.exec(error.message) ?? [];
          if (lacking === undefined) throw error;
          throw new Skipped(`the registry does not have ${lacking}`);
        }
        run(...add, `tfrecord-native@file:${tarball}`);
        const found = JSON.parse(run(execPath, ...node, 'optional.cjs', example));
        assert.deepEqual([found.statistics, found.fromParquet], [records, 3]);
        assert.equal(found.arrow.code, 'ERR_MODULE_NOT_FOUND');
        assert.match(
          found.arrow.message,
          /needs apache-arrow 21\.1 or newer \(tried: 21\S+ to 21\S+\): npm install apache/,
        );
        // Native code adds `read_tfrecord` to every release.
        assert.equal(found.sql, records);
        for (const user of ['toParquet', 'where']) {
          if (hasTables) assert.equal(found[user], records, user);
          else {
            assert.equal(found[user].code, 'ERR_MODULE_NOT_FOUND');
            assert.match(
              found[user].message,
              /needs @duckdb\/node-api 1\.5\.5-r\.5 or newer, found 1\.4\.0 \(tried: 1\S+ to 1\S+\): npm install @duckdb/,
            );
          }
        }
        rmSync(join(work, place), { recursive: true });
      });
    }
  }
}
