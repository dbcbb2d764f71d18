/**
 * Loads DuckDB's loadable extension of this system, which `npm run build:prebuilds` made, and prints what a query over
 * examples/data gives. Its footer names the platform that DuckDB asks for. Exits with code 1 if it is not built.
 *
 *   node test/runtimes/platforms/extension.mjs [EXTENSION]      (extensions/PLATFORM/tfrecord.duckdb_extension)
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { DuckDBInstance } from '@duckdb/node-api';

const root = new URL('../../../', import.meta.url);
const pathOf = (url) => fileURLToPath(url).replaceAll('\\', '/');
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

const instance = await DuckDBInstance.create(':memory:', { allow_unsigned_extensions: 'true' });
const connection = await instance.connect();
const rows = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson();
const [[platform]] = await rows('PRAGMA platform');
const extension = process.argv[2] ?? pathOf(new URL(`extensions/${platform}/tfrecord.duckdb_extension`, root));
if (existsSync(extension)) {
  await connection.run(`LOAD ${quoted(extension)}`);
  const files = pathOf(new URL('examples/data/weather.tfrecord*', root));
  const query = `SELECT count(*), sum(elevation), count(DISTINCT station) FROM read_tfrecord(${quoted(files)})`;
  console.log(`${platform} ${JSON.stringify(await rows(query))}`);
} else {
  console.error(`extension.mjs: no ${extension}`);
  process.exitCode = 1;
}
connection.closeSync();
instance.closeSync();
