/** The query by which DuckDB writes the rows of a table function as a file of Parquet. */
import { setTimeout } from 'node:timers/promises';

import type { Connection, PendingResult, PendingState, PreparedStatement } from '@duckdb/node-bindings';

import { systemErrorOf, tfrecordError, advice, worded, type TFRecordError } from '../base';
import type { TableBatch } from '../table';
import {
  checkColumnNames,
  writtenLevelsOf,
  type WrittenBatch,
  type WrittenColumn,
  type WrittenTable,
} from './column-types';
import { Database } from './database';
import { pathToWrite } from './duckdb-path';
import { duckdbTables, type Bindings } from './peers';
import { duckdbError, causeOfFailure, fullCodeOf } from './query-errors';
import { identifier, literal } from './sql-text';

/** The codecs of Parquet's pages. */
export type ParquetCompression = 'snappy' | 'zstd' | 'gzip' | 'uncompressed';

/** Options of writing a file. */
export interface ParquetOptions<B extends WrittenBatch = TableBatch> {
  /** Default: `snappy`. */
  readonly compression?: ParquetCompression | undefined;
  /**
   * Size of a row group in memory, in bytes. Default: 64 MiB; 16 MiB if rows are long, because readers hold at least
   * one row group.
   */
  readonly rowGroupBytes?: number | undefined;
  /** Key-value metadata of the file. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The names of the columns of bytes whose values become structs of `bytes` and `path`. Default: none. */
  readonly files?: ReadonlySet<string> | undefined;
  /** Called with each batch after DuckDB has read all of it. */
  readonly onTaken?: ((batch: B) => void) | undefined;
}

/** The options of the file. */
type CopyOptions = Omit<ParquetOptions, 'onTaken'>;

const ROW_GROUP_BYTES = 64 * 1024 * 1024;
const LONG_ROW_GROUP_BYTES = 16 * 1024 * 1024;
/** Time between two looks at a query that may have ended. */
const POLL_MS = 4;

/** The rows of a query. */
export interface RowQueue {
  /** The SQL of a table with these rows. */
  readonly source: string;
  /** Adds a batch that has rows. Its memory must stay unchanged until it was taken. */
  push(batch: WrittenBatch): void;
  /** No more batches follow. */
  end(): void;
  /** Makes the query fail, unless it has ended. */
  fail(error: unknown): void;
}

/** Writes one file. Each has its own database, with one thread that encodes. */
export class ParquetQuery {
  readonly db: Bindings;
  readonly table: WrittenTable;
  readonly #database: Database;
  readonly #path: string;
  /** The path in the form that DuckDB needs. */
  readonly #target: string;
  readonly #options: CopyOptions;
  #statement: PreparedStatement | undefined;
  #query: PendingResult | undefined;
  #settling: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #open = true;

  private constructor(db: Bindings, database: Database, path: string, table: WrittenTable, options: CopyOptions) {
    this.db = db;
    this.#database = database;
    this.#path = path;
    this.#target = pathToWrite(path);
    this.table = table;
    this.#options = options;
  }

  /** Prepares to write the file `path`. @throws TFRecordError TFR_SPEC for columns that DuckDB cannot hold */
  static async open(path: string, table: WrittenTable, options: CopyOptions): Promise<ParquetQuery> {
    if (table.columns.length === 0) throw noParquetColumns(path);
    checkColumnNames(table, []);
    // The package itself has many files, which take longer to load than a small file takes to write.
    const { bindings: db } = duckdbTables('Writing Parquet');
    // One thread encodes. The other belongs to the caller, and is used only to end the query.
    const database = await Database.open(db, { threads: '2', preserve_insertion_order: 'false' });
    // With caching, the filter would collect 2,048 rows of any length before the writer sees their size.
    await database.run('SET enable_caching_operators = false');
    return new ParquetQuery(db, database, path, table, options);
  }

  get connection(): Connection {
    return this.#database.connection;
  }

  /** True until {@link dispose}. */
  get open(): boolean {
    return this.#open;
  }

