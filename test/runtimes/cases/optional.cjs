'use strict';
// Uses the optional packages, of whatever releases are installed. Argument 1: a file of TFRecords.
const { DuckDBConnection } = require('@duckdb/node-api');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { fixedLen } = require('tfrecord-native');
const { arrowSchema } = require('tfrecord-native/arrow');
const { convert } = require('tfrecord-native/convert');
const { registerTFRecord } = require('tfrecord-native/duckdb');
const { statistics } = require('tfrecord-native/schema');

const folder = mkdtempSync(join(tmpdir(), 'tfrecord-duckdb-'));
const at = (name) => join(folder, name);
const [, , file] = process.argv;

/** The result of `call`, or its error. */
async function outcome(call) {
  try {
    return await call();
  } catch ({ code, message }) {
    return { code, message };
  }
}

async function main() {
  const connection = await DuckDBConnection.create();
  await connection.run(`COPY (FROM range(3)) TO '${at('foreign.parquet')}' (FORMAT parquet)`);
  const found = {
    statistics: await outcome(async () => Number((await statistics(file)).message.datasets[0].numExamples)),
    fromParquet: await outcome(async () => (await convert(at('foreign.parquet'), at('foreign.tfrecord'))).records),
    toParquet: await outcome(async () => (await convert(file, at('out.parquet'))).records),
    where: await outcome(async () => (await convert(file, at('out.tfrecord'), { where: 'true' })).records),
    arrow: await outcome(() => arrowSchema({ id: fixedLen([], 'int64') }).fields.length),
    sql: await outcome(async () => {
      registerTFRecord(connection);
      const reader = await connection.runAndReadAll(`SELECT count(*)::INT FROM read_tfrecord('${file}')`);
      return reader.getRows()[0][0];
    }),
  };
  connection.closeSync();
  console.log(JSON.stringify(found));
}

main().finally(() => rmSync(folder, { recursive: true }));
