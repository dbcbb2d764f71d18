/** The sub-path `tfrecord-native/schema` of the built package without DuckDB, which only statistics need. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';
import { checkBuilt } from '../../support/running/run-example';

test('without DuckDB statistics say what to install, and the rest works', () => {
  checkBuilt();
  const code = `
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => {
      if (!name.startsWith('@duckdb/')) return resolve(name, ...rest);
      throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
    };
    const { inferSchema, statistics } = require('tfrecord-native/schema');
    const file = ${JSON.stringify(join(ROOT, 'examples/data/weather.tfrecord.gz'))};
    inferSchema(file).then(async ({ records }) => {
      const { code, message } = await statistics(file).catch((error) => error);
      console.log(JSON.stringify([records, code, message]));
    });`;
  const options = { cwd: ROOT, encoding: 'utf8', timeout: 60_000 } as const;
  const message = 'statistics() needs @duckdb/node-api, which is not installed: npm install @duckdb/node-api@1.5.6-r.1';
  expect(JSON.parse(execFileSync(process.execPath, ['-e', code], options))).toEqual([
    200,
    'ERR_MODULE_NOT_FOUND',
    message,
  ]);
});
