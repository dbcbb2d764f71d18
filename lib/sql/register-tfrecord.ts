/** Registers `read_tfrecord`, a table function of DuckDB. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Connection } from '@duckdb/node-bindings';

import { checkOptions, invalidArgType, invalidArgValue, isObject } from '../base';
import { planSpec, type SequenceExampleSpec, type Spec } from '../example';
import { resolveReadOptions, type ReadOptions } from '../record';
import { tableOfPlan, type Table } from '../table';
import { checkColumnNames } from './column-types';
import { addNativeFunction } from './native-function';
import { boundConnection, duckdb, duckdbTables } from './peers';
import { addScriptFunction } from './script-function';

/** Options of {@link registerTFRecord}. Unknown names throw. */
export interface RegisterOptions extends Pick<ReadOptions, 'compression' | 'verify' | 'maxRecordBytes' | 'onError'> {
  /** The features of all files. Default: the features of the first records, unless a query gives `spec := …`. */
  readonly spec?: Spec | SequenceExampleSpec | undefined;
  /** Name of the function in SQL. Default: `read_tfrecord`. */
  readonly name?: string | undefined;
}

/** The options of reading records that functions of SQL have. */
export const READ_NAMES = ['compression', 'verify', 'maxRecordBytes', 'onError'] as const;

/**
 * Adds the function `read_tfrecord` to the SQL of a connection of `@duckdb/node-api`, and of all others of its instance,
 * which need not register it again. `SELECT … FROM read_tfrecord('train-*.gz')` reads files like `readExamples`, on
 * native threads, and parses only the features that the query uses.
 *
 * - The argument is a path, a pattern, or a list of these: `['a.tfrecord', 'b-*.gz']`. A URL is an error (TFR_SQL).
 * - `spec := '…'` names the features, as the JSON of `specToJSON`. Without one, and without `options.spec`, the columns are
 *   the features of the first 1,000 records (or 16 MiB). A later record that does not match them is an error.
 * - `compression := 'gzip'` overrides the option. `filename := true`, `file_row_number := true` and `record_offset := true`
 *   add columns of these names: the file of each record, its number in the file, from 0, and the byte at which it begins
 *   in the file's content, which is the file itself or, of a compressed file, what it inflates to.
 *
 * int64 is BIGINT, float32 FLOAT, text VARCHAR, and bytes BLOB. Lists of any length are lists, missing ones NULL, and
 * empty ones `[]`. A shape is an ARRAY (`FLOAT[2]`) up to 4,096 values, and lists beyond that. A feature list is a list of
 * its steps.
 *
 * If a query fails because of the records, DuckDB's error has the code and the text of the `TFRecordError`.
 *
 * @throws TypeError, RangeError, TFRecordError TFR_SPEC for wrong arguments; ERR_MODULE_NOT_FOUND without
 *   `@duckdb/node-api`
 *
 * @example
 * const connection = await DuckDBConnection.create();
 * registerTFRecord(connection);
 * const result = await connection.runAndReadAll("SELECT count(*) FROM read_tfrecord('train-*.gz')");
 * console.log(result.getRows()); // [[1000n]]
 */
export function registerTFRecord(connection: DuckDBConnection, options?: RegisterOptions): void {
  checkConnection(connection);
  const { spec, name = 'read_tfrecord', ...read } = checkOptions(options, ['spec', 'name', ...READ_NAMES]);
  checkFunctionName(name);
  resolveReadOptions(read);
  registerTable(boundConnection(connection), name, spec === undefined ? undefined : tableOfPlan(planSpec(spec)), read);
}

/** @throws TypeError */
export function checkConnection(connection: DuckDBConnection): void {
  // The connections of older releases have no table functions.
  if (!isObject(connection) || (typeof connection.run !== 'function' && !('registerTableFunction' in connection))) {
    throw invalidArgType('connection', 'a DuckDBConnection of @duckdb/node-api', connection);
  }
}

/** Checks the name of a function. @throws TypeError */
export function checkFunctionName(name: unknown): void {
  if (typeof name !== 'string') throw invalidArgType('options.name', 'a string', name);
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw invalidArgValue('options.name', 'letters, digits and _, not beginning with a digit', name);
  }
}

/**
 * Adds the function `name`, which reads `table` if a query gives no spec. @throws as `duckdb`; where native code cannot add
 * the function, as `duckdbTables`
 */
export function registerTable(connection: Connection, name: string, table: Table | undefined, read: ReadOptions): void {
  if (table !== undefined) checkColumnNames(table, []);
  if (addNativeFunction(duckdb().bindings, connection, name, table, read)) return;
  addScriptFunction(duckdbTables().bindings, connection, name, table, read);
}
