/** Registers `read_events`, a table function of DuckDB. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Connection, LogicalType, TableFunctionBindInfo, Type } from '@duckdb/node-bindings';

import { checkChoice, checkOptions, COMPRESSION_OPTIONS, invalidArgValue, type CompressionOption } from '../../base';
import { EVENT_KINDS, eventBlocksSync, type SyncEventOptions } from '../../events';
import { resolveReadOptions, type ReadOptions } from '../../record';
import { checkFiles } from '../bound-query';
import { logicalType } from '../column-types';
import { EVENT_COLUMNS, EventVectors } from './event-columns';
import { boundConnection, duckdbTables, type Bindings } from '../peers';
import { checkConnection, checkFunctionName, READ_NAMES } from '../register-tfrecord';
import { textsIn } from '../script-function';
import { addTableFunction } from '../table-function';
import { TableScan, type ScannedBatch } from '../table-scan';

/** Options of {@link registerEvents}. Unknown names throw. */
export interface RegisterEventsOptions extends Pick<
  ReadOptions,
  'compression' | 'verify' | 'maxRecordBytes' | 'onError'
> {
  /** Name of the function in SQL. Default: `read_events`. */
  readonly name?: string | undefined;
}

/**
 * Adds the function `read_events` to the SQL of a connection of `@duckdb/node-api` 1.5.5-r.5 or later, and of all others of its
 * instance. `SELECT … FROM read_events('runs')` reads TensorBoard's logs as `readEvents` does, a row for each value, in
 * its order. Rows are read on JavaScript's thread.
 *
 * - The argument is a log folder, the path of an event file, a pattern, or a list of these. A URL is an error (TFR_SQL).
 * - `kinds := 'scalar'` and `tag := 'loss*'` choose values; both accept lists, too. `keep_restarted := true` keeps the values of
 *   steps that were logged again after a restart. `compression := 'gzip'` overrides the option.
 *
 * Columns: `run`, `tag` and `kind` are VARCHAR, `step` is BIGINT, `wall_time` DOUBLE (seconds since 1970), `value` DOUBLE (of
 * scalars), `texts` VARCHAR[], `data` BLOB[] (encoded pictures or sounds), and `bucket_left`, `bucket_right` and
 * `bucket_count` DOUBLE[] (of histograms). What a kind does not have is NULL. Other tensors have none of these.
 *
 * If a query fails because of the logs, DuckDB's error has the code and the text of the `TFRecordError`.
 *
 * @throws TypeError for wrong arguments; ERR_MODULE_NOT_FOUND without `@duckdb/node-api`, or with an older one
 *
 * @example
 * const connection = await DuckDBConnection.create();
 * registerEvents(connection);
 * const result = await connection.runAndReadAll(
 *   "SELECT run, min(value) FROM read_events('runs', tag := 'loss') GROUP BY run ORDER BY run",
 * );
 * console.log(result.getRows());
 */
export function registerEvents(connection: DuckDBConnection, options?: RegisterEventsOptions): void {
  checkConnection(connection);
  const { name = 'read_events', ...read } = checkOptions(options, ['name', ...READ_NAMES]);
  checkFunctionName(name);
  resolveReadOptions(read);
  addEvents(boundConnection(connection), name, read);
}

/** Adds the function `name`, which reads logs. @throws as `duckdbTables` */
export function addEvents(connection: Connection, name: string, read: ReadOptions): void {
  const db = duckdbTables().bindings;
  const type = (id: Type): LogicalType => db.create_logical_type(id);
  addTableFunction(db, connection, name, {
    define: (f) => {
      const { ANY, BOOLEAN, VARCHAR } = db.Type;
      db.table_function_add_parameter(f, type(ANY));
      db.table_function_add_named_parameter(f, 'kinds', type(ANY));
      db.table_function_add_named_parameter(f, 'tag', type(ANY));
      db.table_function_add_named_parameter(f, 'keep_restarted', type(BOOLEAN));
      db.table_function_add_named_parameter(f, 'compression', type(VARCHAR));
      db.table_function_supports_projection_pushdown(f, true);
    },
    bind: (info) => {
      const bound = boundEvents(db, info, name, read);
      for (const column of EVENT_COLUMNS) db.bind_add_result_column(info, column.name, logicalType(db, column));
      db.bind_set_bind_data(info, bound);
    },
    init: (info) => {
      const bound = db.init_get_bind_data(info) as BoundEvents;
      const used = Array.from({ length: db.init_get_column_count(info) }, (_, i) => db.init_get_column_index(info, i));
      db.init_set_init_data(info, new TableScan(scannedEvents(bound, used), [...used.keys()]));
    },
    fill: (chunk, info) => {
      (db.function_get_init_data(info) as TableScan).fill(db, chunk);
    },
  });
}

/** The logs that a query reads. */
interface BoundEvents {
  readonly paths: readonly string[];
  readonly options: SyncEventOptions;
}

/** @throws for wrong arguments */
function boundEvents(db: Bindings, info: TableFunctionBindInfo, name: string, read: ReadOptions): BoundEvents {
  const paths = textsIn(db, db.bind_get_parameter(info, 0));
  if (paths === undefined || paths === null || paths.length === 0) {
    throw invalidArgValue('the argument', 'a log folder, a path, a pattern, or a list of these', paths);
  }
  if (paths.includes('-')) throw invalidArgValue('the argument', 'files or folders: standard input would block', '-');
  checkFiles(paths, name, 'scalars URL -o a.parquet');
  const named = (parameter: string): readonly string[] | undefined => {
    const given = db.bind_get_named_parameter(info, parameter);
    const texts = given === null ? null : textsIn(db, given);
    if (texts === undefined) throw invalidArgValue(parameter, 'a text, or a list of texts', texts);
    return texts ?? undefined;
  };
  const kept = db.bind_get_named_parameter(info, 'keep_restarted');
  const [compression] = named('compression') ?? [];
  const options = {
    ...read,
    compression: checkChoice<CompressionOption>(
      'compression',
      compression,
      COMPRESSION_OPTIONS,
      read.compression ?? 'auto',
    ),
    kinds: named('kinds')?.map((kind) => checkChoice('kinds', kind, EVENT_KINDS, 'scalar')),
    tags: named('tag'),
    keepRestarted: kept !== null && !db.is_null_value(kept) && db.get_bool(kept),
  };
  return { paths, options };
}

/** The batches of a query that uses the columns `used`. */
function* scannedEvents({ paths, options }: BoundEvents, used: readonly number[]): Generator<ScannedBatch, void> {
  const vectors = new EventVectors();
  for (const block of eventBlocksSync(paths, options)) {
    yield { rows: block.rows, vectors: used.map((index) => vectors.of(block, index)), origin: noOrigin };
  }
}

function noOrigin(): never {
  throw new TypeError('a value of a log has no origin');
}
