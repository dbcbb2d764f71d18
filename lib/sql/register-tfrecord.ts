/** Registers `read_tfrecord`, a table function of DuckDB. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { LogicalType, TableFunctionBindInfo, TableFunctionInitInfo, Type, Value } from '@duckdb/node-bindings';

import {
  invalidArgType,
  invalidArgValue,
  tfrecordError,
  TFRecordError,
  advice,
  messageOf,
  worded,
  checkChoice,
  checkOptions,
  COMPRESSION_OPTIONS,
  isObject,
  objectScheme,
  shownUrl,
  type CompressionOption,
} from '../base';
import { newTable, readTableSync, tableOfPlan, type PlacedBatch, type Table } from '../table';
import { planFromText, planSpec, type SequenceExampleSpec, type Spec } from '../example';
import { resolveReadOptions, type ReadOptions } from '../record';
import { checkColumnNames, logicalType } from './column-types';
import { duckdbTables, type Bindings } from './peers';
import { ArgumentError } from './query-errors';
import { SAMPLE_RECORDS, sampleTable } from './sample-table';
import { addTableFunction } from './table-function';
import { TableScan, type PlaceColumn, type ScanColumn } from './table-scan';

/** Options of {@link registerTFRecord}. Unknown names throw. */
export interface RegisterOptions extends Pick<ReadOptions, 'compression' | 'verify' | 'maxRecordBytes' | 'onError'> {
  /** The features of all files. Default: the features of the first records, unless a query gives `spec := …`. */
  readonly spec?: Spec | SequenceExampleSpec | undefined;
  /** Name of the function in SQL. Default: `read_tfrecord`. */
  readonly name?: string | undefined;
}

const READ_NAMES = ['compression', 'verify', 'maxRecordBytes', 'onError'] as const;

/**
 * Adds the function `read_tfrecord` to the SQL of a connection of `@duckdb/node-api`, and of all others of its instance,
 * which need not register it again. `SELECT … FROM read_tfrecord('train-*.gz')` reads files like `readExamples`, on
 * native threads, and parses only the features that the query uses.
 *
 * - The argument is a path, a pattern, or a list of these: `['a.tfrecord', 'b-*.gz']`. A URL is an error (TFR_SQL).
 * - `spec := '…'` names the features, as the JSON of `specToJSON`. Without one, and without `options.spec`, the columns are
 *   the features of the first 1,000 records (or 16 MiB). A later record that does not match them is an error.
 * - `compression := 'gzip'` overrides the option. `filename := true` and `file_row_number := true` add columns of these
 *   names: the file of each record, and the number that the record has in it, from 0.
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
  // The connections of older releases have no table functions.
  if (!isObject(connection) || (typeof connection.run !== 'function' && !('registerTableFunction' in connection))) {
    throw invalidArgType('connection', 'a DuckDBConnection of @duckdb/node-api', connection);
  }
  const { spec, name = 'read_tfrecord', ...read } = checkOptions(options, ['spec', 'name', ...READ_NAMES]);
  if (typeof name !== 'string') throw invalidArgType('options.name', 'a string', name);
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw invalidArgValue('options.name', 'letters, digits and _, not beginning with a digit', name);
  }
  resolveReadOptions(read);
  registerTable(connection, name, spec === undefined ? undefined : tableOfPlan(planSpec(spec)), read);
}

/** Adds the function `name`, which reads `table` if a query gives no spec. */
export function registerTable(
  connection: DuckDBConnection,
  name: string,
  table: Table | undefined,
  read: ReadOptions,
): void {
  if (table !== undefined) checkColumnNames(table, []);
  const { bindings: db } = duckdbTables();
  const type = (id: Type): LogicalType => db.create_logical_type(id);
  addTableFunction(connection, name, {
    define: (f) => {
      db.table_function_add_parameter(f, type(db.Type.ANY));
      db.table_function_add_named_parameter(f, 'spec', type(db.Type.VARCHAR));
      db.table_function_add_named_parameter(f, 'compression', type(db.Type.VARCHAR));
      for (const column of PLACE_COLUMNS) db.table_function_add_named_parameter(f, column, type(db.Type.BOOLEAN));
      db.table_function_supports_projection_pushdown(f, true);
    },
    bind: (info) => {
      bind(db, info, table, read);
    },
    init: (info) => {
      init(db, info);
    },
    fill: (chunk, info) => {
      (db.function_get_init_data(info) as TableScan).fill(db, chunk);
    },
  });
}

const PLACE_COLUMNS: readonly PlaceColumn[] = ['filename', 'file_row_number'];

/** The files and the columns that a query reads. */
interface Bound {
  readonly paths: readonly string[];
  readonly table: Table;
  /** True if the table was inferred from the first records. */
  readonly sampled: boolean;
  readonly places: readonly PlaceColumn[];
  readonly read: ReadOptions;
}