  /**
   * Begins to write the rows of `source`, the SQL of a table with the columns of the table. `longRows`: true if rows are
   * so long that values hardly repeat.
   */
  async begin(source: string, longRows: boolean): Promise<void> {
    const { files } = this.#options;
    const names = this.table.columns
      .map((column) => (files?.has(column.name) === true ? filesSql(column) : identifier(column.name)))
      .join(', ');
    this.#statement = await this.db.prepare(
      this.connection,
      `COPY (SELECT ${names} FROM ${source}) ` +
        `TO ${literal(this.#target)} (${copyOptions(this.#options, this.table, longRows)})`,
    );
    // DuckDB's own thread runs the query, so that it does not occupy one of libuv's few threads while it waits for the
    // caller.
    this.#query = this.db.pending_prepared(this.#statement);
  }

  /** Notes `error` as the reason why writing failed, unless there is one. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** @throws the reason why writing failed */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Resolves when the query has ended. @throws if it failed */
  settled(): Promise<void> {
    return (this.#settling ??= this.#settle());
  }

  async #settle(): Promise<void> {
    const query = this.#query;
    if (query === undefined) return;
    const { db } = this;
    try {
      // To wait in DuckDB would take a thread of libuv, which runs all the time.
      let state = db.pending_execute_check_state(query);
      for (; isRunning(db, state); state = db.pending_execute_check_state(query)) await setTimeout(POLL_MS);
      // The result of a query that has failed would not tell why. DuckDB calls a query that is blocked an error, too, but one
      // without a text.
      const error = state === db.PendingState.ERROR ? db.pending_error(query) : '';
      if (error !== '') throw new Error(error);
      await db.execute_pending(query);
    } catch (error) {
      this.fail(causeOfFailure(error) ?? writeError(error, this.#path, this.#target));
      this.check();
    }
  }

  dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    if (this.#statement !== undefined) this.db.destroy_prepare_sync(this.#statement);
    this.#database.close();
  }
}

/** SQL for a column whose values become structs of their bytes and a path, which is null. */
function filesSql(column: WrittenColumn): string {
  const name = identifier(column.name);
  const build = (value: string, levels: number): string => {
    if (levels === 0) return `struct_pack(bytes := ${value}, path := NULL::VARCHAR)`;
    const item = `v${levels}`;
    return `list_transform(${value}, lambda ${item}: ${build(item, levels - 1)})`;
  };
  return `CASE WHEN ${name} IS NOT NULL THEN ${build(name, writtenLevelsOf(column).length)} END AS ${name}`;
}

function isRunning(db: Bindings, state: PendingState): boolean {
  return state === db.PendingState.NO_TASKS_AVAILABLE || state === db.PendingState.RESULT_NOT_READY;
}

function copyOptions(
  { compression = 'snappy', rowGroupBytes, metadata = {} }: CopyOptions,
  { columns }: WrittenTable,
  longRows: boolean,
): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${literal(key)}: ${literal(value)}`);
  return [
    'FORMAT parquet',
    `COMPRESSION ${compression}`,
    `ROW_GROUP_SIZE_BYTES ${rowGroupBytes ?? (longRows ? LONG_ROW_GROUP_BYTES : ROW_GROUP_BYTES)}`,
    // DuckDB's dictionaries would mix up -0 with 0, and different NaNs. Long values hardly repeat, and comparing them
    // would double the time. Version 2 of Parquet would be smaller, but not every reader supports its encoding of
    // floats.
    ...(longRows || columns.some(({ dtype }) => dtype === 'float32' || dtype === 'float64')
      ? ['DICTIONARY_SIZE_LIMIT 0']
      : []),
    ...(pairs.length === 0 ? [] : [`KV_METADATA {${pairs.join(', ')}}`]),
  ].join(', ');
}

/** The error for an error of DuckDB about writing `path`, which DuckDB knows as `target`. */
function writeError(cause: unknown, path: string, target: string): TFRecordError {
  const code = fullCodeOf(cause);
  return code === undefined ? duckdbError(cause, path, target) : systemErrorOf(code, 'write', path, undefined, cause);
}

/** The error for a table without columns, which Parquet cannot hold. */
export function noParquetColumns(file: string): TFRecordError {
  return tfrecordError(
    'TFR_SPEC',
    worded`no record has a feature, so ${file} would have no column, and Parquet needs one${advice`: name columns in a spec`}`,
    { file },
  );
}
