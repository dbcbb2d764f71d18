/** The sub-path `tfrecord-native/arrow` of the built package loads without apache-arrow, which its calls then ask for. */
import { execFileSync } from 'node:child_process';

import { ROOT } from '../../support/running/compiled-sources';
import { checkBuilt } from '../../support/running/run-example';

/** Runs `code` inside the package, which can import its own doors by name. Returns the JSON that it prints. */
function run(code: string): unknown {
  checkBuilt();
  return JSON.parse(execFileSync(process.execPath, ['-e', code], { cwd: ROOT, encoding: 'utf8', timeout: 60_000 }));
}

test('without apache-arrow each call that needs it says what to install', () => {
  const code = `
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => {
      if (name !== 'apache-arrow') return resolve(name, ...rest);
      throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
    };
    const { fixedLen } = require('tfrecord-native');
    const { arrowBatches, arrowSchema, toArrow } = require('tfrecord-native/arrow');
    const outcome = (call) => { try { return call(); } catch ({ code, message }) { return [code, message]; } };
    const spec = { id: fixedLen([], 'int64') };
    console.log(JSON.stringify([
      outcome(() => arrowSchema(spec)),
      outcome(() => arrowBatches('nowhere', spec)),
      outcome(() => toArrow({ id: BigInt64Array.of(1n) })),
    ]));`;
  const message = 'tfrecord-native/arrow needs apache-arrow, which is not installed: npm install apache-arrow@^21.2.0';
  expect(run(code)).toEqual(Array(3).fill(['ERR_MODULE_NOT_FOUND', message]));
});

test('tables of another copy of the package are converted', () => {
  const code = `
    const { fromArrow } = require('tfrecord-native/arrow');
    const cjs = require('apache-arrow');
    import('apache-arrow').then((esm) => console.log(JSON.stringify(
      [cjs, esm].map(({ tableFromArrays }) => fromArrow(tableFromArrays({ a: Int32Array.of(1, 2) })).length))));`;
  expect(run(code)).toEqual([2, 2]);
});