/** Determines the columns of a query. */
function bind(db: Bindings, info: TableFunctionBindInfo, registered: Table | undefined, options: ReadOptions): void {
  const paths = pathsIn(db, db.bind_get_parameter(info, 0));
  checkFiles(paths);
  const given = (name: string): string | undefined => {
    const value = db.bind_get_named_parameter(info, name);
    return value === null || db.is_null_value(value) ? undefined : db.get_varchar(value);
  };
  const places = PLACE_COLUMNS.filter((name) => given(name) === 'true');
  const compression = checkChoice<CompressionOption>(
    'compression',
    given('compression'),
    COMPRESSION_OPTIONS,
    options.compression ?? 'auto',
  );
  const read = { ...options, compression };
  const spec = given('spec');
  const known = spec === undefined ? registered : tableOfText(spec);
  const table = known ?? sampleTable(paths, read);
  if (table.columns.length === 0 && places.length === 0) throw noColumns();
  checkColumnNames(table, places);
  for (const column of table.columns) db.bind_add_result_column(info, column.name, logicalType(db, column));
  for (const name of places) {
    const type = name === 'filename' ? db.Type.VARCHAR : db.Type.BIGINT;
    db.bind_add_result_column(info, name, db.create_logical_type(type));
  }
  db.bind_set_bind_data(info, { paths, table, sampled: known === undefined, places, read } satisfies Bound);
}

/** Begins to read the columns that a query uses. */
function init(db: Bindings, info: TableFunctionInitInfo): void {
  const bound = db.init_get_bind_data(info) as Bound;
  const asked = Array.from({ length: db.init_get_column_count(info) }, (_, i) => db.init_get_column_index(info, i));
  const { columns, sequenceExample } = bound.table;
  const stored = asked.filter((index) => index < columns.length);
  const table = newTable(
    stored.map((index) => columns[index]!),
    sequenceExample,
  );
  const batches = scannedBatches(bound, table);
  const scan = new TableScan(
    batches,
    asked.map((index): ScanColumn => {
      return index < columns.length ? stored.indexOf(index) : bound.places[index - columns.length]!;
    }),
  );
  // DuckDB drops the scan at the end of the query without a notification.
  dropped.register(scan, batches);
  db.init_set_init_data(info, scan);
}

const dropped = new FinalizationRegistry<Generator>((batches) => {
  batches.return(undefined);
});

/** The batches of `table`. Its columns are a subset of those in `bound`. */
function* scannedBatches({ paths, sampled, read }: Bound, table: Table): Generator<PlacedBatch, void, undefined> {
  try {
    yield* readTableSync(paths, table, read);
  } catch (error) {
    throw sampled && error instanceof TFRecordError && error.code === 'TFR_FEATURE' ? unlikeSample(error) : error;
  }
}

function pathsIn(db: Bindings, value: Value): string[] {
  const refused = (): Error =>
    invalidArgValue(
      'the argument',
      'a path, a pattern, or a list of these',
      db.is_null_value(value) ? null : undefined,
    );
  if (db.is_null_value(value)) throw refused();
  const type = db.get_value_type(value);
  if (db.get_type_id(type) === db.Type.VARCHAR) return [db.get_varchar(value)];
  if (db.get_type_id(type) !== db.Type.LIST) throw refused();
  return Array.from({ length: db.get_list_size(value) }, (_, i) => {
    const item = db.get_list_child(value, i);
    if (db.is_null_value(item) || db.get_type_id(db.get_value_type(item)) !== db.Type.VARCHAR) throw refused();
    return db.get_varchar(item);
  });
}

/** @throws ArgumentError TFR_SQL for a URL: DuckDB's threads wait for rows, so nothing may be awaited */
function checkFiles(paths: readonly string[]): void {
  const url = paths.find((path) => objectScheme(path) !== undefined);
  if (url === undefined) return;
  const found = shownUrl(url);
  const message = worded`read_tfrecord reads files only: found ${found}.${advice` "tfrecord convert URL a.parquet" makes a file that read_parquet('a.parquet') reads.`}`;
  throw tfrecordError('TFR_SQL', message, { expected: 'paths of files', found }, ArgumentError);
}

function tableOfText(text: string): Table {
  try {
    return tableOfPlan(planFromText(text));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new ArgumentError('TFR_SPEC', `spec is not JSON: ${error.message}`, { cause: error });
    }
    if (!(error instanceof TFRecordError)) throw error;
    const { code, feature } = error;
    throw tfrecordError(code, worded`spec: ${messageOf(error)}`, { feature, cause: error }, ArgumentError);
  }
}

function noColumns(): TFRecordError {
  return new TFRecordError(
    'TFR_SPEC',
    "the files have no record with a feature, so their columns are unknown: name them, as in read_tfrecord('a', spec := '{…}')",
  );
}

/** The error for `error`, which is about a record that does not match the columns of the first records. */
function unlikeSample(error: TFRecordError): TFRecordError {
  const { code, file, record, offset, feature, expected, found } = error;
  return tfrecordError(
    code,
    worded`${messageOf(error)} The columns are those of the first ${SAMPLE_RECORDS} records${advice`; spec := \u2026 gives others.`}`,
    { file, record, offset, feature, expected, found, cause: error },
  );
}
