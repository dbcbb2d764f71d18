/**
 * The sub-path `tfrecord-native/tfjs` of the built package loads without tfjs, and using it then names the missing
 * package.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';
import { checkBuilt } from '../../support/running/run-example';

/** Runs `code` inside the package, which can import its own doors by name. Returns the JSON that it prints. */
function run(code: string, ...flags: readonly string[]): unknown {
  checkBuilt();
  return JSON.parse(execFileSync(process.execPath, [...flags, '-e', code], { cwd: ROOT, encoding: 'utf8' }));
}
/** Code that hides the packages of tfjs. It must run first. */
const WITHOUT = `
  const Module = require('node:module');
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => {
    if (!name.startsWith(process.env.LACKING ?? '@tensorflow/')) return resolve(name, ...rest);
    throw Object.assign(new Error("Cannot find module '" + (process.env.ITSELF_LACKS ?? name) + "'\\nRequire stack:"), { code: 'MODULE_NOT_FOUND' });
  };
`;
const CALLS = `
  const { Dataset } = require('tfrecord-native');
  const { toTensors, toTfjsDataset } = require('tfrecord-native/tfjs');
  const outcome = (call) => { try { return call(); } catch ({ code, message }) { return [code, message]; } };
  console.log(JSON.stringify([
    outcome(() => toTensors({ x: Float32Array.of(1) })),
    outcome(() => toTfjsDataset(Dataset.range(2).batch(2), (x) => ({ x }))),
  ]));
`;

test('both faces have the same names', () => {
  const names = `import('tfrecord-native/tfjs').then((esm) =>
    console.log(JSON.stringify([Object.keys(require('tfrecord-native/tfjs')), Object.keys(esm)])));`;
  const [cjs, esm] = run(names) as string[][];
  expect([...cjs!].sort()).toEqual(['toTensors', 'toTfjsDataset']);
  expect(esm).toEqual([...cjs!].sort());
});

test('nothing of tfjs is loaded before it is used', () => {
  const program = `
    for (const door of ['tfrecord-native', 'tfrecord-native/tfjs']) require(door);
    console.log(Object.keys(require.cache).filter((path) => path.includes('@tensorflow')).length);`;
  expect(run(program)).toBe(0);
});

test('without tfjs each call says what to install', () => {
  const message =
    'tfrecord-native/tfjs needs @tensorflow/tfjs-core, which is not installed: npm install @tensorflow/tfjs-core@^4.22.0';
  expect(run(WITHOUT + CALLS)).toEqual(Array(2).fill(['ERR_MODULE_NOT_FOUND', message]));
});

test.each([
  ['without tfjs-data', '', 'ERR_MODULE_NOT_FOUND', /npm install @tensorflow\/tfjs-data@/],
  // The original error says more.
  ['with a tfjs-data that lacks another', 'seedrandom', 'MODULE_NOT_FOUND', /^Cannot find module 'seedrandom'/],
])('%s', (_name, other, code, message) => {
  const setting = `console.warn = () => {}; require('@tensorflow/tfjs-backend-cpu');
    process.env.LACKING = '@tensorflow/tfjs-data';
    if (${JSON.stringify(other)} !== '') process.env.ITSELF_LACKS = ${JSON.stringify(other)};`;
  const [, dataset] = run(setting + WITHOUT + CALLS) as [string, string][];
  expect(dataset).toEqual([code, expect.stringMatching(message)]);
});

test('the package asks npm for none of it', () => {
  const { peerDependencies, peerDependenciesMeta, dependencies } = jest.requireActual<{
    peerDependencies: Record<string, string>;
    peerDependenciesMeta: Record<string, { optional?: boolean }>;
    dependencies: Record<string, string>;
  }>(join(ROOT, 'package.json'));
  expect(Object.keys(peerDependencies)).toContain('@tensorflow/tfjs-core');
  for (const [name, range] of Object.entries(peerDependencies)) {
    // Any other range makes npm refuse to install the package beside a version outside of it.
    expect([name, range, peerDependenciesMeta[name]]).toEqual([name, '*', { optional: true }]);
  }
  expect(Object.keys(dependencies).filter((name) => name.startsWith('@tensorflow/'))).toEqual([]);
});
