/**
 * Runs queries by DuckDB's bindings. Its package, `@duckdb/node-api`, has 180 files: loading them takes longer than a short
 * query, so it is loaded for results only that have values of types beyond {@link isPlain}.
 */
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Connection, Database as Opened, PreparedStatement, Result } from '@duckdb/node-bindings';

import { duckdb, type Bindings } from './peers';
import { isPlain, plainRows, type PlainValue } from './plain-rows';

/** The type of a result's column: for numbers, of DuckDB's number for it. */
export type ResultType = DuckDBType | { readonly typeId: number };

/** The rows of a query, of which DuckDB has not computed all. They can be read once. */
export interface QueryRows {
  readonly names: readonly string[];
  readonly types: readonly ResultType[];
  /** The rows in chunks. */
  readonly chunks: AsyncIterable<readonly (readonly (DuckDBValue | PlainValue)[])[]>;
}

/** A database in memory, with a connection. */
export class Database {
  readonly connection: Connection;
  readonly #db: Bindings;
  readonly #opened: Opened;

  private constructor(db: Bindings, opened: Opened, connection: Connection) {
    this.#db = db;
    this.#opened = opened;
    this.connection = connection;
  }

  /** `settings`: of DuckDB. */
  static async open(db: Bindings, settings: Readonly<Record<string, string>> = {}): Promise<Database> {
    const config = db.create_config();
    const all = { duckdb_api: 'node-neo-api', ...settings };
    for (const [name, value] of Object.entries(all)) db.set_config(config, name, value);
    const opened = await db.open(':memory:', config);
    return new Database(db, opened, await db.connect(opened));
  }

  /** Runs `query`. @throws the errors of DuckDB */
  async run(query: string): Promise<void> {
    await this.#db.query(this.connection, query);
  }

  /** Runs `query`, and returns its first row. @throws the errors of DuckDB */
  async firstRow(query: string): Promise<readonly (DuckDBValue | PlainValue)[] | undefined> {
    const { chunks } = await this.stream(query);
    let first: readonly (DuckDBValue | PlainValue)[] | undefined;
    // To the end: until then the connection is in a transaction, which sees no functions that are added later.
    for await (const [row] of chunks) first ??= row;
    return first;
  }

  /** Runs the statements of `query`, and returns the rows of the last one. @throws the errors of DuckDB */
  async stream(query: string): Promise<QueryRows> {
    const db = this.#db;
    const { extracted_statements: extracted, statement_count: count } = await db.extract_statements(
      this.connection,
      query,
    );
    if (count === 0) throw new Error(`Failed to extract statements: ${db.extract_statements_error(extracted)}`);
    const prepare = (index: number): Promise<PreparedStatement> =>
      db.prepare_extracted_statement(this.connection, extracted, index);
    for (let i = 0; i < count - 1; i++)
      await this.#run(await prepare(i), (statement) => db.execute_prepared(statement));
    const result = await this.#run(await prepare(count - 1), (last) => db.execute_prepared_streaming(last));
    return rowsOf(db, result);
  }

  async #run(
    statement: PreparedStatement,
    execute: (statement: PreparedStatement) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await execute(statement);
    } finally {
      this.#db.destroy_prepare_sync(statement);
    }
  }

  close(): void {
    this.#db.disconnect_sync(this.connection);
    this.#db.close_sync(this.#opened);
  }
}

function rowsOf(db: Bindings, result: Result): QueryRows {
  const columns = Array.from({ length: db.column_count(result) }, (_, i) => i);
  const typeIds = columns.map((i) => db.column_type(result, i));
  if (typeIds.every((typeId) => isPlain(db, typeId))) {
    return {
      names: columns.map((i) => db.column_name(result, i)),
      types: typeIds.map((typeId) => ({ typeId })),
      chunks: plainRows(db, result, typeIds),
    };
  }
  const all = new (duckdb().api.DuckDBResult)(result);
  return { names: all.columnNames(), types: all.columnTypes(), chunks: all.yieldRows() };
}
