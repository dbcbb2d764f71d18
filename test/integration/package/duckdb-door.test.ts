/**
 * The sub-path `tfrecord-native/duckdb` of the built package: it loads without DuckDB, and programs that use it end by
 * themselves, in worker threads, too.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';
import { checkBuilt } from '../../support/running/run-example';

/** Runs `code` inside the package, which can import its own doors by name. Returns the JSON that it prints. */
function run(code: string): unknown {
  checkBuilt();
  const options = { cwd: ROOT, encoding: 'utf8', timeout: 60_000 } as const;
  return JSON.parse(execFileSync(process.execPath, ['-e', code], options));
}

test('without DuckDB a call says what to install', () => {
  const code = `
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => {
      if (!name.startsWith('@duckdb/')) return resolve(name, ...rest);
      throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
    };
    const { registerTFRecord } = require('tfrecord-native/duckdb');
    try { registerTFRecord({ registerTableFunction() {} }); } catch ({ code, message }) { console.log(JSON.stringify([code, message])); }`;
  const message =
    'tfrecord-native/duckdb needs @duckdb/node-api, which is not installed: npm install @duckdb/node-api@1.5.6-r.1';
  expect(run(code)).toEqual(['ERR_MODULE_NOT_FOUND', message]);
});

const COUNT = `
  const { DuckDBConnection } = require('@duckdb/node-api');
  const { registerTFRecord } = require('tfrecord-native/duckdb');
  const count = async (path) => {
    const connection = await DuckDBConnection.create();
    registerTFRecord(connection);
    const left = await connection.stream(\`FROM read_tfrecord('\${path}') LIMIT 2\`);
    await left.fetchChunk();
    const reader = await connection.runAndReadAll(\`SELECT count(*) FROM read_tfrecord('\${path}')\`);
    connection.closeSync();
    return String(reader.getRows()[0][0]);
  };`;
const WEATHER = JSON.stringify(join(ROOT, 'examples/data/weather.tfrecord.gz'));

test('a program ends by itself', () => {
  expect(run(`${COUNT} count(${WEATHER}).then((found) => console.log(JSON.stringify(found)));`)).toMatch(/^\d+$/);
});

test('and so does a worker thread', () => {
  const worker = `${COUNT} count(${WEATHER}).then((found) => require('node:worker_threads').parentPort.postMessage(found));`;
  const code = `
    const { Worker } = require('node:worker_threads');
    let found;
    const worker = new Worker(${JSON.stringify(worker)}, { eval: true });
    worker.on('message', (message) => (found = message));
    worker.on('exit', () => console.log(JSON.stringify(found)));`;
  expect(run(code)).toMatch(/^\d+$/);
});
