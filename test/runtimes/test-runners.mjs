/**
 * Tests rows, batches and tensors under Jest, ts-jest and Vitest, in separate projects, with the packed package; and its
 * declarations with the newest ones of Node, which rename some types.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { NO_REGISTRY, registryAnswers } from './registry.mjs';

/** Versions that run on the oldest supported Node. */
const PACKAGES = [
  'jest@30.5.2',
  'ts-jest@29.4.15',
  'typescript@5.7.3',
  '@types/jest@30.0.0',
  'vitest@3.2.4',
  '@types/node@26',
];
/** A program, to be checked without `skipLibCheck`. */
const program = readFileSync(new URL('../types/oldest/use.mts', import.meta.url), 'utf8');
const body = readFileSync(new URL('runners/expectations.js', import.meta.url), 'utf8');

const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
const node = (folder, script, ...args) =>
  spawnSync(process.execPath, [join(folder, 'node_modules', script), ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 300_000,
    env: { PATH: process.env.PATH, CI: '1' },
  });

const RUNNERS = {
  jest: {
    file: 'jest/rows.test.js',
    head: `const tfrecord = require('tfrecord-native');\n`,
    config: {},
    run: (folder, report) => node(folder, 'jest/bin/jest.js', '--rootDir=jest', '--json', `--outputFile=${report}`),
  },
  'ts-jest': {
    file: 'ts-jest/rows.test.ts',
    head: `// @ts-nocheck: what it says is said by types elsewhere\nimport * as tfrecord from 'tfrecord-native';\n`,
    config: {
      'ts-jest/jest.config.json': JSON.stringify({ preset: 'ts-jest', testEnvironment: 'node' }),
      'ts-jest/tsconfig.json': JSON.stringify({
        compilerOptions: { target: 'es2022', module: 'commonjs', esModuleInterop: true, types: ['jest'] },
      }),
    },
    run: (folder, report) =>
      node(folder, 'jest/bin/jest.js', '--config=ts-jest/jest.config.json', '--json', `--outputFile=${report}`),
  },
  vitest: {
    file: 'vitest/rows.test.mjs',
    head: `import { expect, test } from 'vitest';\nimport * as tfrecord from 'tfrecord-native';\n`,
    config: {},
    run: (folder, report) =>
      node(folder, 'vitest/vitest.mjs', 'run', '--root=vitest', '--reporter=json', `--outputFile=${report}`),
  },
};

/**
 * Runs the projects in folder `work`, with the package in `tarball`. `check` calls a function and reports its error,
 * `skip` takes the reason why none is called.
 */
export function testRunners(work, tarball, { check, skip }) {
  if (!registryAnswers()) {
    skip('Jest, ts-jest and Vitest', NO_REGISTRY);
    return;
  }
  const folder = join(work, 'runners');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', ...quiet, tarball, ...PACKAGES], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const [name, { file, head, config, run }] of Object.entries(RUNNERS)) {
    check(`${name}: right expectations pass, wrong ones fail`, () => {
      mkdirSync(join(folder, name));
      for (const [path, text] of Object.entries(config)) writeFileSync(join(folder, path), text);
      writeFileSync(join(folder, file), head + body);
      const report = join(folder, `${name}.json`);
      const { stdout, stderr } = run(folder, report);
      let results;
      try {
        results = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap((result) => result.assertionResults);
      } catch {
        assert.fail(`no report\n${stdout}${stderr}`);
      }
      checkResults(results);
    });
  }
  check('declarations with @types/node 26', () => {
    mkdirSync(join(folder, 'types'));
    writeFileSync(join(folder, 'types', 'use.mts'), program);
    const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
    compilerOptions.lib = ['es2023', 'esnext.disposable', 'dom', 'dom.asynciterable'];
    writeFileSync(join(folder, 'types', 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.mts'] }));
    const { status, stdout } = node(folder, 'typescript/bin/tsc', '-p', 'types');
    assert.equal(status, 0, stdout);
  });
}

function checkResults(results) {
  const expected = results.map(({ title }) => [title, title.startsWith('right') ? 'passed' : 'failed']);
  const found = results.map(({ title, status, failureMessages }) => {
    const [message = ''] = failureMessages ?? [];
    // A wrong expectation must fail because of the values, not because of another error.
    const broke = status === 'failed' && !/toEqual|toStrictEqual|to (strictly|deeply|not deeply) equal/.test(message);
    return [
      title,
      broke || status !== (title.startsWith('right') ? 'passed' : 'failed') ? `${status}: ${message}` : status,
    ];
  });
  assert.ok(expected.length >= 30, `${expected.length} tests`);
  assert.deepEqual(found, expected);
}
